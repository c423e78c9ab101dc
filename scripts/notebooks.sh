#!/bin/bash
# Executes every notebook, in a folder of its own, and fails if a cell does: scripts/notebooks.sh [NAME.ipynb]...
#   --save: their outputs replace those in notebooks/
set -euo pipefail
cd "$(dirname "$0")/.."

save=
if [[ ${1:-} == --save ]]; then
    save=1
    shift
fi
out=build/notebooks
mkdir -p "$out"
[[ $# -gt 0 ]] || set -- notebooks/*.ipynb
export PYDEVD_DISABLE_FILE_VALIDATION=1 JUPYTER_PLATFORM_DIRS=1
for notebook in "$@"; do
    # Relative paths in a notebook start at its own folder.
    (cd "$(dirname "$notebook")" && /usr/bin/python3 -m nbconvert --log-level ERROR --to notebook --execute \
        --ExecutePreprocessor.timeout=600 --output-dir "$OLDPWD/$out" "$(basename "$notebook")") ||
        { echo "$notebook: failed" >&2; exit 1; }
    echo "$notebook: executed"
    [[ -z $save ]] || cp "$out/$(basename "$notebook")" "$notebook"
done
