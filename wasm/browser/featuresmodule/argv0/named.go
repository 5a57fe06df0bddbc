// Package argv0 gives a module without arguments the one that every program has, its name: package pflag, which the runner
// of features brings along, looks at it when it is initialized. Of packages that are ready the one whose path comes first
// is initialized first, and this one, which needs no more than os, comes before it.
package argv0

import "os"

func init() {
	if len(os.Args) == 0 {
		os.Args = []string{"features"}
	}
}
