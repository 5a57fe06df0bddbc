package servecmd

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/server"
)

// namesFlags bound the names that inputs may bring.
type namesFlags struct{ limits server.NameLimits }

func (f *namesFlags) register(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.limits.Types, "max-resource-types", server.DefaultTypes, "allow nodes to have at most `N` resource types, and asks and applications half as many")
	cmd.Flags().IntVar(&f.limits.Predicates, "max-predicates", server.DefaultPredicates, "allow asks to name at most `N` predicates")
}

// The limits that may be set.
const (
	leastTypes, mostTypes = 2, 10_000
	mostPredicates        = 1_000_000
)

// check refuses settings that cannot be used.
func (f *namesFlags) check(flags *pflag.FlagSet) error {
	switch n := f.limits; {
	case n.Types < leastTypes || n.Types > mostTypes:
		return cli.Wrong(flags, "max-resource-types", "expected %d to %d, found %d", leastTypes, mostTypes, n.Types)
	case n.Predicates < 1 || n.Predicates > mostPredicates:
		return cli.Wrong(flags, "max-predicates", "expected 1 to %d, found %d", mostPredicates, n.Predicates)
	}
	return nil
}
