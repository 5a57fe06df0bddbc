package program

import (
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// placeholder is how help shows what a user puts in its place.
var placeholder = regexp.MustCompile(`^[A-Z]+(=[A-Z]+|\.[a-z]+|\[:[A-Z]+\])?$`)

func TestHelpShowsPlaceholdersInCapitals(t *testing.T) {
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); f.Value.Type() != "bool" && !placeholder.MatchString(name) {
				t.Errorf("%s: --%s: expected a placeholder such as FILE, found %q", c.CommandPath(), f.Name, name)
			}
		})
		for _, below := range c.Commands() {
			if below.Name() != "help" && below.Name() != "completion" {
				look(below)
			}
		}
	}
	look(newRoot(cli.Streams{}))
}
