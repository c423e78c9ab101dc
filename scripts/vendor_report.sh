#!/bin/bash
# Puts the chart library of report/package-lock.json into report/vendor/, as its makers built it, with its
# licences: scripts/vendor_report.sh. --check says whether that would change anything. Needs npm.
set -euo pipefail
cd "$(dirname "$0")/.."

to=report/vendor
[[ ${1:-} != --check ]] || { to=$(mktemp -d) && trap 'rm -rf "$to"' EXIT; }
at=build/npm-vendor
mkdir -p "$at" "$to"
cp report/package.json report/package-lock.json "$at"
(cd "$at" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund >/dev/null)

take() { # PACKAGE FILE: its built file, its licence
    cp "$at/node_modules/$1/dist/$2" "$to/$2"
    cp "$at/node_modules/$1/LICENSE" "$to/LICENSE.${1##*/}"
}
take d3 d3.min.js
take @observablehq/plot plot.umd.min.js
for p in interval-tree-1d binary-search-bounds isoformat; do # plot.umd.min.js has these in it
    cp "$at/node_modules/$p/LICENSE" "$to/LICENSE.$p"
done
chmod 644 "$to"/*
[[ $to == report/vendor ]] || diff -r "$to" report/vendor
