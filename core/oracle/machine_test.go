package oracle_test

import (
	"github.com/quern-project/quern/core/oracle"
)

// newMachine makes the machine that is judged.
func newMachine() dumper { return oracle.New() }
