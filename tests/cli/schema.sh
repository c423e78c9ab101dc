#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# data/schema.json is made from the program's tables of keys, and every command's JSON conforms to it; what does
# not conform is refused, so that the schema says something.
. tests/cli/lib.bash
. tests/cuda/lib.bash
python3 -c 'import jsonschema' 2>/dev/null || { echo "NOT RUN: there is no jsonschema for Python here"; exit 0; }
scripts/schema.py --check "$mdpredict" data/schema.json || fail "the schema is not the program's"
sed 's/"chosen_n"/"chosen_m"/' data/schema.json >"$tmp/other.json"
scripts/schema.py --check "$mdpredict" "$tmp/other.json" 2>/dev/null && fail "a schema that lacks a key passes"

mkdir "$tmp/results"
n=0
result() { # COMMAND...: its JSON is kept, to be looked at with the others
    n=$((n + 1))
    t 0 "$@"
    cp "$tmp/out" "$tmp/results/$n.json"
    echo "$*" >"$tmp/results/$n.command"
}
result list --json
for topic in workloads parameters keys; do result list $topic --json; done
result run vecadd --json --per-core --interval 1000
result run vecadd --json --functional
result run tests/data/hot/hot.cfg --json --hot
result run vecadd --json --race
t 1 run tests/data/race/shift.cfg --json --race
cp "$tmp/out" "$tmp/results/race.json"
echo "run --race" >"$tmp/results/race.command"
for scheduler in elf++ gto+car ccws paws; do result run vecadd --json --warp-scheduler $scheduler; done
result run vecadd --json --cta-scheduler dyncta
result search vecadd --json --perturbed 1
for model in bottleneck yen2014 segmented pilots; do result sample nbf --json --explain --counters --model $model; done
result sample bfs --json --effort window
result compare vecadd --json
result compare vecadd --json --warp-schedulers gto,lrr --cta-schedulers static,n=1
for more in "" --phases --points; do result disasm vecadd --json ${more:+"$more"}; done
result figure --list --json
"${CC:-gcc}" -g -I. -DPTX='"tests/cuda/host.ptx"' -o "$tmp/host" tests/cuda/host.c "$lib/libcudart.so.13" || fail "host.c"
for command in run search sample compare; do result $command --json -- "$tmp/host" compute; done
result compare --json --warp-schedulers gto,lrr -- "$tmp/host" compute
[[ $n -ge 28 ]] || fail "only $n results"

python3 - "$tmp/results" <<'PY' || fail "what commands print does not conform to data/schema.json"
import copy
import glob
import json
import sys
from jsonschema import Draft202012Validator

schema = json.load(open("data/schema.json", encoding="utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
bad = 0
for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
    if not validator.is_valid(json.load(open(path, encoding="utf-8"))):
        print("does not conform:", open(path.replace(".json", ".command"), encoding="utf-8").read().strip())
        bad = 1
    if "sample nbf" in open(path.replace(".json", ".command"), encoding="utf-8").read():
        right = json.load(open(path, encoding="utf-8"))
wrong = [{**right, "nosuch": 1}, {**right, "chosen_n": "5"}, {**right, "target": 5}, {**right, "schema_version": 2},
         {k: v for k, v in right.items() if k != "schema_version"}, {**right, "kernels": 1}, 7, [7]]
deep = copy.deepcopy(right)
deep["kernels"][0]["nosuch"] = 1
for document in wrong + [deep]:
    if validator.is_valid(document):
        print("conforms, but must not:", json.dumps(document)[:100])
        bad = 1
sys.exit(bad)
PY
exit "$bad"
