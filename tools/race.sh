#!/usr/bin/env bash
# Runs the tests of the packages that start goroutines under the race detector, in their short form. `make lint` vets them.
# The others have none to race with: the import rules keep goroutines out of the core, and what is compiled to WebAssembly has one
# thread. Versions of tables and schedulers are made to be read by several goroutines, so their tests start some. A package outside of the folders below
# that starts one fails this run: add its folder. `tools/race.sh list` prints the packages and runs none.
set -euo pipefail
cd "$(dirname "$0")/.."
folders=(cmd host sdk internal/cmd/bench internal/cmd/load internal/await core/scheduler core/internal/state/internal/table)

inside=$(IFS='|' && echo "${folders[*]}")
if found=$(git ls-files -co --exclude-standard '*.go' | grep -vE "^($inside|docs|tools)/|/(testdata|third_party)/" |
	xargs ls -d 2>/dev/null | xargs grep -nE '^\s+(go (func\b|[A-Za-z_.]+\()|t\.Parallel\(\)|[A-Za-z_.]+\.Go\(func)'); then
	echo "race: these start goroutines, and tools/race.sh leaves their folders out:"
	echo "$found"
	exit 1
fi

# Of these folders, the packages whose code or tests start goroutines, synchronize, or serve or call others, which does.
concurrent='^\s+go (func\b|[A-Za-z_.]+\()|t\.Parallel\(\)|\.Go\(func|"(sync|sync/atomic|net/http|net/http/httptest|testing/synctest|google\.golang\.org/grpc|.*/host/server/livetest)"'
mapfile -t packages < <(git ls-files -co --exclude-standard -- "${folders[@]}" | grep '\.go$' | grep -vE '/(testdata|third_party)/|^host/kube/' |
	xargs ls -d 2>/dev/null | xargs grep -lE "$concurrent" | xargs -n 1 dirname | sort -u | sed 's#^#./#')
if [ "${1:-}" = list ]; then
	printf '%s\n' "${packages[@]}"
	exit
fi
# The tree is compiled for this run alone, so it goes without what only debuggers read.
CGO_ENABLED=1 go test -short -race -vet=off -gcflags=all=-dwarf=false -timeout 20m "${packages[@]}"
