#!/usr/bin/env bash
# A step of action.yml: check PATHS. Variables: PYTHON, PATHS, OPTIONS, RESULTS.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

split "$OPTIONS"
options=(${words[@]+"${words[@]}"}) # the Bash of macOS takes an empty array for one that is not set
split "$PATHS"
report check check ${options[@]+"${options[@]}"} -- ${words[@]+"${words[@]}"}
