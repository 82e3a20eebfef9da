#!/usr/bin/env bash
# An array of shards on a one-node Slurm that is started here: one job is killed and requeued, the
# shards are merged, and the bytes are compared with those of one machine. Needs root, and the Debian
# packages slurmctld, slurmd, slurm-client and munge; where those are not to be had it says so and
# sets the same variables and sends the same signals by itself (RDG_NO_SLURM=1: always).
#
#     scripts/slurm.sh target/release/rdg

set -euo pipefail
rdg=$(realpath "${1:?the program}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
chmod 755 "$work"
started=()

end() {
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap end EXIT

cat >"$work/app.toml" <<TOML
setup = "off"
[engines.builtin]
kind = "builtin"
TOML

# config NAME: a dataset in the folder of that name.
config() {
    cat >"$work/$1.toml" <<TOML
output_dir = "$1"
phases = "20..29"
samples_per_phase = 3000
seed = 42
[games]
keep = true
[self_play]
workers = 1
[self_play.ai]
name = "builtin"
level = 2
[window]
enabled = true
size = 10
TOML
}
config one
config array
config merged

compare() {
    local phase split
    "$rdg" --config "$work/merged.toml" --app-config "$work/app.toml" --no-progress --resume
    for phase in 20 21 22 23 24 25 26 27 28 29; do
        for split in train valid test; do
            cmp "$work/one/phase_$phase/$split.rd" "$work/merged/phase_$phase/$split.rd"
        done
    done
    cmp "$work/one/games_20/games.rdg" "$work/merged/games_20/games.rdg"
    "$rdg" verify --replay "$work/merged"
}

"$rdg" --config "$work/one.toml" --app-config "$work/app.toml" --no-progress --progress-interval 10s

has_slurm() {
    [ -z "${RDG_NO_SLURM:-}" ] || return 1
    [ "$(id -u)" = 0 ] || return 1
    local tool
    for tool in munged munge slurmctld slurmd sbatch scontrol; do
        command -v "$tool" >/dev/null || return 1
    done
}

# The same variables and signals, without a scheduler.
without_slurm() {
    local index pid
    for index in 1 2 3 4; do
        SLURM_ARRAY_TASK_ID=$index "$rdg" --config "$work/array.toml" --app-config "$work/app.toml" \
            --no-progress --shard auto/4 &
        pid=$!
        if [ "$index" = 3 ]; then
            sleep 0.3
            kill -USR1 "$pid" 2>/dev/null || true
        fi
        wait "$pid" || echo "shard $index ended with $?"
    done
    SLURM_ARRAY_TASK_ID=3 "$rdg" --config "$work/array.toml" --app-config "$work/app.toml" \
        --no-progress --shard auto/4
    "$rdg" merge "$work"/array/shard_*_of_4 --output "$work/merged" --no-progress
    compare
    echo "shards without a scheduler: the same bytes"
}

start_slurm() {
    local host memory
    host=$(hostname -s)
    memory=$(awk '/MemTotal/ { print int($2 / 2048) }' /proc/meminfo)
    mkdir -p "$work/munge" "$work/state" "$work/spool"
    chmod 700 "$work/munge"
    dd if=/dev/urandom of="$work/munge/munge.key" bs=1024 count=1 status=none
    chmod 400 "$work/munge/munge.key"
    chown -R munge: "$work/munge"
    chown slurm: "$work/state" 2>/dev/null || true
    local socket=$work/munge/munge.socket
    chmod 711 "$work/munge"
    (cd / && exec setpriv --reuid=munge --regid=munge --clear-groups munged --force --foreground \
        --key-file="$work/munge/munge.key" --socket="$socket" --log-file="$work/munge/munged.log" \
        --pid-file="$work/munge/munged.pid" --seed-file="$work/munge/munge.seed" >"$work/munge.out" 2>&1) &
    started+=($!)
    for _ in $(seq 50); do
        [ -S "$socket" ] && break
        sleep 0.1
    done
    munge --socket="$socket" -n | unmunge --socket="$socket" >/dev/null
    cat >"$work/slurm.conf" <<CONF
ClusterName=rdg
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
CryptoType=crypto/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
ReturnToService=2
MpiDefault=none
KillWait=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=$memory
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP GraceTime=10
CONF
    export SLURM_CONF=$work/slurm.conf
    slurmctld -D >"$work/slurmctld.out" 2>&1 &
    started+=($!)
    slurmd -D >"$work/slurmd.out" 2>&1 &
    started+=($!)
    for _ in $(seq 100); do
        if sinfo -h -o %T 2>/dev/null | grep -q idle; then
            return 0
        fi
        sleep 0.3
    done
    return 1
}

with_slurm() {
    local array
    cd "$work"
    export RDG=$rdg RDG_CONFIG=$work/array.toml RDG_APP_CONFIG=$work/app.toml
    array=$(sbatch --parsable --array=1-4 --cpus-per-task=1 --time=10 "$root/examples/slurm/array.sh")
    array=${array%%;*}
    # One is requeued while it plays: SIGTERM, and later the same command again.
    for _ in $(seq 100); do
        [ -e "$work/array/shard_2_of_4/games_20/games_state.json" ] && break
        sleep 0.1
    done
    scontrol requeue "${array}_2" || true
    for _ in $(seq 400); do
        for job in $(squeue -h -o '%A %r' -j "$array" -t PENDING 2>/dev/null |
            awk '/BeginTime/ { print $1 }'); do
            scontrol update "JobId=$job" StartTime=now 2>/dev/null || true
        done
        if [ -z "$(squeue -h -j "$array" 2>/dev/null)" ]; then
            break
        fi
        sleep 0.5
    done
    RDG_SHARDS=$work/array RDG_MERGED=$work/merged sbatch --wait --cpus-per-task=1 --time=10 \
        "$root/examples/slurm/merge.sh"
    cat "$work"/rdg_merge_*.log
    compare
    echo "an array of four on Slurm, shard 2 begun $(grep -c ' start ' "rdg_${array}_2.log") times: the same bytes"
}

if ! has_slurm; then
    echo "no Slurm here (root and the packages slurmctld, slurmd, slurm-client, munge); its variables \
and signals are set by hand"
    without_slurm
elif start_slurm; then
    with_slurm
else
    echo "Slurm does not start here; its variables and signals are set by hand" >&2
    tail -n 5 "$work"/slurm*.log "$work"/slurm*.out >&2 || true
    without_slurm
fi
