package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/internal/licences"
)

// version is set when a release is built; otherwise the build tells what it knows of its commit.
var version string

func BuildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

func NewVersion(s Streams) *cobra.Command {
	ofParts := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, or the licences of everything that the program contains",
		Args:  NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if info, ok := debug.ReadBuildInfo(); ofParts && ok {
				return licences.Write(s.Out, info)
			}
			_, err := fmt.Fprintf(s.Out, "quern %s %s %s/%s\n", BuildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	c.Flags().BoolVar(&ofParts, "licences", false, "print the modules that the program contains, their licences and the texts of these")
	return c
}
