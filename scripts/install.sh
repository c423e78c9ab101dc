#!/bin/bash
# Copies what `make` has built to where people look for it: scripts/install.sh [--remove] BUILD VERSION PREFIX DESTDIR
#   bin/mdpredict                     the program
#   lib/libmdpredict.so*              the library; include/mdpredict.h, lib/pkgconfig/mdpredict.pc
#   lib/mdpredict/                    stand-ins for libcudart, libcuda, libcublas, libcublasLt, libcurand; the scripts for Slurm
#   share/mdpredict/                  data: GPUs, coefficients, the bundled profile and tables
#   share/doc/mdpredict/              README.md; docs/: the manual, example.c
#   share/man/man1/                   manual pages, where BUILD/man has them
#   share/bash-completion/, share/zsh/, share/fish/      completion
# Everything goes below DESTDIR, which the installed files do not know of. --remove takes away these files, and
# the folders of ours.
set -euo pipefail
cd "$(dirname "$0")/.."
remove=''
[[ $1 != --remove ]] || { remove=yes && shift; }
build=$1 version=$2 prefix=$3 root=$4
[[ $prefix == /* ]] || { echo "install.sh: PREFIX is an absolute path, not \"$prefix\"" >&2; exit 2; }
to=$root$prefix

if [[ $remove ]]; then
    rm -f "$to/bin/mdpredict" "$to"/lib/libmdpredict.so* "$to/lib/pkgconfig/mdpredict.pc" "$to/include/mdpredict.h"
    rm -rf "$to/lib/mdpredict" "$to/share/mdpredict" "$to/share/doc/mdpredict"
    rm -f "$to"/share/man/man1/mdpredict{,-*}.1.gz "$to/share/bash-completion/completions/mdpredict" \
        "$to/share/zsh/vendor-completions/_mdpredict" "$to/share/fish/vendor_completions.d/mdpredict.fish"
    exit
fi

files() { # MODE FOLDER FILE...
    local mode=$1 folder=$2
    shift 2
    mkdir -p "$to/$folder"
    install -m "$mode" "$@" "$to/$folder"
}
links() { # FOLDER TARGET NAME...
    local name
    for name in "${@:3}"; do ln -sf "$2" "$to/$1/$name"; done
}

soname=$(objdump -p "$build/libmdpredict.so.$version" | awk '$1 == "SONAME" { print $2 }')
files 755 bin "$build/mdpredict"
files 644 lib "$build/libmdpredict.so.$version"
links lib "libmdpredict.so.$version" "$soname" libmdpredict.so
files 644 include include/mdpredict.h
files 644 lib/mdpredict "$build/cuda/libcudart.so.13"
for link in "$build"/cuda/*; do
    [[ ! -L $link ]] || links lib/mdpredict "$(readlink "$link")" "$(basename "$link")"
done
files 755 lib/mdpredict/slurm scripts/slurm/*.sh
data=(data/gpus data/coefficients data/profiles data/results data/papers/schedulers.csv data/schema.json)
git ls-files "${data[@]}" 2>/dev/null | grep -v '/README.md$' >"$build/data-files" || find "${data[@]}" -type f >"$build/data-files"
while read -r file; do
    files 644 "share/mdpredict/$(dirname "${file#data/}")" "$file"
done <"$build/data-files"
files 644 share/doc/mdpredict README.md
files 644 share/doc/mdpredict/docs docs/*.md docs/*.png docs/example.c
files 644 share/doc/mdpredict/docs/reference docs/reference/*.md
files 644 share/doc/mdpredict/docs/tutorial docs/tutorial/*
if [[ -e $build/man/mdpredict.1 ]]; then
    files 644 share/man/man1 "$build"/man/*.1
    gzip -9nf "$to"/share/man/man1/mdpredict{,-*}.1
fi
completion() { # SHELL FOLDER NAME
    mkdir -p "$to/$2"
    "$build/mdpredict" completion "$1" >"$to/$2/$3"
    chmod 644 "$to/$2/$3"
}
completion bash share/bash-completion/completions mdpredict
completion zsh share/zsh/vendor-completions _mdpredict
completion fish share/fish/vendor_completions.d mdpredict.fish
mkdir -p "$to/lib/pkgconfig"
cat >"$to/lib/pkgconfig/mdpredict.pc" <<PC
prefix=$prefix
Name: mdpredict
Description: PTX kernels on a simulated GPU, and how many CTAs should run at once
Version: $version
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lmdpredict
PC
