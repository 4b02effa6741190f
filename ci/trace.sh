#!/usr/bin/env bash
# A step of action.yml: run PROGRAM and record what Dynamo does. Variables: PYTHON, PROGRAM, OPTIONS, RESULTS.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

split "$OPTIONS"
options=(${words[@]+"${words[@]}"}) # the Bash of macOS takes an empty array for one that is not set
split "$PROGRAM"
report trace trace ${options[@]+"${options[@]}"} ${words[@]+"${words[@]}"}
