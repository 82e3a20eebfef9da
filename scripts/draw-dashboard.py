#!/usr/bin/env python3
"""Draws the dashboard of a running rdg as an SVG, for the documentation.

    scripts/draw-dashboard.py RDG CONFIG SECONDS OUTPUT.svg

Runs `RDG --config CONFIG` in a tmux window of 90 x 24, waits, and draws what the window shows."""

import html
import re
import subprocess
import sys
import time
import unicodedata

WIDTH, HEIGHT, CELL, LINE = 90, 24, 8.4, 18
COLOURS = {
    "30": "#45475a", "31": "#f38ba8", "32": "#a6e3a1", "33": "#f9e2af", "34": "#89b4fa",
    "35": "#cba6f7", "36": "#94e2d5", "37": "#bac2de", "90": "#7f849c", "92": "#a6e3a1",
    "93": "#f9e2af", "94": "#89b4fa", "96": "#94e2d5", "97": "#ffffff",
}  # fmt: skip
PLAIN = "#cdd6f4"


def capture(rdg, config, seconds):
    def tmux(*words):
        return subprocess.run(["tmux", "-L", "rdg-picture", *words], check=True, capture_output=True, text=True).stdout

    tmux("-f", "/dev/null", "new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), rdg, "--config", config)
    try:
        time.sleep(seconds)
        return tmux("capture-pane", "-e", "-p")
    finally:
        tmux("kill-server")


def columns(text):
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def runs(line, state):
    """Pieces of a line: text, colour, whether bold, whether dim. `state` lasts over lines."""
    for escape, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
        if text:
            yield text, state["colour"], state["bold"], state["dim"]
            continue
        for code in (escape or "0").split(";"):
            if code in ("0", ""):
                state.update(colour=PLAIN, bold=False, dim=False)
            elif code == "1":
                state["bold"] = True
            elif code == "2":
                state["dim"] = True
            elif code == "22":
                state.update(bold=False, dim=False)
            elif code == "39":
                state["colour"] = PLAIN
            else:
                state["colour"] = COLOURS.get(code, state["colour"])


def draw(screen):
    lines = screen.rstrip("\n").split("\n")
    width, height = WIDTH * CELL + 24, len(lines) * LINE + 24
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}">'
    yield f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1e1e2e"/>'
    yield '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">'
    state = {"colour": PLAIN, "bold": False, "dim": False}
    for number, line in enumerate(lines):
        column = 0
        for text, colour, bold, dim in runs(line, state):
            style = (' font-weight="bold"' if bold else "") + (' opacity="0.6"' if dim else "")
            # Words stand where they stand in the window, whatever font is there to draw them.
            for word in re.finditer(r"\S+(?: \S+)*", text):
                x = 12 + (column + columns(text[: word.start()])) * CELL
                yield (
                    f'<text x="{x:.1f}" y="{26 + number * LINE}" textLength="{columns(word[0]) * CELL:.1f}" '
                    f'lengthAdjust="spacingAndGlyphs" fill="{colour}"{style}>{html.escape(word[0])}</text>'
                )
            column += columns(text)
    yield "</g></svg>"


if __name__ == "__main__":
    rdg, config, seconds, output = sys.argv[1:]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(draw(capture(rdg, config, float(seconds)))) + "\n")
