#!/usr/bin/env bash
# Runs every Fuzz function of the tree for a few seconds each. Usage: tools/fuzz-quick.sh [DURATION]
# Making a finding smaller is cut short, so that a run ends when it should.
# A failing input is left in the package's testdata/fuzz, as `go test` does, to be committed with its fix.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-5s}

found=0
failed=0
while IFS=: read -r file _ line; do
	name=${line#func }
	name=${name%%(*}
	found=$((found + 1))
	echo "fuzz-quick: $name in ${file%/*} for $time"
	go test -run='^$' -fuzz="^$name\$" -fuzztime="$time" -fuzzminimizetime=10x "./${file%/*}" || failed=$((failed + 1))
done < <(find . -path ./build -prune -o -path ./tools -prune -o -name '*_test.go' -print |
	sed 's#^\./##' | sort | xargs -r grep -HnE '^func Fuzz[A-Z][A-Za-z0-9_]*\(')

echo "fuzz-quick: $found targets, $failed failed"
[ "$failed" -eq 0 ]
