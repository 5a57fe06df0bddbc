#!/usr/bin/env bash
# Runs every random property of the core over generated clusters: the core against the oracle, invariants, budgets of
# searches, snapshots, brute force. Usage: tools/clusters.sh [CASES] [SEED]
# Each property gets CASES cases in rounds of at most 500, each round with a seed that follows from SEED. Each round prints
# a line with its seed. A failure prints its shrunk journal and the command that repeats it; the other properties go on.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=${1:-100000}
seed=${2:-$(date +%s)}
size=$((cases < 500 ? cases : 500))
export GOGC=${GOGC:-1000}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A property is a test that says how many random cases it passed.
properties=()
for folder in core core/oracle core/internal/quota core/internal/victim; do
	go test -c -o "$work/${folder//\//.}" "./$folder"
	while read -r name; do
		properties+=("$folder $name")
	done < <(cd "$folder" && "$work/${folder//\//.}" -test.v -test.short -rapid.checks=1 -rapid.nofailfile |
		awk '/^=== RUN/ {name = $3} /\[rapid\] OK/ {sub("/.*", "", name); if (!seen[name]++) print name}')
done
echo "clusters: ${#properties[@]} properties, $cases cases each, seed $seed"

# run takes a property through one round. Seeds of rounds are far apart: rapid counts up from the one that it is given.
failures=0
declare -A failed
state=$seed
run() {
	local folder=$1 name=$2 began=$SECONDS round
	state=$((state * 6364136223846793005 + 1442695040888963407))
	round=$((1 + (state >> 16 & (1 << 47) - 1)))
	if (cd "$folder" && "$work/${folder//\//.}" -test.v -test.timeout 0 -test.run "^$name\$" -rapid.nofailfile -rapid.checks="$size" -rapid.seed="$round") >"$work/log" 2>&1; then
		echo "clusters: $name in $folder: $done of $cases, seed $round, $((SECONDS - began)) s"
		cat "$work/log" >>"$work/${folder//\//.}.$name.logs"
		return
	fi
	failed["$folder $name"]=1
	failures=$((failures + 1))
	cat "$work/log"
	echo "clusters: $name in $folder FAILED with seed $round; again: go test ./$folder -run '^$name\$' -rapid.checks=$size -rapid.seed=$round"
}

for ((done = size; done <= cases; done += size)); do
	for property in "${properties[@]}"; do
		[[ -n ${failed[$property]:-} ]] || run $property
	done
done

# Lines of a number and what it counts are summed over the rounds.
for file in "$work"/*.logs; do
	[[ -e $file ]] || continue
	counts=$(sed -nE 's/^ +[a-z_]+\.go:[0-9]+: +([0-9]+) ([^0-9:]+)$/\1 \2/p' "$file" |
		awk '{n = $1; $1 = ""; sum[$0] += n} END {for (what in sum) printf "%12d%s\n", sum[what], what}' | sort -k 2)
	[[ -z $counts ]] || printf 'clusters: counts of %s:\n%s\n' "$(basename "$file" .logs)" "$counts"
done
echo "clusters: ${#properties[@]} properties, $failures failed"
((failures == 0))
