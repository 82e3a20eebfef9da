#!/bin/bash
#SBATCH --job-name=rdg
#SBATCH --array=1-16
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=USR1@120
#SBATCH --output=rdg_%A_%a.log

# One shard of the dataset that RDG_CONFIG describes; submit.sh beside this file submits it together
# with the merge. The array is numbered from 1, and its size is the number of shards.
#
# The command starts, continues, or finds that nothing is to be done: a requeued or resubmitted job
# needs nothing else. USR1, two minutes before the time limit, ends it in order (exit code 138).
# `exec` and `srun` see to it that rdg gets the signals of the job.

rdg=${RDG:-rdg}
config=${RDG_CONFIG:-configs/config.toml}
app_config=${RDG_APP_CONFIG:-configs/app.toml}

# shellcheck disable=SC2086 # RDG_OPTIONS holds words, such as --until-game 60000 or --no-lock
exec srun "$rdg" --config "$config" --app-config "$app_config" \
    --shard "auto/$SLURM_ARRAY_TASK_MAX" --no-progress --progress-interval 60s ${RDG_OPTIONS:-}
