#!/bin/bash
# Runs a sweep of `mdpredict profile` or `mdpredict search` as a Slurm job array, a shard a task, and
# merges the shards' databases:
#   scripts/slurm/sweep.sh -n SHARDS -o DATABASE [-t TRIES] [-f FOLDER] profile|search ARGUMENT...
# It waits until the array has ended, submits again what failed (3 times at most, or TRIES), then
# merges. Every result is in its shard's database as soon as it is there, so a task that is killed
# loses what was running; start the same command again to go on. FOLDER (DATABASE.shards) holds the
# shards and their logs; all nodes must see it. Partition, account and time limit: Slurm's own
# variables, SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT; CPUs a task: CPUS (1).
#   scripts/slurm/sweep.sh -n 40 -o profiles.db profile --size medium --l1d 8,16,32,64,128
set -euo pipefail

usage() {
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2
    exit 2
}

shards='' out='' tries=3 folder=''
while getopts n:o:t:f:h option; do
    case $option in
    n) shards=$OPTARG ;;
    o) out=$OPTARG ;;
    t) tries=$OPTARG ;;
    f) folder=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[[ $shards =~ ^[1-9][0-9]*$ && $tries =~ ^[1-9][0-9]*$ && -n $out && ${1:-} =~ ^(profile|search)$ ]] || usage
for word in "$@"; do
    case $word in
    --db | --db=* | --shard | --shard=* | -j* | --jobs | --jobs=*)
        echo "sweep.sh: $word is given by this script: see -o, -n and CPUS" >&2
        exit 2
        ;;
    esac
done
command -v sbatch >/dev/null || {
    echo "sweep.sh: there is no sbatch here: this needs Slurm" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
built=$here/../../mdpredict installed=$here/../../../bin/mdpredict
mdpredict=${MDPREDICT:-$([[ -f $built ]] && echo "$built" || echo "$installed")}
[[ -f $mdpredict && -x $mdpredict ]] || {
    echo "sweep.sh: $mdpredict is not there: run make, or set MDPREDICT" >&2
    exit 1
}
mdpredict=$(realpath "$mdpredict")
folder=$(realpath -m "${folder:-$out.shards}")
mkdir -p "$folder"
what=$(printf '%q ' "$shards" "$@")
if [[ -e $folder/sweep && $(<"$folder/sweep") != "$what" ]]; then
    echo "sweep.sh: $folder holds another sweep: $(<"$folder/sweep")" >&2
    exit 1
fi
printf '%s\n' "$what" >"$folder/sweep"

# The shards that are not done, with commas between them.
missing() {
    local i list=''
    for ((i = 1; i <= shards; i++)); do
        [[ -e $folder/$i.done ]] || list+=${list:+,}$i
    done
    echo "$list"
}

for ((try = 1; try <= tries; try++)); do
    left=$(missing)
    [[ -n $left ]] || break
    echo "sweep.sh: try $try of $tries: shards $left"
    # What sbatch says of failed tasks is seen by what is missing afterwards.
    job=$(sbatch --parsable --wait --requeue --job-name=mdpredict --array="$left" \
        --cpus-per-task="${CPUS:-1}" --output="$folder/%a.log" --open-mode=append \
        "$here/shard.sh" "$mdpredict" "$folder" "$shards" "$@") || true
    [[ -n $job ]] || {
        echo "sweep.sh: sbatch did not take the job" >&2
        exit 1
    }
done
left=$(missing)
if [[ -n $left ]]; then
    echo "sweep.sh: failed $tries times: shards $left; see $folder/*.log" >&2
    exit 1
fi
parts=()
for ((i = 1; i <= shards; i++)); do
    parts+=("$folder/$i.db")
done
"$mdpredict" merge "${parts[@]}" --db "$out"
echo "sweep.sh: $shards shards are in $out"
