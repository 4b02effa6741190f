#!/usr/bin/env bash
# A step of action.yml: check PATHS. Variables: PYTHON, PATHS, OPTIONS, RESULTS.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

split "$OPTIONS"
options=("${words[@]}")
split "$PATHS"
report check check "${options[@]}" -- "${words[@]}"
