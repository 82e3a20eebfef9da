#!/usr/bin/env bash
# Makes pattern weights for the embedded engine from games of its own: how the built-in ones
# (src/engine/builtin/patterns/weights.bin) came about, and how to make better ones.
#
#     scripts/builtin-weights.sh FOLDER
#
# Plays games of level 6 whose last 14 squares are solved, of mixed origin: random openings of many
# lengths, openings by a weak engine, and games that are played from the eighth move on; 2.04 million
# positions, an hour and a half on one core. FOLDER/weights.bin is fitted to all of them, beginning with the
# built-in weights. Run again, it goes on where it was. The same program gives the same bytes; to make
# the present weights again, run it at the commit before the one that brought them.
#
# Weights that become the built-in ones raise REVISION in src/engine/builtin/mod.rs, and need their
# errors measured for selective search:
#
#     cp FOLDER/weights.bin src/engine/builtin/patterns/weights.bin
#     cargo run --release --example measure_errors >errors.txt
#     mv errors.txt src/engine/builtin/patterns/errors.txt
#
# Before, `rdg match FOLDER/weights.bin:6 builtin:6 --games 400` and `cargo run --release --example
# opening_line -- FOLDER/weights.bin` tell whether they are better.

set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rdg=$PWD/target/release/rdg
start=$PWD/src/engine/builtin/patterns/weights.bin
cargo build --release --locked --bin rdg

cat >"$folder/app.toml" <<END
setup = "off"
[engines.builtin]
kind = "builtin"
END

# games NAME SEED AI_PROBABILITY PHASES WINDOW SAMPLES
games() {
    cat >"$folder/$1.toml" <<END
mode = "normal"
output_dir = "$1"
phases = "$4"
samples_per_phase = $6
seed = $2
score_rule = "winner_takes_empties"
[split]
train = 0.97
valid = 0.015
test = 0.015
[playout]
ai_probability = $3
max_attempts_multiplier = 1000
[playout.ai]
name = "builtin"
level = 1
[self_play]
workers = 0
solve_from = 14
[self_play.ai]
name = "builtin"
level = 6
[window]
enabled = true
size = $5
END
    "$rdg" --config "$folder/$1.toml" --app-config "$folder/app.toml" --resume
}

games random 101 0.0 8..59 13 8000
games whole 103 0.3 8..59 53 7000
games weak 401 0.6 21..59 13 5000
games whole2 501 0.0 8..59 53 7000
games whole3 502 0.0 10..59 53 14000
"$rdg" fit "$folder"/{random,whole,weak,whole2,whole3} --output "$folder/weights.bin" \
    --start "$start" --rate 0.0005 --resume
