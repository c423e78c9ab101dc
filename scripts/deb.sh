#!/bin/bash
# A Debian package of what `make install PREFIX=/usr` installs: scripts/deb.sh BUILD VERSION
# makes BUILD/mdpredict_VERSION_ARCHITECTURE.deb. Dependencies are those that dpkg-shlibdeps finds.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1") version=$2
for tool in dpkg-deb dpkg-shlibdeps strip; do
    command -v $tool >/dev/null || { echo "deb.sh: there is no $tool here (packages dpkg-dev, binutils)" >&2; exit 1; }
done
architecture=$(dpkg --print-architecture)
work=$build/deb root=$build/deb/root
rm -rf "$work"
mkdir -p "$root/DEBIAN" "$work/debian"
chmod 755 "$root"
scripts/install.sh "$build" "$version" /usr "$root"
libraries=("$root/usr/lib/libmdpredict.so.$version" "$root/usr/lib/mdpredict/libcudart.so.13")
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/mdpredict" "${libraries[@]}"

# Copyright and changelog, as Debian wants them; the page of --html has parts of others in it.
doc=$root/usr/share/doc/mdpredict
maintainer="${DEBFULLNAME:-mdpredict} <${DEBEMAIL:-maintainer@example.org}>"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: mdpredict\n\n'
    printf 'Files: *\nCopyright: the authors of mdpredict\nLicense: GPL-3.0+\n'
    printf ' On Debian systems the text of the GNU General Public License, version 3, is in\n'
    printf ' /usr/share/common-licenses/GPL-3.\n'
    for license in report/vendor/LICENSE.*; do
        name=${license#*LICENSE.}
        printf '\nFiles: report/vendor/%s*\nCopyright: %s\nLicense: %s\n' "$name" \
            "$(grep -m1 '^Copyright' "$license" | sed 's/^Copyright //')" "$name"
        sed 's/[[:space:]]*$//; s/^$/./; s/^/ /' "$license"
    done
} >"$doc/copyright"
printf 'mdpredict (%s) unstable; urgency=medium\n\n  * Built from revision %s.\n\n -- %s  %s\n' \
    "$version" "$("$build/mdpredict" --version | sed 's/.*(\(.*\))/\1/')" "$maintainer" "$(date -R -d "@$(git log -1 --format=%ct 2>/dev/null || date +%s)")" |
    gzip -9n >"$doc/changelog.gz"

printf 'Source: mdpredict\n\nPackage: mdpredict\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps --ignore-missing-info -O -l"$root/usr/lib" -e"$root/usr/bin/mdpredict" \
    "${libraries[@]/#/-e}" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
cat >"$root/DEBIAN/control" <<CONTROL
Package: mdpredict
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends
Suggests: gnuplot-nox, slurm-client
Section: science
Priority: optional
Description: how many CTAs of a GPU kernel should run at once on each core
 Reads PTX or runs a CUDA program on a simulated GPU, without a GPU, and
 names the number of thread blocks (CTAs) that should run at once on each
 core. The library libmdpredict does the same for programs.
CONTROL
soname=$(objdump -p "${libraries[0]}" | awk '$1 == "SONAME" { print $2 }')
echo "libmdpredict ${soname##*.} mdpredict (>= $version)" >"$root/DEBIAN/shlibs"
echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group --build "$root" "$build/mdpredict_${version}_$architecture.deb" >/dev/null
rm -rf "$work"
echo "$build/mdpredict_${version}_$architecture.deb"
