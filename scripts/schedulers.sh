#!/bin/bash
# Makes data/results/: the schedulers of four papers, on their GPUs, over the bundled applications of
# their suites. data/results/tables.cfg says what each table is made of.
#   scripts/schedulers.sh [TABLE]...   all tables, or these
# What was simulated is kept in build/schedulers/: stop it at any time, start it again, and only what is
# missing runs. After a change of the simulator all begins anew, unless KEEP=1 says that the change
# cannot show. SIZE=small for a look (the results that are committed are of medium); JOBS: simulations
# at a time (default: one a host core).
set -euo pipefail
cd "$(dirname "$0")/.."

size=${SIZE:-medium}
jobs=${JOBS:-$(nproc)}
kept=build/schedulers
out=data/results
wanted=("$@")
failed=()

version=$(git ls-files -z base sim data/gpus data/workloads | xargs -0 cat | sha1sum | cut -c1-12)
if [[ -z ${KEEP:-} && -e $kept/version && $(<"$kept/version") != "$version" ]]; then
    rm -rf "$kept"
fi
mkdir -p "$kept/new"
echo "$version" >"$kept/version"

# What was simulated: results that are not committed yet are no change of it.
revision() {
    local changed=
    git diff --quiet HEAD -- . ":!$out" || changed=-dirty
    echo "$(git describe --always --abbrev=12)$changed"
}

