# What check.sh and trace.sh share. Variables that they are given: PYTHON, OPTIONS, RESULTS.

# The words of a line as a shell reads them, into the array `words`, without running anything in it.
split() {
    local quoted
    quoted=$("$PYTHON" -c '
import shlex, sys
try:
    words = shlex.split(sys.argv[1])
except ValueError as error:
    sys.exit(f"{sys.argv[1]!r} cannot be split into words: {error}")
sys.stdout.write(shlex.join(words))' "$1")
    eval "words=($quoted)" # shlex.join has quoted each: nothing in them means anything to this shell
}

# Run compilelint with all reports as files, NAME.*; its exit code becomes an output of the step, for the last step
# to judge by, after the reports are uploaded.
report() {
    local name=$1 code=0
    shift
    mkdir -p "$RESULTS"
    "$PYTHON" -m compilelint "$1" --format github \
        --output "sarif=$RESULTS/$name.sarif" --output "json=$RESULTS/$name.json" \
        --output "html=$RESULTS/$name.html" --output "markdown=$RESULTS/$name.md" \
        "${@:2}" || code=$?
    if [ -f "$RESULTS/$name.md" ]; then cat "$RESULTS/$name.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
    echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
}
