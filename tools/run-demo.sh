#!/bin/sh
# Runs the demo cluster: QUERN DIR [BUILD]. At a terminal until Ctrl-C, going on from the record in DIR/data. Elsewhere for SECONDS_TO_RUN (20),
# on a record of its own, and leaves there what the cluster did: journal, decisions, report, and the summary here.
#
# With BUILD, what the playground runs is compiled into that folder meanwhile, at a terminal: the dashboard does not need it.
set -eu
quern=$1 dir=$2
mkdir -p "$dir"

# compile_modules says how it goes between the lines of the host.
compile_modules() {
	trap 'rm -f "$mark"; exit 1' HUP TERM
	if nice "${GO:-go}" run ./internal/cmd/wasmbuild all "$1" >/dev/null; then
		echo "  The playground is complete: What if from here, in the dashboard, opens it."
	else
		rm -f "$mark"
		echo "  The playground stays incomplete: its modules were not compiled."
	fi
}

if [ -t 1 ]; then
	echo "A simulated cluster, in time lapse. Ctrl-C ends it; the next run goes on from its record in $dir/data."
	[ -n "${3:-}" ] || exec "$quern" serve --demo --data "$dir/data"
	mark=$3/modules/building
	mkdir -p "$3/modules" && : >"$mark" # before a page can ask for them
	compile_modules "$3" &
	exec "$quern" serve --demo --data "$dir/data" --playground-modules "$3/modules"
fi

rm -rf "$dir/run"
QUERN_GRPC=127.0.0.1:0 "$quern" serve --demo --data "$dir/run" --http 127.0.0.1:0 &
host=$!
trap 'kill $host 2>/dev/null; wait $host; exit 1' INT TERM
sleep "${SECONDS_TO_RUN:-20}" &
wait $! # not sleep itself: a signal ends the waiting at once
kill $host 2>/dev/null || true
wait $host
"$quern" journal export "$dir/run" >"$dir/demo.journal"
"$quern" replay --out "$dir/decisions.jsonl" --report "$dir/report.html" "$dir/demo.journal"
echo
echo "  The report is $dir/report.html, the journal $dir/demo.journal, the decisions $dir/decisions.jsonl."
