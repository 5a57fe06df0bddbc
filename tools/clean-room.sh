#!/usr/bin/env bash
# Proves the two commands of the README on a machine that has Go, make and git and nothing else of ours: a fresh clone of the commit, an empty
# home, no caches, no variables of the caller, and not as root. `make run` has to show the dashboard, and `make test` to pass in its short form.
# Usage: tools/clean-room.sh. Where the caller is root, it runs as the user nobody. GOPROXY, if the caller has it, stays.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
patience=${PATIENCE:-1200} # seconds until the dashboard answers

room=$(mktemp -d)
trap 'chmod -R u+w "$room"; rm -rf "$room"' EXIT
git clone -q "file://$root" "$room/quern"
mkdir -p "$room/home"
as=()
if [ "$(id -u)" = 0 ]; then
	chown -R nobody "$room"
	as=(setpriv --reuid nobody --regid "$(id -g nobody)" --clear-groups)
fi

# clean runs a command in the clone, with nothing but the programs that every user has.
clean() {
	"${as[@]}" env -i -C "$room/quern" PATH="$(dirname "$(command -v go)"):/usr/local/bin:/usr/bin:/bin" HOME="$room/home" \
		GOTOOLCHAIN=local ${GOPROXY:+GOPROXY="$GOPROXY"} SECONDS_TO_RUN=30 "$@"
}

# answers ADDRESS asks for a page by HTTP, without a program for that.
answers() {
	local address=${1#http://} line
	exec 3<>"/dev/tcp/${address%:*}/${address#*:}" || return 1
	printf 'GET / HTTP/1.0\r\nHost: %s\r\n\r\n' "$address" >&3
	read -r line <&3
	exec 3<&-
	[[ $line == 'HTTP/1'*' 200 '* || $line == 'HTTP/1'*' 30'* ]]
}

echo "clean-room: make run, in a fresh clone of $(git -C "$root" rev-parse --short HEAD)"
began=$SECONDS
clean make run >"$room/run.log" 2>&1 &
run=$!
until address=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$room/run.log" | head -n 1) && [ -n "$address" ] && answers "$address"; do
	if ! kill -0 $run 2>/dev/null || ((SECONDS - began > patience)); then
		cat "$room/run.log"
		echo "clean-room: expected a dashboard, found none after $((SECONDS - began)) s"
		exit 1
	fi
	read -rt 1 <> <(:) || true # a second, without a program
done
echo "clean-room: the dashboard answers at $address after $((SECONDS - began)) s"
wait $run || { cat "$room/run.log"; echo "clean-room: make run failed"; exit 1; }

echo "clean-room: make test SHORT=1"
began=$SECONDS
clean make test SHORT=1
echo "clean-room: make test SHORT=1: $((SECONDS - began)) s"
