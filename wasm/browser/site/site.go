// Package site has the two pages as they were built. The playground is the page, the scheduler and the runner of scenarios as
// WebAssembly modules, and the policy modules that it offers; the dashboard is the page of a live scheduler. `make playground` builds
// both again into dist and dashboard/dist, which are committed so that a plain `go build` has them.
package site

import (
	"embed"
	"io/fs"
)

//go:embed all:dist all:dashboard/dist
var built embed.FS

// Files are those of the playground, from its root.
func Files() fs.FS { return below("dist") }

// Dashboard has the files of the dashboard, from its root.
func Dashboard() fs.FS { return below("dashboard/dist") }

func below(folder string) fs.FS {
	files, err := fs.Sub(built, folder)
	if err != nil {
		panic(err) // the name is right
	}
	return files
}
