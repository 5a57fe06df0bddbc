// Package site has the two pages. The playground is the page, the scheduler and the runner of scenarios as WebAssembly modules,
// and the policy modules that it offers; the dashboard is the page of a live scheduler.
//
// What Node builds of both, `make playground` puts into dist and dashboard/dist, as text that is committed. The modules that Go
// compiles are not: `make build` puts them into dist. A program that go build alone has made lacks them, and its playground
// says so.
package site

import (
	"embed"
	"io/fs"
)

//go:embed all:dist all:dashboard/dist
var built embed.FS

// Files are those of the playground, from its root. The list of them is not yet in its service worker.
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
