package guest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/policy"
)

// builtins are the names that no module may have.
var builtins = []string{"fair", "fair-users", "fifo", "stateaware", "binpacking"}

// The letters of names.
const (
	letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	joints  = "._-"
)

// mostName bounds a name, in bytes.
const mostName = 63

// CheckName refuses names that configurations could not tell from a built-in, or that are no names.
func CheckName(name string) error {
	if slices.Contains(builtins, name) {
		return fmt.Errorf("name: %q is a built-in; expected another name of the file", name)
	}
	if name == "" || len(name) > mostName || !strings.Contains(letters, name[:1]) || strings.Trim(name, letters+joints) != "" {
		return fmt.Errorf("name: expected small letters, digits and . _ -, at most %d, found %q", mostName, name)
	}
	return nil
}

// CheckFallback refuses what cannot stand in for a module at a point.
func CheckFallback(point, name string) error {
	if b := policy.Builtin(policy.Point(point), name, nil); b == nil || b.Native == policy.NativeFairUsers { // users have no columns
		return fmt.Errorf("expected a built-in of the point (queue.order: fair; app.order: fifo, fair, stateaware; ask.order: fifo; node.score: fair, binpacking), found %q", name)
	}
	return nil
}
