// Package startup keeps programs from being run while quern starts. The runner of scenarios, package godog, asks `go env` for a
// folder when it is initialized, which nothing here needs and which takes longer than the rest of the start.
//
// So PATH is empty until package main is initialized, which is last. Of packages that are ready the one whose path comes
// first is initialized first, and this one, which needs no more than os, comes before those that godog needs.
package startup

import "os"

var path, known = os.LookupEnv("PATH")

func init() { _ = os.Setenv("PATH", "") }

// RestorePath gives PATH its value again.
func RestorePath() {
	if known {
		_ = os.Setenv("PATH", path)
	} else {
		_ = os.Unsetenv("PATH")
	}
}
