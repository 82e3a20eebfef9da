#!/usr/bin/env bash
# How fast rdg export is, beside cat and shuf on the same bytes, in one run.
#
#   measure-export.sh DATASET [MILLION_RECORDS]
#
# The records of DATASET are repeated until there are as many. RDG names the program, MEMORY the MiB of
# the shuffle.

set -euo pipefail

rdg=${RDG:-target/release/rdg}
million=${2:-10}
memory=${MEMORY:-256}
work=$(mktemp -d -p "${TMPDIR:-/tmp}")
trap 'rm -rf "$work"' EXIT

find "$1" -name '*.rd' -print0 | sort -z | while IFS= read -r -d '' file; do
    tail -c +11 "$file"
done >"$work/once"
size=$((million * 1000000 * 18))
printf 'RDGBBVAL1\n' >"$work/many.rd"
{ while cat "$work/once"; do :; done 2>/dev/null || true; } | head -c "$size" >>"$work/many.rd"

# row NAME BYTES COMMAND...
row() {
    local name=$1 bytes=$2 begun ended
    shift 2
    begun=$(date +%s%N)
    "$@" >/dev/null
    ended=$(date +%s%N)
    awk -v name="$name" -v bytes="$bytes" -v ns=$((ended - begun)) \
        'BEGIN { printf "%-28s %8.1f MB/s  %6.2f s\n", name, bytes * 1000 / ns, ns / 1e9 }'
}

export_as() {
    "$rdg" export "$work/many.rd" --memory "$memory" --force --accept-score-rule plain "$@"
}

copy() {
    cat "$work/many.rd" >"$work/copy"
    sync "$work/copy"
}

export_as --format text --output "$work/lines.txt" >/dev/null
lines=$(stat -c %s "$work/lines.txt")
echo "$million million records, $((size / 1000000)) MB; the rates are those of the bytes read"
row "cat to a file, synced" "$size" copy
row "rdg export raw" "$size" export_as --format raw --output "$work/raw.bin"
row "rdg export npy" "$size" export_as --format npy --output "$work/array.npy"
row "rdg export egaroucid" "$size" export_as --format egaroucid --output "$work/0.dat"
row "rdg export text" "$size" export_as --format text --output "$work/lines.txt"
row "rdg export raw --shuffle" "$size" export_as --format raw --shuffle 1 --output "$work/raw.bin"
row "shuf of the text" "$lines" shuf "$work/lines.txt"
row "rdg export text --shuffle" "$lines" export_as --format text --shuffle 1 --output "$work/lines.txt"
