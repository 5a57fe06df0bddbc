#!/usr/bin/env bash
# Runs a command while other processes keep the processors busy, and ends with its exit code.
# Usage: tools/busy.sh N COMMAND [ARG...]
set -euo pipefail
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true' EXIT
trap 'exit 1' INT TERM
for ((i = 0; i < $1; i++)); do
	while :; do :; done &
	busy+=($!)
done
shift
"$@"
