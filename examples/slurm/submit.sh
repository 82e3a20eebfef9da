#!/bin/bash
# Submits an array of shards and a merge that waits for all of them:
#
#     RDG_CONFIG=configs/config.toml RDG_SHARDS=datasets/edax_lv20 examples/slurm/submit.sh --array=1-16
#
# Options go to the sbatch of the array. Run it again after a time limit: finished shards end at once.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${RDG_SHARDS:?the output_dir of the configuration}"
export RDG_SHARDS

array=$(sbatch --parsable "$@" "$here/array.sh")
array=${array%%;*}
merge=$(sbatch --parsable --dependency="afterok:$array" "$here/merge.sh")
echo "array $array, merge ${merge%%;*}"
