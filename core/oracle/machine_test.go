package oracle_test

import "github.com/quern-project/quern/core"

// newMachine makes the machine that is judged.
func newMachine() dumper { return core.New(core.Options{}) }
