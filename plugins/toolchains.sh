#!/bin/sh
# Installs what plugins/build.sh compiles C, Rust and AssemblyScript with: clang, wasm-ld, rustc with a core library for
# wasm32, and AssemblyScript's compiler in build/toolchains. What is there already is left alone; what cannot be
# installed is said, and is no failure: build.sh skips what it has no compiler for.
set -u
cd "$(dirname "$0")/.."
assemblyscript=build/toolchains/assemblyscript

have() { command -v "$1" >/dev/null 2>&1; }

# A rustc may lack the core library for wasm32 that another one on the machine has.
have_rust() {
	for rustc in "${RUSTC:-}" rustc /usr/bin/rustc; do
		[ -n "$rustc" ] && have "$rustc" &&
			ls "$("$rustc" --print sysroot)"/lib/rustlib/wasm32-unknown-unknown/lib/libcore-*.rlib >/dev/null 2>&1 && return
	done
	return 1
}

# packages WHAT PACKAGE... installs packages of the system.
packages() {
	what=$1
	shift
	if ! have apt-get; then
		echo "$what: not installed, because there is no apt-get; install it as your system does"
	elif [ "$(id -u)" != 0 ]; then
		echo "$what: not installed, because this is not root: apt-get install $*"
	elif DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >"$log" 2>&1 ||
		{ apt-get update -qq >"$log" 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >"$log" 2>&1; }; then
		echo "$what: installed"
	else
		echo "$what: not installed, because apt-get failed: $(tail -n 1 "$log")"
	fi
}

npm_packages() {
	if ! have node || ! have npm; then
		echo "AssemblyScript: not installed, because node and npm are missing"
		return
	fi
	mkdir -p "$assemblyscript"
	cp sdk/assemblyscript/package.json sdk/assemblyscript/package-lock.json sdk/assemblyscript/.npmrc "$assemblyscript/"
	if (cd "$assemblyscript" && npm ci --ignore-scripts --no-audit --no-fund) >"$log" 2>&1; then
		cp "$assemblyscript/package-lock.json" "$assemblyscript/installed.json"
		echo "AssemblyScript: installed in $assemblyscript"
	else
		echo "AssemblyScript: not installed, because npm failed: $(grep -m 1 -i error "$log" || tail -n 1 "$log")"
	fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if have clang && have wasm-ld; then echo "C: clang and wasm-ld are there"; else packages C clang lld; fi
if have_rust && have wasm-ld; then echo "Rust: a rustc for wasm32 is there"; else packages Rust rustc libstd-rust-dev-wasm32 lld; fi
if cmp -s sdk/assemblyscript/package-lock.json "$assemblyscript/installed.json"; then
	echo "AssemblyScript: is in $assemblyscript"
else
	npm_packages
fi
exit 0
