#!/usr/bin/env bash
# Scans the code of quern and quern-kube for calls of functions with known vulnerabilities. Usage: tools/vulnerabilities.sh DATABASE
# DATABASE is the address of a vulnerability database, or a folder with a copy of one; with a folder, nothing is asked over the network.
set -euo pipefail
cd "$(dirname "$0")/.."
database=${1:-}
if [ -z "$database" ]; then
	echo "vulnerabilities: expected VULNDB, the address of a Go vulnerability database or a folder with a copy of one, found nothing" >&2
	exit 2
fi
case $database in
*://*) ;;
*)
	if [ ! -f "$database/index/modules.json" ]; then
		echo "vulnerabilities: $database: expected a folder with index/modules.json, found none" >&2
		exit 2
	fi
	database=file://$(cd "$database" && pwd)
	;;
esac

tools=$PWD/build/supply
mkdir -p "$tools"
go -C tools/supply build -o "$tools/" tool
failed=0
for module in . host/kube; do
	echo "vulnerabilities: $module"
	(cd "$module" && "$tools/govulncheck" -db "$database" ./...) || failed=$?
done
exit $failed
