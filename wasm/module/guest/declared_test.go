package guest

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// declared is what a module with parameters declares.
func declared(t *testing.T) *abi.Manifest {
	t.Helper()
	m, err := manifests.Parse([]byte(`{"name":"m","version":"1","abi":"1.0",
		"parameters":{"weight":{"type":"number","default":1,"min":0,"max":10},"where":{"type":"text","default":"zone"}},
		"points":{"node.score":{"columns":["attribute_code:$where"],"keys":1,"depends":"row"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNamesThatOperatorsCouldMistakeAreRefused(t *testing.T) {
	for _, good := range []string{"a", "0", "binpack-tetris", "a.b_c-9", strings.Repeat("a", 63)} {
		if err := CheckName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "fair", "stateaware", "A", "-a", ".a", "a b", "a/b", "é", strings.Repeat("a", 64)} {
		if CheckName(bad) == nil {
			t.Errorf("%q is not refused", bad)
		}
	}
}
