#!/bin/sh
# Builds the policies of plugins/FOLDER/LANGUAGE: plugins/build.sh [DIRECTORY [FOLDER...]], by default all of them into
# build/policies.
#
# A module is DIRECTORY/NAME.wasm, beside its settings NAME.toml; a process is DIRECTORY/NAME with settings that name it.
# NAME is FOLDER where only one language makes a module of it, else FOLDER-LANGUAGE; FOLDER-process for processes. The
# golden policy, which only tests want, goes to DIRECTORY/../golden. What is newer than its sources is not built again,
# and the same sources and compilers give the same bytes. A policy whose compiler is missing is skipped by name.
#
# plugins/build.sh --compilers prints the versions of the compilers that no file of the project fixes, and builds nothing.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
toolchains=$root/build/toolchains
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

have() { command -v "$1" >/dev/null 2>&1; }

has_sources() {
	case $2 in
	c) ls "$1/c"/*.c ;;
	rust) ls "$1/rust"/*.rs ;;
	assemblyscript) ls "$1/assemblyscript"/*.ts ;;
	go | process) ls "$1/$2"/*.go ;;
	esac >/dev/null 2>&1
}

# find_rustc prints a rustc that has a core library for wasm32: the first on the path may lack it.
find_rustc() {
	for rustc in "${RUSTC:-}" rustc /usr/bin/rustc; do
		[ -n "$rustc" ] && have "$rustc" || continue
		if ls "$("$rustc" --print sysroot)"/lib/rustlib/wasm32-unknown-unknown/lib/libcore-*.rlib >/dev/null 2>&1; then
			echo "$rustc"
			return
		fi
	done
	return 1
}

if [ "${1:-}" = --compilers ]; then
	have clang && clang --version | head -n 1
	rustc=$(find_rustc) && "$rustc" --version
	exit 0
fi
case "${1:-build/policies}" in
/*) out=$1 ;;
*) out=$root/${1:-build/policies} ;;
esac
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- plugins/*/

# missing LANGUAGE prints what is lacking to build it, nothing where all is there.
missing() {
	case $1 in
	c) have clang && have wasm-ld || echo "clang and wasm-ld are missing: make toolchains" ;;
	rust) find_rustc >/dev/null && have wasm-ld || echo "wasm-ld or a rustc with a core library for wasm32 is missing: make toolchains" ;;
	assemblyscript)
		have node && [ -f "$toolchains/assemblyscript/node_modules/assemblyscript/bin/asc.js" ] ||
			echo "node and AssemblyScript are missing: make toolchains"
		;;
	go | process) have go || echo "go is missing" ;;
	esac
}

