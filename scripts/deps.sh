#!/bin/bash
# Installs what is missing, on Debian and its relatives: scripts/deps.sh build|test|notebooks|bench|lint|coverage|fuzz...
# Does nothing, and uses no network, when everything is there.
set -euo pipefail

declare -A packages=(
    [build]="gcc libc6-dev flex bison libconfig-dev libjansson-dev libcsv-dev libsqlite3-dev libgsl-dev libzstd-dev liblz4-dev"
    [test]="libcunit1-dev libmpfr-dev gnuplot-nox sqlite3 slurm-wlm munge python3-pandas pkg-config help2man dpkg-dev lintian python3-jsonschema"
    [browser]="chromium"
    [notebooks]="python3-pandas python3-matplotlib python3-scipy jupyter-nbconvert python3-ipykernel"
    [bench]="time valgrind"
    [lint]="clang-format cppcheck libcunit1-dev"
    [coverage]="gcovr"
    [fuzz]="clang libclang-rt-dev"
)

# Node.js often comes from elsewhere, npm with it: as commands they count, too.
for command in node npm; do
    package=${command/#node/nodejs}
    command -v $command >/dev/null || packages[browser]+=" $package"
done

want=()
for group in "$@"; do
    read -r -a names <<<"${packages[$group]}"
    want+=("${names[@]}")
done

if ! command -v dpkg-query >/dev/null; then
    echo "deps.sh: no Debian package manager here; needed are (Debian's names): ${want[*]}" >&2
    exit 0
fi
missing=()
for p in "${want[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)
    [[ $status == *installed* && $status != *not-installed* ]] || missing+=("$p")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) != 0 ]]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
        as_root=(sudo)
    else
        echo "These packages are missing, and there is no sudo to install them with. As root, run:" >&2
        echo "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
