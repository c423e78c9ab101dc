#!/bin/bash
# What the test of the page needs (tests/report/): Chromium, Node.js, npm, and in build/npm the driver of the
# browser that report/package-lock.json names. Does nothing, and uses no network, when everything is
# there.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh browser
at=build/npm
if ! cmp -s report/package-lock.json $at/installed; then
    mkdir -p $at
    cp report/package.json report/package-lock.json $at
    (cd $at && timeout 300 npm ci --ignore-scripts --no-audit --no-fund)
    cp report/package-lock.json $at/installed
fi