is_wanted() {
    local w
    [[ ${#wanted[@]} -gt 0 ]] || return 0
    for w in "${wanted[@]}"; do [[ $w != "$1" ]] || return 0; done
    return 1
}

# A launch file of one CTA of 4 warps: kernel phases_NAME has three phases of so many additions, each
# of which begins with what the last one's load brings; launched twenty times.
phases() {
    local dir=$kept/$1
    shift
    mkdir -p "$dir"
    awk -v lengths="$*" 'BEGIN {
        phases = split(lengths, n, " ")
        print ".version 3.0\n.target sm_20\n.address_size 64\n.visible .entry phases(.param .u64 p)\n{"
        print ".reg .b32 %r<32>; .reg .b64 %rd<4>;"
        print "ld.param.u64 %rd1, [p]; mov.u32 %r10, %tid.x; mul.wide.u32 %rd2, %r10, 4;"
        print "add.s64 %rd3, %rd1, %rd2; mov.u32 %r20, 0;"
        for (i = 1; i <= phases; i++) {
            if (i > 1) printf "add.s32 %%r20, %%r20, %%r%d;\n", i
            for (k = 0; k < n[i]; k++) print "add.s32 %r20, %r20, 1;"
            if (i < phases) printf "ld.global.u32 %%r%d, [%%rd3+%d];\n", i + 1, i * 4096
        }
        print "st.global.u32 [%rd3+65536], %r20; ret;\n}"
    }' >"$dir/phases.ptx"
    {
        echo 'module = "phases.ptx";'
        echo 'buffers = ( { name = "p"; bytes = 131072; zero = true; } );'
        echo 'launches = ('
        local launch='{ kernel = "phases"; grid = [1, 1, 1]; block = [128, 1, 1]; args = ( { buffer = "p"; } ); }' i
        for ((i = 1; i < 20; i++)); do echo "$launch,"; done # the first ones fetch the code
        echo "$launch );"
    } >"$dir/launch.cfg"
}

# NAME CTAS THREADS MORE: so many CTAs that only add, in a loop of 200 turns; the odd ones, which are those
# that go to core 1 of two first, have MORE turns.
additions() {
    mkdir -p "$kept/$1"
    cat >"$kept/$1/additions.ptx" <<END
.version 3.0
.target sm_20
.address_size 64
.visible .entry $1(.param .u64 p)
{
.reg .b32 %r<8>; .reg .pred %q;
mov.u32 %r2, %ctaid.x; and.b32 %r4, %r2, 1; mad.lo.u32 %r5, %r4, $4, 200; mov.u32 %r6, 0;
LOOP: add.u32 %r6, %r6, 1; setp.lt.u32 %q, %r6, %r5; @%q bra LOOP;
ret;
}
END
    cat >"$kept/$1/launch.cfg" <<END
module = "additions.ptx";
buffers = ( { name = "p"; bytes = 128; zero = true; } );
launches = ( { kernel = "$1"; grid = [$2, 1, 1]; block = [$3, 1, 1]; args = ( { buffer = "p"; } ); } );
END
}

# NAMES...: these columns of a CSV file without quotes, their values alone
columns() {
    awk -F, -v names="$*" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (k = 1; k <= n; k++) printf("%s%s", (k > 1 ? "," : ""), ((want[k] in at) ? $at[want[k]] : "")); print "" }'
}

# Finishes a table: what is there stays if it could not be made. revisions.csv says by which revision each was.
finish() {
    if [[ $2 == 0 ]]; then
        mv "$kept/new/$1.csv" "$out/$1.csv"
        {
            echo "table,revision"
            { awk -F, -v name="$1" 'NR > 1 && $1 != name' "$out/revisions.csv" && echo "$1,$(revision)"; } | LC_ALL=C sort
        } >"$kept/revisions.csv"
        cp "$kept/revisions.csv" "$out/revisions.csv"
        echo "$1: done"
    else
        failed+=("$1")
        echo "$1: not made" >&2
    fi
}

# The tables that are comparisons; the runs of all of them are kept in one file.
compare_tables() {
    local name comparisons
    while IFS=, read -r name comparisons; do
        if [[ $comparisons == 0 ]] || ! is_wanted "$name"; then continue; fi
        if ./mdpredict figure "$name" --runs "$kept/$size.csv" --size "$size" -j "$jobs" -o "$kept/new/$name.csv" </dev/null; then
            finish "$name" 0
        else
            finish "$name" 1
        fi
    done < <(./mdpredict figure --list --csv | columns name comparisons)
}

k6() {
    local n
    echo "CTAs a core,both: core cycles,core 0: share of them with a CTA,core 1: share of them with a CTA"
    for n in 4 2 1; do
        ./mdpredict run "$kept/unequal/launch.cfg" -g kayiran2013-gpgpusim212 --set cores=2 --set cluster_size=1 -n "$n" \
            --json --per-core -o "$kept/unequal.json" || return 1
        awk -v n="$n" -F'[:,]' '
            /"cycles"/ && !cycles { cycles = $2 + 0 }
            /"busy_core_cycles"/ { busy[++k] = $2 + 0 }
            END { printf "%d,%d,%.3f,%.3f\n", n, cycles, busy[k - 1] / cycles, busy[k] / cycles }' "$kept/unequal.json"
    done
}

# The same as a timeline: CTAs on each core, in the mean of each twentieth of the longest run. A run
# that is stopped says what there was until then.
k6_time() {
    local n end part=15500 n_parts=()
    for n in 4 2 1; do
        echo "n=$n: CTAs on core 0,n=$n: CTAs on core 1" >"$kept/unequal.$n"
        for ((end = part; end <= 20 * part; end += part)); do
            rm -f "$kept/unequal.json"
            ./mdpredict run "$kept/unequal/launch.cfg" -g kayiran2013-gpgpusim212 --set cores=2 --set cluster_size=1 \
                -n "$n" --max-cycles "$end" --json --per-core -o "$kept/unequal.json" 2>"$kept/unequal.err" ||
                grep -q max-cycles "$kept/unequal.err" || return 1
            awk -F'[:,]' '/"resident_cta_cycles"/ { all[++k] = $2 + 0 } END { print all[k - 1], all[k] }' "$kept/unequal.json"
        done | awk -v part="$part" '{ printf "%.2f,%.2f\n", ($1 - a) / part, ($2 - b) / part; a = $1; b = $2 }' >>"$kept/unequal.$n"
        n_parts+=("$kept/unequal.$n")
    done
    paste -d, <(echo "core cycles"; seq "$part" "$part" $((20 * part))) "${n_parts[@]}"
}

# n and RACT in the middle of each twentieth of an application's run: intervals end where launches do.
# After its last CTA was handed out a core's limit means nothing.
k8() {
    local app cycles parts=()
    for app in sad jpeg ray fft; do
        cycles=$(./mdpredict run "$app:$size" -g kayiran2013-gpgpusim212 --cta-scheduler dyncta --csv | columns cycles) || return 1
        ./mdpredict run "$app:$size" -g kayiran2013-gpgpusim212 --cta-scheduler dyncta --interval $((cycles / 20 + 1)) \
            --interval-out "$kept/$app.csv" --csv -o /dev/null || return 1
        columns cycles mean_n RACT <"$kept/$app.csv" | awk -F, -v app="$app" -v all="$cycles" '
            BEGIN { print app ": n," app ": RACT" }
            { for (at += $1; part < 20 && at >= (part + 0.5) * all / 20; part++) printf "%s,%.3f\n", ($2 > 0 ? sprintf("%.2f", $2) : ""), $3 }' \
            >"$kept/$app.parts"
        parts+=("$kept/$app.parts")
    done
    paste -d, <(echo "% of the run"; seq 5 5 100) "${parts[@]}"
}

p_points() {
    local workload kernel paper points ours
    echo "application,kernel,here: program points,in the paper: program points,its kernel"
    while IFS=, read -r workload kernel paper points; do
        [[ $workload != workload ]] || continue
        ours=$(./mdpredict disasm "$workload" --points -g park2015 --csv |
            awk -F, -v k="$kernel" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                $at["kernel"] == k { print $at["program_points"] }') || return 1
        echo "$workload,$kernel,$ours,$points,$paper"
    done <data/papers/park2015-table2.csv
}

# Of data/gpus/park2015.cfg: 1536 threads are 48 warps; a program point has a valid and a branch bit,
# an address of 32 bits and a score; an entry of the queue is 301 bits in the paper.
p_storage() {
    local points score
    points=$(./mdpredict list parameters -g park2015 --csv | awk -F, '$2 == "elf.program_points" { print $3 }')
    score=$(./mdpredict list parameters -g park2015 --csv | awk -F, '$2 == "elf.score_bits" { print $3 }')
    [[ -n $points && -n $score ]] || return 1
    awk -v points="$points" -v score="$score" 'BEGIN {
        print "structure,bits an entry,entries,here: kB,in the paper: kB"
        printf "priority calculator,%d,%d,%.2f,0.16\n", 34 + score, points, (34 + score) * points / 8192
        printf "warp priority table,%d,48,%.2f,0.05\n", score, score * 48 / 8192
        printf "NewCAR,301,32,%.2f,1.18\n", 301 * 32 / 8192
        printf "all,,,%.2f,1.39\n", ((34 + score) * points + score * 48 + 301 * 32) / 8192 }'
}

plain_tables() {
    local name
    for name in k6 k6-time k8 p-points p-storage; do
        is_wanted "$name" || continue
        if "${name//-/_}" >"$kept/new/$name.csv" 2>"$kept/$name.err"; then
            finish "$name" 0
        else
            cat "$kept/$name.err" >&2
            finish "$name" 1
        fi
    done
}

# The revision of most tables, in brackets those of the others.
revisions() {
    awk -F, 'NR > 1 { if (!n[$2]++) seen[++revisions] = $2
                      of[$2] = of[$2] (of[$2] ? ", " : "") $1
                      if (n[$2] > top) { top = n[$2]; most = $2 } }
        END { printf "%s", most
              for (i = 1; i <= revisions; i++) if (seen[i] != most) printf " (%s: %s)", of[seen[i]], seen[i] }' "$out/revisions.csv"
}

