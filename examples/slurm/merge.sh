#!/bin/bash
#SBATCH --job-name=rdg-merge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=rdg_merge_%j.log

# Makes one dataset of all shards in RDG_SHARDS (the output_dir of the configuration). It goes on
# with what is there, so it may be submitted again, also after shards were played on.

rdg=${RDG:-rdg}
shards=${RDG_SHARDS:?the output_dir of the configuration}
output=${RDG_MERGED:-$shards/merged}

exec srun "$rdg" merge "$shards"/shard_*_of_* --output "$output" --no-progress
