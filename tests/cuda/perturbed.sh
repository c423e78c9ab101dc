#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# search --perturbed, compare --perturbed of a program: each run is one that --set partition.rop_latency makes.
. tests/cli/lib.bash
. tests/cuda/lib.bash
"${CC:-gcc}" -g -I. -DPTX='"tests/data/blocks/reread.ptx"' -o "$tmp/reread" tests/cuda/blocks.c "$lib/libcudart.so.13" ||
    fail "blocks.c does not compile"
at() { printf 'partition.rop_latency=%d' $((50 + $1)); }

t 0 search -j 2 --set "$(at 0)" --perturbed 2 --json -- "$tmp/reread"
mv "$tmp/out" "$tmp/perturbed"
for by in 0 1 -1; do
    t 0 search -j 2 --set "$(at $by)" --json -- "$tmp/reread"
    mv "$tmp/out" "$tmp/by$by"
done
python3 - "$tmp/perturbed" "$tmp/by0" "$tmp/by1" "$tmp/by-1" <<'PY' || fail "the runs are others, or their means"
import json, statistics, sys
def kernel(path):
    text = open(path).read() # the program's own lines come first
    return json.loads(text[text.index("{"):])["kernels"][0]
have, *runs = [kernel(path) for path in sys.argv[1:]]
near = lambda a, b: all(abs(x - y) <= 1e-9 * abs(y) for x, y in zip(a, b, strict=True))
means = [len(runs) / sum(1 / x for x in ipc) for ipc in zip(*(r["ipc"] for r in runs))]
assert have["ipc"] == runs[0]["ipc"] and have["degrees"] == runs[0]["degrees"]
assert [r["perturbation"] for r in have["perturbed"]] == [1, -1]
assert [r["ipc"] for r in have["perturbed"]] == [r["ipc"] for r in runs[1:]]
assert near(have["mean_ipc"], means)
assert near(have["ipc_deviation"], [statistics.stdev(ipc) for ipc in zip(*(r["ipc"] for r in runs))])
assert max(means) == means[have["optimum_n"] - 1] or near([max(means)], [means[have["optimum_n"] - 1]])
# That of the one run is another: this test would not see which is taken.
assert runs[0]["ipc"].index(max(runs[0]["ipc"])) + 1 != have["optimum_n"], runs[0]["ipc"]
PY

# compare judges by the means; what an answer and a search cost is without the further runs.
t 0 compare -j 2 --set "$(at 0)" --perturbed 2 --json -- "$tmp/reread"
python3 - "$tmp/out" <<'PY' || fail "compare does not judge by the means"
import json, sys
text = open(sys.argv[1]).read()
r = json.loads(text[text.index("{"):])
k = r["kernels"][0]
assert abs(k["kept"] - k["mean_ipc"][k["chosen_n"] - 1] / max(k["mean_ipc"])) < 1e-9
assert k["gain"] == k["mean_ipc"][k["chosen_n"] - 1] / k["mean_ipc"][-1] - 1
PY
t 0 compare -j 2 --set "$(at 0)" --perturbed 2 -- "$tmp/reread"
shows "what those of one degree differ"; shows "Mean IPC of the whole program against n"
grep -qE '^n +0 +\+1 +-1 +mean  deviation +kept$' "$tmp/out" || fail "no table of the runs"
t 0 compare -j 2 --set "$(at 0)" -- "$tmp/reread"
grep -q "chance\|Mean IPC" "$tmp/out" && fail "without --perturbed there are perturbed runs"
t 2 sample --perturbed 1 -- "$tmp/reread"; says "sample does not take --perturbed"
exit $bad
