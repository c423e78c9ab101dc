#!/bin/bash
# The tests of python/mdpredict.
set -uo pipefail
/usr/bin/python3 -c 'import pandas' 2>/dev/null || {
    echo "NOT RUN: no pandas for /usr/bin/python3 (Debian: python3-pandas)"
    exit 0
}
MDPREDICT=$(realpath "${MDPREDICT:-./mdpredict}") PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 -m unittest discover -s python/tests
