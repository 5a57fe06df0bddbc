#!/usr/bin/env bash
# Runs every Fuzz function of the tree for a few seconds each. Usage: tools/fuzz-quick.sh [DURATION]
# Making a finding smaller is cut short, so that a run ends when it should.
# A failing input is left in the package's testdata/fuzz, as `go test` does, to be committed with its fix.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-5s}

# fuzz runs one target, in the folder of its package: some are in modules of their own. Go's engine sometimes reports its own end of
# time as a failure, without a finding; that is none.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fuzz() {
	go test -C "$2" -run='^$' -fuzz="^$1\$" -fuzztime="$time" -fuzzminimizetime=10x . 2>&1 | tee "$log" && return 0
	grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log" || return 1
	echo "fuzz-quick: $1: the engine ran out of time at its end; no finding"
}

found=0
failed=0
while IFS=: read -r file _ line; do
	name=${line#func }
	name=${name%%(*}
	found=$((found + 1))
	echo "fuzz-quick: $name in ${file%/*} for $time"
	fuzz "$name" "./${file%/*}" || failed=$((failed + 1))
done < <(find . -path ./build -prune -o -path ./tools -prune -o -name '*_test.go' -print |
	sed 's#^\./##' | sort | xargs -r grep -HnE '^func Fuzz[A-Z][A-Za-z0-9_]*\(')

echo "fuzz-quick: $found targets, $failed failed"
[ "$failed" -eq 0 ]
