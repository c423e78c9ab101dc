#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# The page of --html in a browser, headless and without a network: page.js says what must hold. Needs
# Chromium, Node.js, and the driver that scripts/browser.sh puts into build/npm. With sanitizers the pages are made, but
# not looked at: the browser has none, and sees the same.
. tests/cli/lib.bash
. tests/cuda/lib.bash

not_run() {
    echo "NOT RUN: $*"
    exit 0
}
node=$(command -v node || command -v nodejs) || not_run "there is no Node.js"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || not_run "there is no Chromium"
[[ -d build/npm/node_modules/playwright-core ]] || not_run "there is no playwright-core in build/npm (scripts/browser.sh, which make test runs, could not install it)"

page() { # NAME ARGS...: pages/NAME.html, and NAME.json as printed
    local name=$1
    shift
    t 0 "$@" --json --html "$pages/$name.html" # ARGS with `--` bring these themselves
    cp "$tmp/out" "$pages/$name.json"
}
program() { # NAME COMMAND... -- PROGRAM...
    local name=$1 command=()
    shift
    while [[ $1 != -- ]]; do command+=("$1"); shift; done
    t 0 "${command[@]}" --json --html "$pages/$name.html" "$@"
    cp "$tmp/out" "$pages/$name.json"
}
pages=$tmp/pages
mkdir "$pages"
# A program with an optimum below the default, and others; with sanitizers smaller ones.
other=nbf kernels=backprop launches=bfs
[[ ! $sanitized ]] || { other=ssc kernels=vecadd launches=ssc; }
page run run vecadd --interval 100 --per-core
page launches run $launches --interval 200
page hot run tests/data/hot/hot.cfg --hot
page hot_kernels run backprop --hot
page functional run vecadd --functional
page search search $other
page perturbed search $kernels --perturbed 2
page kernels sample backprop
page sample sample $other
page other sample vecadd --model yen2014
page schedulers compare $other vecadd --warp-schedulers gto,lrr,two-level --cta-schedulers static,n=2,n=1
page compare compare $other vecadd --effort window
${CC:-gcc} -I. -DPTX='"tests/cuda/host.ptx"' -o "$tmp/host" tests/cuda/host.c "$lib/libcudart.so.13" || fail "host.c does not compile"
program p_sample sample -- "$tmp/host" compute
program p_search search -- "$tmp/host" compute
program p_perturbed search --perturbed 2 -- "$tmp/host" compute
program p_run run -- "$tmp/host" compute
program p_hot run --hot -- "$tmp/host" compute
${CC:-gcc} -g -I. -DPTX='"tests/data/hot/hot.ptx"' -o "$tmp/blocks" tests/cuda/hot.c "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 ||
    fail "hot.c does not compile"
program p_blocks run --hot -- "$tmp/blocks"
program p_devices run --hot --devices 2 -- "$tmp/blocks" 2
program p_rejected sample -- "$tmp/host" rejected
t 1 run nbf --max-cycles 5000 --json --html "$pages/stopped.html"; cp "$tmp/out" "$pages/stopped.json"
# Names that would be markup, or end the element that the JSON stands in.
evil='<img src=x onerror="window.hit=1">&amp;'
cp "$tmp/host" "$tmp/$evil"
program hostile sample -- "$tmp/$evil" compute '</script><script>window.hit=2</script><!--'
cp tests/data/textures/*.ptx "$tmp"; cp tests/data/textures/launch.cfg "$tmp/<b onmouseover=alert(1)>.cfg"
page hostile_target search "$tmp/<b onmouseover=alert(1)>.cfg"

# The library is what its makers built, in the versions of the lock file; that names no place to
# download from.
at=build/npm/node_modules
cmp $at/d3/dist/d3.min.js report/vendor/d3.min.js || fail "D3 is another one (scripts/vendor_report.sh)"
cmp $at/@observablehq/plot/dist/plot.umd.min.js report/vendor/plot.umd.min.js || fail "Plot is another one (scripts/vendor_report.sh)"
! grep -qE '"resolved"|registry' report/package-lock.json || fail "the lock file names a place to download from"

[[ ! $sanitized ]] || { echo "with sanitizers the pages are made, but not looked at"; exit $bad; }
NODE_PATH=build/npm/node_modules timeout 300 "$node" tests/report/page.js "$chromium" "$pages" || bad=1
exit $bad
