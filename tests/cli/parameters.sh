#!/usr/bin/env bash
# Every parameter of a GPU is changed by a test that knows what follows from it: the suites of
# parameters (and a few others) name it as NAME=VALUE; tables of operation classes name the class;
# the rest have the test that is listed here.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
tests=$(dirname "$0")/..
declare -A pinned=(
    [cluster_size]='icnt/t_concentrator.c a_port_takes_one_packet_a_cycle'
    [icnt.topology]='icnt/t_net.c a_mesh_takes_a_cycle_a_hop'
    [icnt.eject_rate]='icnt/t_xbar.c flits_leave_the_ejection_buffer_at_its_rate'
    [dram.most_passes]='mem/t_dram_sched.c frfcfs_lets_no_row_wait_for_ever'
    [dram.most_columns]='mem/t_dram.c reads_without_end_let_a_write_pass'
    [dram.scheduler]='mem/t_dram_sched.c fcfs_keeps_the_order_of_arrival'
    [independent_threads]='func/t_split.c a_reconvergence_stack_runs_one_side_after_the_other'
    [warp_scheduler]='sm/t_policies.c gto_is_greedy_then_oldest'
)

t 0 list parameters
n=0
while read -r name _; do
    n=$((n + 1))
    if [[ -n ${pinned[$name]:-} ]]; then
        read -r file what <<<"${pinned[$name]}"
        grep -q "T($what)" "$tests/$file" || fail "$name: no test $what in tests/$file"
        continue
    fi
    case $name in
    latency.* | interval.*)
        grep -q "{\"${name#*.}\", " "$tests/sm/t_sm_params.c" || fail "$name: no class in a table"
        continue
        ;;
    esac
    grep -rqE "[\" ]${name//./\\.}=" "$tests" --include='t_*.c' || fail "$name: changed by no test"
done <"$tmp/out"
[[ $n -gt 100 ]] || fail "only $n parameters listed"
exit $bad
