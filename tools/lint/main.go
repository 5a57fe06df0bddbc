// Command lint runs the analyzers of staticcheck, of go vet and of errcheck together. Most of the work of each is to go through all that is
// imported, the packages of Kubernetes among it; together they do that once. It takes the flags of staticcheck.
package main

import (
	"fmt"
	"os"

	"github.com/kisielk/errcheck/errcheck"
	"honnef.co/go/tools/lintcmd"
	"honnef.co/go/tools/lintcmd/version"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	remove, err := exclude()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		return 1
	}
	defer remove()
	c := lintcmd.NewCommand("lint")
	c.SetVersion(version.Version, version.MachineVersion)
	c.ParseFlags(args)
	c.AddAnalyzers(simple.Analyzers...)
	c.AddAnalyzers(staticcheck.Analyzers...)
	c.AddAnalyzers(stylecheck.Analyzers...)
	c.AddAnalyzers(unused.Analyzer)
	c.AddBareAnalyzers(vet...)
	c.AddBareAnalyzers(errcheck.Analyzer)
	return c.Execute()
}
