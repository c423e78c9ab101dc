#!/bin/bash
# A task of the job array that sweep.sh submits: MDPREDICT FOLDER SHARDS COMMAND ARGUMENT...
set -uo pipefail
mdpredict=$1 folder=$2 shards=$3
shift 3
i=$SLURM_ARRAY_TASK_ID
"$mdpredict" "$@" --shard "$i/$shards" --db "$folder/$i.db" -j "${SLURM_CPUS_PER_TASK:-1}" &&
    touch "$folder/$i.done"
