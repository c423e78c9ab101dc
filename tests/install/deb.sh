#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# The Debian package: what is in it, what it depends on, no errors by lintian; unpacked elsewhere it works.
. tests/cli/lib.bash
for tool in dpkg-deb dpkg-shlibdeps strip; do
    command -v $tool >/dev/null || { echo "NOT RUN: there is no $tool here"; exit 0; }
done
build=$(dirname "$(realpath "$mdpredict")")
[[ -d $build/cuda ]] || build=$build/build
version=$("$mdpredict" --version | awk '{ print $2 }')
# Its own folder: other tests look at the build as well. How small the package gets is not looked at.
export DPKG_DEB_COMPRESSOR_LEVEL=0
mkdir "$tmp/build"
cp -a "$build/mdpredict" "$build"/libmdpredict.so* "$build/cuda" "$tmp/build"
! command -v help2man >/dev/null || scripts/man.sh "$tmp/build" "$version"
scripts/deb.sh "$tmp/build" "$version" >"$tmp/name" || fail "deb.sh: exit code $?"
deb=$(<"$tmp/name")
[[ $deb == *"/mdpredict_${version}_$(dpkg --print-architecture).deb" ]] || fail "the package is called $deb"

dpkg-deb -c "$deb" >"$tmp/out"
for file in bin/mdpredict "lib/libmdpredict.so.$version" include/mdpredict.h lib/mdpredict/libcudart.so.13 \
    share/mdpredict/gpus/yen2014.cfg share/mdpredict/coefficients/bottleneck.cfg share/doc/mdpredict/copyright \
    share/bash-completion/completions/mdpredict; do
    shows "./usr/$file"
done
[[ ! -e $tmp/build/man ]] || shows ./usr/share/man/man1/mdpredict-run.1.gz
awk '$2 != "root/root" { bad = 1 } END { exit bad }' "$tmp/out" || fail "files of another owner than root"
dpkg-deb -f "$deb" Depends >"$tmp/out"; shows "libconfig9"; shows "libsqlite3-0"

dpkg-deb -x "$deb" "$tmp/unpacked"
unset MDPREDICT_DATA
mdpredict=$tmp/unpacked/usr/bin/mdpredict
t 0 list gpus; shows yen2014
t 0 sample vecadd --effort window; shows "Chosen: n = "

if [[ $sanitized ]]; then
    echo "a package with sanitizers is none for lintian"
elif command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$deb" >"$tmp/out" 2>&1 || { fail "lintian: exit code $?"; cat "$tmp/out"; }
else
    echo "NOT RUN: there is no lintian here"
fi
exit "$bad"
