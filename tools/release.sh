#!/usr/bin/env bash
# Builds what a release consists of into a folder: the programs, their bills of materials, the licences and checksums.
# Usage: tools/release.sh VERSION FOLDER PLATFORM... (a PLATFORM is OS/ARCH)
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 folder=$2
shift 2
tools=$PWD/build/supply

mkdir -p "$folder" "$tools"
folder=$(cd "$folder" && pwd)
find "$folder" -mindepth 1 -delete
go -C tools/supply build -o "$tools/" tool

# build PROGRAM MODULE PLATFORM builds a program of a module, and writes its bill of materials.
build() {
	local program=$1 module=$2 os=${3%/*} arch=${3#*/}
	local file=$folder/$program-$version-$os-$arch
	if [ "$os" = windows ]; then file+=.exe; fi
	echo "release: $(basename "$file")"
	(cd "$module" && CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false \
		-ldflags "-s -w -X github.com/quern-project/quern/cmd/quern/cli.version=$version" -o "$file" "./cmd/$program")
	"$tools/cyclonedx-gomod" bin -json -std -noserial -notimestamp -version "$version" -output "$file.cdx.json" "$file" 2>/dev/null
}

for platform; do
	build quern . "$platform"
	case $platform in linux/* | darwin/*) build quern-kube host/kube "$platform" ;; esac
done
cp LICENSE NOTICE "$folder/"
(cd "$folder" && sha256sum ./* >SHA256SUMS 2>/dev/null || shasum -a 256 ./* >SHA256SUMS)
echo "release: $(wc -l <"$folder/SHA256SUMS") files and SHA256SUMS in $folder"
