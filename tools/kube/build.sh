#!/usr/bin/env bash
# Builds a Kubernetes control plane for tests from the modules beside this file: etcd, kube-apiserver,
# kube-controller-manager, kube-scheduler and kwok. The binaries go to a folder outside the tree, named by a hash of what
# they are built from; when that folder is there, nothing is done. What each module makes is kept by itself, so that versions
# of Kubernetes share etcd and kwok, and a build that was stopped goes on with the module it was at.
# Usage: [KUBERNETES=1.37] tools/kube/build.sh [where]
# `where` only prints the folder. KUBERNETES chooses a version that has a folder here, controlplane-VERSION; without it, it is
# the version that host/kube is built against. The compiler takes GOMAXPROCS processors, or 2.
set -euo pipefail
cd "$(dirname "$0")"
controlplane=controlplane${KUBERNETES:+-$KUBERNETES}
if [ ! -d "$controlplane" ]; then
	echo "KUBERNETES=$KUBERNETES: expected a version that has a folder in tools/kube, which are:" controlplane-* >&2
	exit 1
fi
modules=(etcd kwok "$controlplane")
kubernetes=$(awk '$1 == "require" && $2 == "k8s.io/kubernetes" {print $3} $1 == "k8s.io/kubernetes" {print $2}' "$controlplane/go.mod")

# Without a version, the servers call themselves v0.0.0, and clients that compare versions refuse them.
minor=${kubernetes#v1.}
version=k8s.io/component-base/version

# flags MODULE prints what its programs are linked with.
flags() {
	echo -n "-s -w"
	if [ "$1" = "$controlplane" ]; then
		echo -n " -X $version.gitVersion=$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=${minor%%.*}"
	fi
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
# hash MODULE... prints a hash of what they are built from.
hash() {
	{
		go env GOVERSION GOOS GOARCH
		for module in "$@"; do flags "$module" && cat "$module/go.mod" "$module/go.sum"; done
	} | sha256 | cut -c 1-16
}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/quern/kube
folder=$cache/$(hash "${modules[@]}")

if [ "${1:-}" = where ]; then
	echo "$folder"
	exit
fi
if [ -d "$folder" ]; then
	echo "kube-tools: the control plane is in $folder ($(du -sh "$folder" | cut -f 1))"
	exit
fi

# One build at a time; what a killed one left behind is removed by the next.
mkdir -p "$cache/modules"
exec 9>"$cache/.lock"
if command -v flock >/dev/null; then flock 9; fi
if [ -d "$folder" ]; then
	echo "kube-tools: another build has just put the control plane into $folder"
	exit
fi
rm -rf "$cache"/.building.*
work=$(mktemp -d "$cache/.building.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

echo "kube-tools: building etcd, kwok and Kubernetes $kubernetes into $folder, once; about ten minutes on two idle cores"
export GOCACHE=$work/gocache GOTMPDIR=$work/tmp CGO_ENABLED=0
mkdir -p "$work/bin" "$GOTMPDIR"
for module in "${modules[@]}"; do
	began=$SECONDS
	made=$cache/modules/$(hash "$module")
	if [ ! -d "$made" ]; then
		mkdir "$work/made"
		(cd "$module" && nice -n 19 go build -p "${GOMAXPROCS:-2}" -trimpath -ldflags "$(flags "$module")" -o "$work/made/" tool) ||
			{ echo "kube-tools: $module could not be built; only the modules before it are kept" >&2 && exit 1; }
		mv "$work/made" "$made"
		echo "kube-tools: $module built in $((SECONDS - began)) s"
	fi
	ln "$made"/* "$work/bin/"
done
mv "$work/bin/server" "$work/bin/etcd" # Go names it after its folder

# kwok is told by these files what nodes and pods do.
stages=$(cd kwok && go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)/kustomize/stage
mkdir "$work/bin/stages"
for stage in node/fast/node-initialize node/heartbeat-with-lease/node-heartbeat-with-lease pod/fast/pod-ready pod/fast/pod-complete pod/fast/pod-delete; do
	install -m 644 "$stages/$stage.yaml" "$work/bin/stages/"
done

if [ -d "$GOCACHE" ]; then
	echo "kube-tools: removing the build cache of $(du -sh "$GOCACHE" | cut -f 1)"
fi
mv "$work/bin" "$folder"
echo "kube-tools: the control plane is in $folder ($(du -sh "$folder" | cut -f 1)), built in $SECONDS s:"
du -h "$folder"/* | sed 's/^/  /'
