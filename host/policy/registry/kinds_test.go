package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// The scheduler's kinds of columns are those of the contract: numbers, names, and the points that offer them. Frames bear
// the scheduler's numbers as they are.
func TestTheSchedulersColumnsAreThoseOfTheContract(t *testing.T) {
	for i, p := range policy.Points() {
		if string(p) != abi.Points[i].Name {
			t.Errorf("point %d: expected %s, found %s", i, abi.Points[i].Name, p)
		}
	}
	for _, k := range abi.Kinds {
		if found := policy.ColumnKind(k.ID).String(); found != k.Name {
			t.Errorf("kind %d: expected %s, found %s", k.ID, k.Name, found)
		}
		column := k.Name
		if k.Arg != "" {
			column += ":" + strings.Repeat("x:", strings.Count(k.Arg, ":")) + "x"
		}
		for _, p := range policy.Points() {
			depends := policy.OnRow
			if p == policy.NodeScore || p == policy.NodeFilter {
				depends = policy.OnAsk
			}
			_, err := policy.ParseManifest(fmt.Sprintf(`{"name":"a","points":{%q:{"columns":[%q],"keys":1,"depends":%q}}}`, p, column, depends))
			if offered := slices.Contains(k.Points, string(p)); (err == nil) != offered {
				t.Errorf("%s at %s: the contract says %v, the scheduler %v", column, p, offered, err)
			}
		}
	}
}
