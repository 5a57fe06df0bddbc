// Command lint runs the analyzers of staticcheck and of go vet together. Most of the work of each is to go through all that is
// imported, the packages of Kubernetes among it; together they do that once. It takes the flags of staticcheck.
package main

import (
	"os"

	"honnef.co/go/tools/lintcmd"
	"honnef.co/go/tools/lintcmd/version"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

func main() {
	c := lintcmd.NewCommand("lint")
	c.SetVersion(version.Version, version.MachineVersion)
	c.ParseFlags(os.Args[1:])
	c.AddAnalyzers(simple.Analyzers...)
	c.AddAnalyzers(staticcheck.Analyzers...)
	c.AddAnalyzers(stylecheck.Analyzers...)
	c.AddAnalyzers(unused.Analyzer)
	c.AddBareAnalyzers(vet...)
	c.Run()
}
