#!/usr/bin/env bash
# Tasks of the playground's page: wasm/browser/playground/tasks.sh TASK. Where Node or its packages are missing
# the tasks that only check are skipped with the reason; those that build fail.
#
#   ready     whether the page can be built here; if not, why
#   build     build the page into build/page, and with all that it loads into build/site, and the dashboard into build/dashboard
#   commit    put the page and the dashboard that were built where quern embeds them from
#   unit      its unit tests
#   browser   its tests in Chromium, on the site that was built
#   pictures  take the pictures of the documents, in Chromium, from the site that was built
#   bench     what it measures of itself, in Chromium
#   lint      types and lint
#   dashboard build the dashboard into build/dashboard
#   compare   whether the committed page, dashboard and policies are what their sources build
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../../.. && pwd)
page=$root/build/page
site=$root/build/site
committed=$root/wasm/browser/site/dist
dashboard=$root/build/dashboard

have() { command -v "$1" >/dev/null 2>&1; }

# skip WHAT WHY ends the task well, by name.
skip() {
	echo "$1 skipped, because $2"
	exit 0
}

# install gets what the lock file names, once, and prints why it could not.
install() {
	have node && have npm || { echo "node and npm are missing"; return 1; }
	[ node_modules/.package-lock.json -nt package-lock.json ] && return
	echo "installing what the page is built with" >&2
	npm ci >&2 || { echo "npm could not install what the page is built with"; return 1; }
	touch node_modules/.package-lock.json
}

# needs WHAT skips a task where the page cannot be built.
needs() {
	local why
	why=$(install) || skip "$1" "$why"
}

# build_page builds what Node makes of the playground.
build_page() {
	QUERN_SITE=$page npx vite build --logLevel warn
}

# same WHAT COMMITTED BUILT... compares, and fails with the differences.
same() {
	local what=$1
	shift
	diff "$@" || { echo "the committed $what differs from a fresh build: make playground"; exit 1; }
}

# build_dashboard builds the dashboard of a live scheduler, which is made of the parts of the page.
build_dashboard() {
	QUERN_SITE=$dashboard npx vite build --mode dashboard --logLevel warn
	mv "$dashboard/dashboard.html" "$dashboard/index.html"
	cp public/icon.svg "$dashboard/"
}

free_port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

# play WHAT [ARGUMENT...] runs tests in Chromium.
play() {
	local what=$1 chromium
	shift
	needs "$what"
	chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
		skip "$what" "there is no Chromium: make chromium"
	QUERN_SITE=$site QUERN_CHROMIUM=$chromium QUERN_PORT=$(free_port) npx playwright test "$@"
}

case "${1:-}" in
ready)
	install
	;;
build)
	why=$(install) || { echo "the page cannot be built: $why" >&2; exit 1; }
	build_page
	rm -rf "$site"
	cp -R "$page" "$site"
	(cd "$root" && go run ./internal/cmd/pack build "$site")
	build_dashboard
	;;
commit)
	rm -rf "$committed" "$root/wasm/browser/site/dashboard/dist"
	cp -R "$page" "$committed"
	cp -R "$site/policies" "$committed/policies"
	cp -R "$dashboard" "$root/wasm/browser/site/dashboard/dist"
	;;
dashboard)
	why=$(install) || { echo "the dashboard cannot be built: $why" >&2; exit 1; }
	build_dashboard
	;;
unit)
	needs "the page's unit tests"
	# The corpus is written anew: it has what this version of the host says of each module.
	(cd "$root" && QUERN_HOSTILE=$root/build/hostile go test -count 1 -run TestHostileCorpus ./host/policy/wazero >/dev/null)
	npx vitest run --silent
	;;
browser)
	play "the page's tests in the browser"
	;;
pictures)
	QUERN_PICTURES=take play "the documents' pictures of pages" pictures.spec.ts
	;;
bench)
	QUERN_ROUNDS=3 play "the page's measurements" --no-deps speed.spec.ts engine.spec.ts end.spec.ts many-queues.spec.ts
	;;
lint)
	needs "the page's types and lint"
	npx tsc --noEmit
	npx eslint .
	;;
compare)
	# The versions of what builds the pages are in the lock file; those of the compilers of policies are the machine's.
	why=$(install) || skip "the comparison of the committed pages" "$why"
	# In CI, make test has just built both.
	if [ -z "${CI:-}" ] || [ ! -f "$page/index.html" ] || [ ! -f "$dashboard/index.html" ]; then
		build_page
		build_dashboard
	fi
	same page -rq -x policies -x '*.wasm.gz' "$committed" "$page"
	same "compiler of policies" <(zcat "$committed/later/binaryen.wasm.gz" | cksum) <(zcat "$page/later/binaryen.wasm.gz" | cksum)
	same dashboard -rq "$root/wasm/browser/site/dashboard/dist" "$dashboard"
	[ -d "$site/policies" ] || skip "the comparison of the committed policies" "there is no fresh build: make site"
	diff "$committed/policies/made.json" "$site/policies/made.json" >/dev/null ||
		skip "the comparison of the committed policies" "they were made with other compilers: $(tr -d '\n' <"$committed/policies/made.json")"
	same "folder of policies" -rq "$committed/policies" "$site/policies"
	;;
*)
	sed -n 's/^#   //p' "$0"
	exit 2
	;;
esac
