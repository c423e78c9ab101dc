#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2317 # lib.bash is sourced and sets variables; stop is called by a trap
# scripts/slurm/sweep.sh on a Slurm of one machine that is started here: the database is that of one
# process, though a shard is killed and one fails.
. tests/cli/lib.bash

not_run() {
    echo "NOT RUN: $*"
    exit 0
}
for program in slurmctld slurmd munged sbatch; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || not_run "no $program here (Debian: slurm-wlm, munge)"
done
[[ $(id -u) == 0 ]] || not_run "Slurm's daemons want to be started by root"

export SLURM_CONF=$tmp/slurm.conf PATH=$PATH:/usr/sbin
port=$((20000 + $$ % 20000 * 2)) host=$(hostname -s)
stop() {
    local pid pids=()
    for pid in "$tmp"/{slurmctld,slurmd,munge/munged}.pid; do
        [[ ! -e $pid ]] || pids+=("$(<"$pid")")
    done
    for ((i = 0; i < 20; i++)); do
        if ! kill "${pids[@]}" 2>/dev/null; then break; fi
        sleep 0.5
    done
    rm -rf "$tmp"
}
trap stop EXIT

mkdir "$tmp/munge" "$tmp/state" "$tmp/spool"
chmod 755 "$tmp"
chmod 700 "$tmp/munge"
head -c 64 /dev/urandom >"$tmp/munge/key"
chmod 600 "$tmp/munge/key"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$tmp/munge.socket
CredType=cred/munge
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/slurmctld.log
SlurmdLogFile=$tmp/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
munged --force --key-file="$tmp/munge/key" --socket="$tmp/munge.socket" --pid-file="$tmp/munge/munged.pid" \
    --log-file="$tmp/munge/log" --seed-file="$tmp/munge/seed" >"$tmp/out" 2>&1 ||
    not_run "munged does not start: $(tail -n 1 "$tmp/out")"
slurmctld -c >"$tmp/out" 2>&1 || not_run "slurmctld does not start: $(tail -n 1 "$tmp/out")"
slurmd -c >"$tmp/out" 2>&1 || not_run "slurmd does not start: $(tail -n 1 "$tmp/out")"
for ((i = 0; i < 30; i++)); do
    [[ $(sinfo -h -o %t 2>/dev/null) == idle ]] && break
    sleep 1
done
[[ $(sinfo -h -o %t 2>/dev/null) == idle ]] || not_run "no node is idle: $(tail -n 1 "$tmp/slurmctld.log")"

# The first time shard 1 is killed once its first sample is recorded, and shard 2 fails.
cat >"$tmp/mdpredict" <<END
#!/bin/bash
if [[ "\$*" == *"--shard 2/3"* && ! -e $tmp/failed ]]; then
    touch "$tmp/failed"
    exit 1
elif [[ "\$*" == *"--shard 1/3"* && ! -e $tmp/killed ]]; then
    touch "$tmp/killed"
    "$(realpath "$mdpredict")" "\$@" --samples
    kill -KILL \$\$
fi
exec "$(realpath "$mdpredict")" "\$@"
END
chmod +x "$tmp/mdpredict"
sweep=(-n 3 -o "$tmp/sweep.db" profile vecadd vectoradd --l1d "8,32")
MDPREDICT=$tmp/mdpredict timeout 240 scripts/slurm/sweep.sh "${sweep[@]}" >"$tmp/out" 2>"$tmp/err" ||
    fail "the sweep failed: $(cat "$tmp/err" "$tmp"/sweep.db.shards/*.log)"
shows "try 1 of 3: shards 1,2,3"
shows "try 2 of 3: shards 1,2"
grep -q "try 3" "$tmp/out" && fail "a third try"
grep -q "samples: 0 done" "$tmp/sweep.db.shards/1.log" || fail "what shard 1 had recorded was run again"
t 0 export --db "$tmp/sweep.db"
mv "$tmp/out" "$tmp/swept.csv"
t 0 profile vecadd vectoradd --l1d 8,32 --db "$tmp/one.db"
t 0 export --db "$tmp/one.db"
cmp "$tmp/out" "$tmp/swept.csv" || fail "the sweep recorded other runs than one process does"

# Done already: nothing is submitted. Another sweep in the same folder is refused; so is nonsense.
MDPREDICT=$tmp/mdpredict scripts/slurm/sweep.sh "${sweep[@]}" >"$tmp/out" 2>"$tmp/err" || fail "the second time it failed"
grep -q try "$tmp/out" && fail "what was done is submitted again"
MDPREDICT=$tmp/mdpredict scripts/slurm/sweep.sh -n 2 -o "$tmp/sweep.db" profile vecadd >"$tmp/out" 2>"$tmp/err" &&
    fail "two sweeps in one folder"
says "holds another sweep: 3 profile vecadd vectoradd"
scripts/slurm/sweep.sh -n 0 -o "$tmp/x.db" profile >"$tmp/out" 2>"$tmp/err" && fail "no shard"
says "-n SHARDS"
scripts/slurm/sweep.sh -n 2 -o "$tmp/x.db" profile --db y >"$tmp/out" 2>"$tmp/err" && fail "a database of its own"
says "--db is given by this script"

# What fails every time is told, and nothing merged.
printf '#!/bin/bash\nexit 1\n' >"$tmp/mdpredict"
MDPREDICT=$tmp/mdpredict timeout 120 scripts/slurm/sweep.sh -n 2 -t 1 -o "$tmp/no.db" profile vecadd >"$tmp/out" 2>"$tmp/err" &&
    fail "failed shards are merged"
says "failed 1 times: shards 1,2"
[[ ! -e $tmp/no.db ]] || fail "a database of failed shards"
exit $bad
