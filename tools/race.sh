#!/usr/bin/env bash
# Runs the tests of the packages that start goroutines under the race detector, in their short form. `make vet` has vetted them.
# The others have none to race with: the import rules keep goroutines out of the core, and what is compiled to WebAssembly has one
# thread. Versions of tables are made to be read by several goroutines, so their tests start some. A package outside of the folders below that starts one fails this run: add its folder.
set -euo pipefail
cd "$(dirname "$0")/.."
folders=(cmd host sdk internal/cmd/bench internal/cmd/load core/internal/state/internal/table)

inside=$(IFS='|' && echo "${folders[*]}")
if found=$(git ls-files -co --exclude-standard '*.go' | grep -vE "^($inside|docs|tools)/|/(testdata|third_party)/" |
	xargs ls -d 2>/dev/null | xargs grep -nE '^\s+(go (func\b|[A-Za-z_.]+\()|t\.Parallel\(\)|[A-Za-z_.]+\.Go\(func)'); then
	echo "race: these start goroutines, and tools/race.sh leaves their folders out:"
	echo "$found"
	exit 1
fi

packages=("${folders[@]/#/./}")
CGO_ENABLED=1 go test -short -race -vet=off -timeout 20m "${packages[@]/%//...}"
