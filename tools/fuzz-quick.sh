#!/usr/bin/env bash
# Runs every Fuzz function of a folder for a few seconds each. Usage: tools/fuzz-quick.sh [DURATION [FOLDER [TURN/TURNS [blind]]]]
# With TURN/TURNS it runs those of the packages whose turn it is: 2/3 is every third package, from the second on.
# With blind it runs the tests as `go test` compiles them: the engine changes the corpus without knowing what an input reaches, and the tree
# is not compiled anew for it, which takes longer than fuzzing.
# Without a folder it is the whole tree but host/kube: the engine builds all that a target imports anew, and that is much of Kubernetes. What
# these targets begin with is part of the tests.
# As many targets run at once as there are cores, each with one worker: most of a short run is building the target and going
# through its corpus, which takes one core. Making a finding smaller is cut short, so that a run ends when it should.
# A failing input is left in the package's testdata/fuzz, as `go test` does, to be committed with its fix.
set -euo pipefail
cd "$(dirname "$0")/.."
export time=${1:-2s}

# fuzz runs one target, in the folder of its package: some are in modules of their own. What it prints comes at its end, as a whole.
# Go's engine sometimes reports its own end of time as a failure, without a finding; that is none.
fuzz() {
	local said ended=0
	if [ -n "$blind" ]; then
		said=$(cd "$2" && "$(binary "$2")" -test.run='^$' -test.fuzz="^$1\$" -test.fuzztime="$time" -test.fuzzminimizetime=10x -test.parallel 1 \
			-test.fuzzcachedir="$work/inputs/$2" 2>&1) || ended=1
	else
		said=$(go test -C "$2" -vet=off -run='^$' -fuzz="^$1\$" -fuzztime="$time" -fuzzminimizetime=10x -parallel 1 . 2>&1) || ended=1
	fi
	if [ "$ended" = 1 ] && [[ $said == *'context deadline exceeded'* && $said != *'Failing input written'* ]]; then
		said+=$'\n'"fuzz-quick: $1: the engine ran out of time at its end; no finding"
		ended=0
	fi
	printf 'fuzz-quick: %s in %s for %s\n%s\n' "$1" "$2" "$time" "$said"
	[ "$ended" = 0 ] || echo "$1 in $2" >>"$failures"
}

# binary prints where the tests of a package are compiled to.
binary() {
	printf '%s/%s.test' "$work" "$(tr / - <<<"${1#./}")"
}
compile() {
	go test -C "$1" -vet=off -c -o "$(binary "$1")" .
}
export -f fuzz binary compile

work=$(mktemp -d)
failures=$work/failures
touch "$failures"
trap 'rm -rf "$work"' EXIT
folder=${2:-.} turn=${3:-1/1} blind=${4:-}
export failures work blind
left=./host/kube
[ "$folder" = . ] || left=none
targets=$(find "$folder" -path "$left" -prune -o -path ./build -prune -o -path ./tools -prune -o -name '*_test.go' -print | sort | xargs -r grep -HoE '^func Fuzz[A-Z][A-Za-z0-9_]*' |
	sed -E 's#^(.*)/[^/]*:func (.*)$#\2 \1#' |
	awk -v turn="${turn%/*}" -v turns="${turn#*/}" '$2 != last {n++; last = $2} n % turns == turn % turns')
if [ -n "$blind" ]; then
	cut -d' ' -f2 <<<"$targets" | sort -u | xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 bash -c 'compile "$@"' compile
fi
xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 bash -c 'fuzz "$@"' fuzz <<<"$targets"

sed 's/^/fuzz-quick: failed: /' "$failures"
echo "fuzz-quick: $(wc -l <<<"$targets") targets, $(wc -l <"$failures") failed"
[ ! -s "$failures" ]
