package state

import "github.com/quern-project/quern/core/internal/api"

// unsupported says what in an input the scheduler cannot do yet; empty: nothing. Such an input is refused, never taken in
// part.
func unsupported(in *api.Input) string {
	switch {
	case in.Ask.Gang != nil:
		return "gangs are not supported yet"
	}
	return ""
}
