#!/usr/bin/env bash
# Makes pattern weights for the embedded engine from games of its own: how the built-in ones
# (src/engine/builtin/patterns/weights.bin) came about, and how to make others.
#
#     scripts/fit-patterns.sh FOLDER [SAMPLES [LEVEL]]
#
# Plays two rounds of games at LEVEL (4) from random openings, SAMPLES (40000) positions for each of
# the phases 10 to 59: the first with the built-in weights, the second with those fitted to the
# first. FOLDER/weights.bin is fitted to both and can be an `eval_file` in app.toml. Run again, it
# goes on where it was.
#
# Weights that become the built-in ones need their errors measured for selective search, too:
#
#     cargo run --release --example measure_errors >errors.txt
#     mv errors.txt src/engine/builtin/patterns/errors.txt

set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    echo "usage: $0 FOLDER [SAMPLES [LEVEL]]" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
samples=${2:-40000}
level=${3:-4}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rdg=$PWD/target/release/rdg
fit=$PWD/target/release/examples/fit_patterns
cargo build --release --locked --bin rdg --example fit_patterns

# round NUMBER SEED [EVAL_FILE]
round() {
    local config=$folder/round$1.toml app=$folder/round$1-app.toml eval_file=
    if [ $# -gt 2 ]; then
        eval_file="eval_file = \"$3\""
    fi
    cat >"$app" <<END
setup = "off"
[engines.fit]
kind = "builtin"
$eval_file
END
    cat >"$config" <<END
output_dir = "$folder/round$1"
phases = "10..59"
samples_per_phase = $samples
seed = $2
[split]
train = 0.98
valid = 0.02
test = 0.0
[playout]
ai_probability = 0.0
[self_play]
workers = 0
[self_play.ai]
name = "fit"
level = $level
[window]
enabled = true
size = 10
END
    "$rdg" --config "$config" --app-config "$app" --resume
}

round 1 1001
"$fit" "$folder/first.bin" "$folder/round1"
round 2 2002 "$folder/first.bin"
"$fit" "$folder/weights.bin" "$folder/round1" "$folder/round2"
