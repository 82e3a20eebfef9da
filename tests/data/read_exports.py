"""Reads what `rdg export` wrote, format by format, from the formats' descriptions, and compares it
with the .rd files. Shares no code with rdg.

    read_exports.py [--unordered] SOURCE EXPORTS FORMAT...

Exports lie in EXPORTS/<format>/, with train, valid and test.
"""

import glob
import struct
import sys

import numpy as np

RECORD = np.dtype([("own", "<u8"), ("opponent", "<u8"), ("value", "<i2")])


def rd(path):
    with open(path, "rb") as file:
        assert file.read(10) == b"RDGBBVAL1\n", path
        data = file.read()
    assert len(data) % 18 == 0, path
    return [struct.unpack_from("<QQh", data, at) for at in range(0, len(data), 18)]


def structs(path, form, size):
    data = open(path, "rb").read()
    assert len(data) % size == 0, path
    return [struct.unpack_from(form, data, at) for at in range(0, len(data), size)]


def turned(bits):
    """The board with bit 63 = a1 as one with bit 0 = a1."""
    return int(f"{bits:064b}"[::-1], 2)


def of_text(board):
    own = sum(1 << i for i, c in enumerate(board) if c == "X")
    opponent = sum(1 << i for i, c in enumerate(board) if c == "O")
    assert len(board) == 64 and set(board) <= set("XO-"), board
    return own, opponent


def raw(folder, split):
    return structs(f"{folder}/{split}.bin", "<QQh", 18)


def raw24(folder, split):
    rows = structs(f"{folder}/{split}.bin", "<QQh6s", 24)
    assert all(row[3] == bytes(6) for row in rows)
    return [row[:3] for row in rows]


def egaroucid(folder, split):
    rows = structs(f"{folder}/{split}/0.dat", "<QQbbb", 19)
    assert all(side == 0 and policy == 64 for _, _, side, policy, _ in rows)
    return [(turned(player), turned(opponent), score) for player, opponent, _, _, score in rows]


def text(folder, split):
    lines = open(f"{folder}/{split}/0000000.txt").read().splitlines()
    return [(*of_text(line[:64]), int(line[65:])) for line in lines if line[64] == " "]


def neural_reversi(folder, split):
    rows = structs(f"{folder}/{split}.bin", "<QQfbBBBBH", 27)
    for own, opponent, score, game_score, ply, is_random, move, side, game in rows:
        assert score == game_score and (is_random, move, side, game) == (0, 64, 0, 0)
        assert ply == max(bin(own | opponent).count("1") - 4, 0)
    return [(row[0], row[1], row[3]) for row in rows]


def npy(folder, split):
    array = np.load(f"{folder}/{split}.npy", mmap_mode="r")
    assert array.dtype == RECORD
    return array.tolist()


def csv(folder, split):
    header, *lines = open(f"{folder}/{split}.csv").read().splitlines()
    assert header == "board,value,phase,split"
    rows = [line.split(",") for line in lines]
    for board, _, phase, name in rows:
        assert int(phase) == max(64 - board.count("-") - 4, 0) and name == split
    return [(*of_text(board), int(value)) for board, value, _, _ in rows]


def parquet(folder, split):
    import polars
    import pyarrow.parquet

    path = f"{folder}/{split}-00000-of-00001.parquet"
    table = pyarrow.parquet.read_table(path)
    frame = polars.read_parquet(path)
    columns = ["own", "opponent", "value", "phase", "split"]
    assert table.column_names == frame.columns == columns
    kinds = [str(kind) for kind in table.schema.types]
    assert kinds == ["uint64", "uint64", "int16", "uint8", "string"], kinds
    rows = list(zip(*(table[name].to_pylist() for name in columns)))
    assert rows == frame.rows()
    for own, opponent, _, phase, name in rows:
        assert name == split and phase == max(bin(own | opponent).count("1") - 4, 0)
    return [row[:3] for row in rows]


READERS = {
    "raw": raw,
    "raw24": raw24,
    "egaroucid": egaroucid,
    "text": text,
    "neural-reversi": neural_reversi,
    "npy": npy,
    "csv": csv,
    "parquet": parquet,
}


def main():
    words = sys.argv[1:]
    unordered = "--unordered" in words
    source, exports, *formats = [word for word in words if word != "--unordered"]
    for split in ["train", "valid", "test"]:
        expected = [row for path in sorted(glob.glob(f"{source}/phase_*/{split}.rd")) for row in rd(path)]
        assert expected, f"{split} has no records"
        for name in formats:
            found = [tuple(row) for row in READERS[name](f"{exports}/{name}", split)]
            if unordered:
                found.sort()
                expected.sort()
            assert found == expected, f"{name}, {split}"
            print(name, split, len(found))


main()
