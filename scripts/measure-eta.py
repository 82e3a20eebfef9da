#!/usr/bin/env python3
"""How good the remaining time is that a run tells: programs beside each other, the same run.

    measure-eta.py PROGRAM... [--level N] [--samples N] [--workers N] [--phases SPEC]

Each program plays five windows with the embedded engine into a temporary folder. Every figure that it
tells is compared with the time that was left indeed; the last two seconds do not count. An error of 1
is a figure twice as high as the truth, or half of it.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

CONFIG = """\
mode = "normal"
phases = "{phases}"
samples_per_phase = {samples}
seed = 21
output_dir = "{out}"
[window]
enabled = true
size = 10
[self_play]
workers = {workers}
[self_play.ai]
name = "builtin"
level = {level}
"""


def run(program, args):
    """The lines of a run: (elapsed, eta or None, first active phase, bytes)."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        config = folder / "config.toml"
        config.write_text(CONFIG.format(out=folder / "out", **vars(args)))
        app = folder / "app.toml"
        app.write_text('[engines.builtin]\nkind = "builtin"\n')
        command = [program, "--config", config, "--app-config", app]
        command += ["--json-progress", "--progress-interval", "200ms"]
        done = subprocess.run(command, stderr=subprocess.PIPE, check=True, cwd=folder)
    told = []
    for line in done.stderr.splitlines():
        event = json.loads(line)
        if event["event"] == "progress":
            active = event["active_phases"]
            told.append((event["elapsed_seconds"], event["eta_seconds"], active[0] if active else None))
        elif event["event"] == "finished":
            end = event["elapsed_seconds"]
    return end, told


def error(eta, truth):
    return math.exp(abs(math.log(max(eta, 0.1) / max(truth, 0.1)))) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--phases", default="10..59")
    args = parser.parse_args()
    print("program                          seconds  told  unknown  median  worst   by window (median)")
    for program in args.programs:
        end, told = run(str(pathlib.Path(program).resolve()), args)
        errors, by_window, unknown = [], {}, 0
        for elapsed, eta, active in told:
            truth = end - elapsed
            if truth < 2:
                continue
            if eta is None:
                unknown += 1
                continue
            errors.append(error(eta, truth))
            by_window.setdefault(active, []).append(errors[-1])
        windows = "  ".join(
            f"{active}: {statistics.median(found):.2f} (worst {max(found):.2f})"
            for active, found in sorted(by_window.items(), key=lambda pair: pair[0] or 0)
        )
        median = statistics.median(errors) if errors else math.nan
        worst = max(errors, default=math.nan)
        print(
            f"{program[-32:]:<32} {end:>7.1f} {len(errors):>5} {unknown:>8} {median:>7.2f} "
            f"{worst:>6.2f}   {windows}",
            flush=True,
        )


if __name__ == "__main__":
    main()
