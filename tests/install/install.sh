#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# What `make install` puts into a folder works from there, whatever the folder is called and wherever one stands:
# the program, programs under it, the library through pkg-config; `make uninstall` leaves nothing.
. tests/install/lib.bash
here=$PWD
mdpredict=$root$prefix/bin/mdpredict

# Data are found beside the program; nothing names the folder that it was staged in.
cd /
t 0 --version; shows "mdpredict $version ("
t 0 list gpus; shows yen2014; quiet
t 0 sample vecadd --effort window --json; shows '"chosen_n": '
t 0 figure --list; shows Kayiran
cd "$here" || exit 1
! grep -rlF "$root" "$root$prefix/bin" "$root$prefix/include" "$root$prefix/lib/pkgconfig" "$root$prefix/share" ||
    fail "an installed file names DESTDIR"
[[ -x $root$prefix/lib/mdpredict/slurm/sweep.sh ]] || fail "no sweep.sh"

# The commands that tell people what there is; the shells' scripts are in their places.
t 0 version; shows "mdpredict $version ("
t 0 help; cp "$tmp/out" "$tmp/help"
t 0 help sample; shows "--effort"
t 2 verison; says "did you mean version?"
t 2 help sampel; says "did you mean sample?"
for file in bash-completion/completions/mdpredict zsh/vendor-completions/_mdpredict fish/vendor_completions.d/mdpredict.fish; do
    [[ -s $root$prefix/share/$file ]] || fail "no $file"
done

# A CUDA program finds the stand-ins; with sanitizers their runtime has to come first in it (tests/cuda/lib.bash).
"${CC:-gcc}" -g -I. -DPTX='"tests/cuda/host.ptx"' -o "$tmp/host" tests/cuda/host.c "$root$prefix/lib/mdpredict/libcudart.so.13" ||
    fail "host.c does not compile"
[[ ! $san ]] || export ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$runtime
t 0 run --json -- "$tmp/host" compute; shows '"launches": 3,'
[[ ! $san ]] || unset ASAN_OPTIONS LD_PRELOAD

# The library exports its header's functions and nothing else, under its soname.
lib=$root$prefix/lib/libmdpredict.so
objdump -p "$lib" | grep -q 'SONAME *libmdpredict.so.0$' || fail "another soname"
[[ $(readlink -f "$lib") == $root$prefix/lib/libmdpredict.so.$version ]] || fail "libmdpredict.so leads elsewhere"
nm -D --defined-only "$lib" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$tmp/exported"
grep -oE '\bmdpredict_[a-z_]+\(' "$root$prefix/include/mdpredict.h" | tr -d '(' | sort -u >"$tmp/declared"
[[ $san ]] || diff "$tmp/declared" "$tmp/exported" || fail "the header and the library differ"

# The example, and every call, by pkg-config.
export PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$root$prefix/lib
build_it() { # NAME SOURCE
    # shellcheck disable=SC2046,SC2086 # flags
    "${CC:-gcc}" -Wall -Wextra -Werror $san -o "$tmp/$1" "$2" $(pkg-config --cflags --libs mdpredict) -lm ||
        fail "$2 does not compile"
}
[[ $(pkg-config --modversion mdpredict) == "$version" ]] || fail "pkg-config: another version"
build_it example "$root$prefix/share/doc/mdpredict/docs/example.c"
(cd / && "$tmp/example") >"$tmp/out" || fail "the example fails"
shows "n = 6 of 6: IPC "; shows "x[7] = 3.5"
build_it calls tests/install/calls.c
"$tmp/calls" tests/install/scale.ptx tests/cuda/barrier.ptx >"$tmp/out" || { fail "calls.c"; cat "$tmp/out"; }
cycles=$(awk '{ print $NF }' "$tmp/out")
# What the program says of the same launch.
cat >"$tmp/scale.cfg" <<CFG
module = "$here/tests/install/scale.ptx";
buffers = ( { name = "x"; bytes = 65536; zero = true; } );
launches = ( { kernel = "scale"; grid = [64, 1, 1]; block = [256, 1, 1]; args = ( { buffer = "x"; }, { f32 = 3.0; } ); } );
CFG
t 0 run --set l1d.size=16KB --json "$tmp/scale.cfg"
[[ $(json cycles) == "$cycles" ]] || fail "the library: $cycles cycles, the program: $(json cycles)"
# A C++ program takes the header as well.
printf '#include <mdpredict.h>\nint main() { return !*mdpredict_version(); }\n' >"$tmp/x.cpp"
if command -v g++ >/dev/null; then
    # shellcheck disable=SC2046,SC2086 # flags
    g++ -Wall -Werror $san -o "$tmp/x" "$tmp/x.cpp" $(pkg-config --cflags --libs mdpredict) || fail "C++"
    "$tmp/x" || fail "C++: exit code $?"
fi

scripts/install.sh --remove "$build" "$version" "$prefix" "$root"
left=$(find "$root" ! -type d)
[[ -z $left ]] || fail "uninstall leaves $left"
exit "$bad"
