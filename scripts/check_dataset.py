#!/usr/bin/env python3
"""Reads every .rd file below the given folders with numpy and checks it against the rules.

Shares no code with rdg, so that what it says of rdg's files is a second opinion:
    python3 scripts/check_dataset.py datasets/quickstart
"""

import json
import sys
from pathlib import Path

import numpy as np

MAGIC = b"RDGBBVAL1\n"
RECORD = np.dtype([("own", "<u8"), ("opponent", "<u8"), ("value", "<i2")])
CENTRE = np.uint64(0x0000001818000000)
SPLITS = ("train", "valid", "test")


def read(path):
    """The records of one file."""
    with open(path, "rb") as file:
        magic = file.read(len(MAGIC))
    assert magic == MAGIC, f"{path}: does not begin with {MAGIC}"
    size = path.stat().st_size - len(MAGIC)
    assert size % RECORD.itemsize == 0, f"{path}: ends within a record"
    return np.fromfile(path, dtype=RECORD, offset=len(MAGIC))


def boards(bitboards):
    """Bitboards as an array of 8 x 8 zeros and ones: row 0 is rank 1, column 0 is file a."""
    octets = np.ascontiguousarray(bitboards, dtype="<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, 8, 8)


def pack(squares):
    """The inverse of boards()."""
    octets = np.packbits(squares.reshape(-1, 64), axis=1, bitorder="little")
    return np.ascontiguousarray(octets).view("<u8").reshape(-1)


def canonical(data):
    """For each record the smallest (own, opponent) of its eight symmetries."""
    own, opponent = boards(data["own"]), boards(data["opponent"])
    forms = []
    for turned in range(4):
        for mirrored in (False, True):
            pair = []
            for squares in (own, opponent):
                squares = np.rot90(squares, turned, axes=(1, 2))
                pair.append(pack(squares[:, :, ::-1] if mirrored else squares))
            forms.append(list(zip(pair[0].tolist(), pair[1].tolist())))
    return [min(options) for options in zip(*forms)]


def check_phase(folder):
    """Checks one phase_NN folder; gives its number of records."""
    phase = int(folder.name.removeprefix("phase_"))
    files = {split: read(folder / f"{split}.rd") for split in SPLITS}
    data = np.concatenate(list(files.values()))
    own, opponent, value = data["own"], data["opponent"], data["value"].astype(int)

    def rule(holds, what):
        assert np.all(holds), f"{folder}: {what} in record {int(np.argmin(holds))}"

    discs = boards(own | opponent).sum(axis=(1, 2))
    rule(own & opponent == 0, "a square is held by both sides")
    rule(discs == phase + 4, f"the board does not hold {phase + 4} discs")
    rule((own | opponent) & CENTRE == CENTRE, "a centre square is empty")
    rule(np.abs(value) <= 64, "a value is beyond 64")
    if phase == 60:
        final = boards(own).sum(axis=(1, 2)).astype(int) - boards(opponent).sum(axis=(1, 2))
        rule(value == final, "the value of a full board is not its disc difference")

    forms = canonical(data)
    assert len(set(forms)) == len(forms), f"{folder}: a position is there twice"

    stats = json.loads((folder / "stats.json").read_text())
    counts = {split: len(records) for split, records in files.items()}
    assert stats["split"] == counts, f"{folder}: stats.json counts {stats['split']}, not {counts}"
    assert stats["emitted_samples"] == len(data), f"{folder}: stats.json counts another total"
    if len(data):
        assert (stats["value"]["min"], stats["value"]["max"]) == (value.min(), value.max())
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["record_size_bytes"] == RECORD.itemsize
    assert metadata["discs"] == phase + 4
    return len(data)


def main(folders):
    for folder in map(Path, folders):
        phases = sorted(folder.glob("phase_*"))
        assert phases, f"{folder}: holds no phase_NN folder"
        records = sum(map(check_phase, phases))
        summary = json.loads((folder / "summary.json").read_text())
        assert summary["total_samples"] == records, f"{folder}: summary.json counts another total"
        print(f"{folder}: {len(phases)} phases, {records} records, all in order")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: check_dataset.py DATASET_FOLDER...")
    try:
        main(sys.argv[1:])
    except (AssertionError, OSError, KeyError, ValueError) as fault:
        sys.exit(f"check_dataset.py: {fault}")
