package program

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/internal/licences"
)

// version is set when a release is built; otherwise the build tells what it knows of its commit.
var version string

func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

func newVersion(s streams) *cobra.Command {
	ofParts := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, or the licences of everything that the program contains",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			if info, ok := debug.ReadBuildInfo(); ofParts && ok {
				return licences.Write(s.out, info)
			}
			_, err := fmt.Fprintf(s.out, "quern %s %s %s/%s\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	c.Flags().BoolVar(&ofParts, "licences", false, "print the modules that the program contains, their licences and the texts of these")
	return c
}