# sources FOLDER LANGUAGE prints the files and folders that a policy is made from.
sources() {
	echo "$1/$2" plugins/build.sh
	case $2 in
	go) echo sdk/go sdk/policy sdk/abi go.mod && ls "$1"/*.go 2>/dev/null ;;
	process) echo sdk/goplugin sdk/policy sdk/abi go.mod && ls "$1"/*.go 2>/dev/null ;;
	*) echo "sdk/$2" ;;
	esac || true
}

# fresh FILE SOURCE... : whether the file is newer than all of its sources.
fresh() {
	made=$1
	shift
	[ -f "$made" ] && [ -z "$(find "$@" -type f ! -name '*_test.go' -newer "$made" -print 2>/dev/null | head -n 1)" ]
}

# compile FOLDER LANGUAGE FILE
compile() {
	case $2 in
	c)
		objects=
		for source in "$1"/c/*.c; do
			object=$work/$(basename "$source" .c).o
			clang --target=wasm32 -mnontrapping-fptoint -mbulk-memory -msign-ext -nostdlib -ffreestanding -std=c11 -O2 -Wall -Wextra -Werror -Isdk/c -c "$source" -o "$object" || return
			objects="$objects $object"
		done
		# shellcheck disable=SC2086
		wasm-ld --no-entry --stack-first --strip-all $objects -o "$3" # not the driver, which would run any wasm-opt
		;;
	rust)
		rustc=$(find_rustc)
		rules="--edition 2021 --target wasm32-unknown-unknown -C opt-level=3 -C panic=abort -C codegen-units=1 -C target-feature=+nontrapping-fptoint,+bulk-memory --remap-path-prefix=$root=."
		if [ ! -f "$work/libquern.rlib" ]; then
			# shellcheck disable=SC2086
			"$rustc" $rules -C embed-bitcode=yes -D warnings --crate-type rlib --crate-name quern sdk/rust/src/lib.rs -o "$work/libquern.rlib" || return
		fi
		# shellcheck disable=SC2086
		"$rustc" $rules -D warnings --crate-type cdylib -C lto=fat -C strip=symbols -C linker=wasm-ld -C linker-flavor=wasm-ld -C link-arg=-zstack-size=65536 --extern "quern=$work/libquern.rlib" \
			--crate-name policy "$(rust_root "$1")" -o "$3"
		;;
	assemblyscript)
		mkdir -p "$toolchains/packages"
		ln -sfn "$root/sdk/assemblyscript" "$toolchains/packages/quern"
		# shellcheck disable=SC2046
		node "$toolchains/assemblyscript/node_modules/assemblyscript/bin/asc.js" $(ls "$1"/assemblyscript/*.ts) \
			--path "$toolchains/packages" --runtime stub --use abort= --exportStart _initialize -O3 --noAssert --outFile "${3#"$root"/}"
		;;
	go)
		GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags="-s -w -buildid=" -o "$3" "./$1/go"
		;;
	process)
		CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w -buildid=" -o "$3" "./$1/process"
		;;
	esac
}

# rust_root prints the file that a crate begins in: lib.rs, or the only one there is.
rust_root() {
	[ -f "$1/rust/lib.rs" ] && echo "$1/rust/lib.rs" || ls "$1"/rust/*.rs | head -n 1
}

# settings FOLDER LANGUAGE NAME FILE writes the settings of a policy, unless there are some: an operator may have changed them.
settings() {
	for given in "$1/$2/$3.toml" "$1/$3.toml" "$1/$2/policy.toml" "$1/policy.toml"; do
		if [ -f "$given" ]; then
			[ -f "$4" ] || cp "$given" "$4"
			return
		fi
	done
	[ -f "$4" ] && return
	{
		echo "# Settings of the policy $3. What is commented out has its default."
		if [ "$2" = process ]; then
			printf '[process]\ncommand = "%s"\n\n' "$3"
		fi
		cat <<-'END'
			# sha256 = ""   # of the file beside this one: any other is refused

			# [parameters]  # as the policy's manifest declares them

			# [limits]      # of one call

			# [fallback]    # what answers where this policy fails
		END
	} >"$4"
}

# build FOLDER LANGUAGE NAME
build() {
	into=$out
	[ "$(basename "$1")" != golden ] || into=$(dirname "$out")/golden
	file=$into/$3.wasm
	[ "$2" != process ] || file=$into/$3
	mkdir -p "$into"
	# shellcheck disable=SC2046
	if ! fresh "$file" $(sources "$1" "$2"); then
		lacking=$(missing "$2")
		if [ -n "$lacking" ]; then
			echo "$3: skipped, because $lacking"
			return
		fi
		if ! compile "$1" "$2" "$file.$$"; then
			echo "$3: failed" >&2
			failed=1
			return
		fi
		[ "$2" = process ] || chmod 644 "$file.$$"
		mv "$file.$$" "$file"
		echo "$3: built, $(wc -c <"$file") bytes"
	fi
	settings "$1" "$2" "$3" "$into/$3.toml"
}

failed=0
for folder in "$@"; do
	folder=plugins/$(basename "$folder")
	if [ ! -d "$folder" ]; then
		echo "$folder: expected a folder of policies, found none" >&2
		exit 1
	fi
	languages=
	for language in c rust assemblyscript go; do
		if has_sources "$folder" "$language"; then languages="$languages $language"; fi
	done
	for language in $languages; do
		name=$(basename "$folder")
		[ "$languages" = " $language" ] || name=$name-$language
		build "$folder" "$language" "$name"
	done
	if has_sources "$folder" process; then build "$folder" process "$(basename "$folder")-process"; fi
done
exit $failed
