// Package site is the playground as it was built: the page, the scheduler and the runner of scenarios as WebAssembly modules,
// and the policy modules that it offers. `make playground` builds it anew into dist, which is committed so that a plain
// `go build` has it.
package site

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Files are those of the site, from its root.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // the name is right
	}
	return files
}