page() {
    cat <<END
# The schedulers of four papers, on the bundled applications

Made by \`make schedulers\` at revision $(revisions), applications at size $size.
[docs/schedulers.md](../../docs/schedulers.md) explains the schedulers; [tables.cfg](tables.cfg) has the command
behind each table: \`mdpredict compare\` with its \`args\`. Values in brackets are those that the papers' texts
state ([data/papers/schedulers.csv](../papers/schedulers.csv), with the place); their means are over the papers'
own applications. Below a table: what a paper says beside numbers, and why ours differs where it does
([remarks.csv](remarks.csv)).
END
    local name made
    while IFS=, read -r name made; do
        echo
        if [[ $made == there ]]; then
            ./mdpredict figure "$name" || return 1
        else
            printf '## %s\n\nNot made yet: scripts/schedulers.sh %s.\n' "$name" "$name"
        fi
    done < <(./mdpredict figure --list --csv | columns name table)
}

phases short-long 31 11 39
phases long-short 31 39 11
additions unequal 8 256 600
additions equal 48 64 0
compare_tables
plain_tables
page >"$kept/README.md"
cp "$kept/README.md" "$out/README.md"
[[ ${#failed[@]} == 0 ]] || { echo "not made: ${failed[*]}" >&2; exit 1; }
