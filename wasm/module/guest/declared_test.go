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

func TestParametersNameLevelsAndTypes(t *testing.T) {
	values := map[string]any{"level": "rack", "type": "vcore", "none": "", "bad": "a=b"}
	for column, expected := range map[string]string{
		"domain:$level": "domain:rack", "domain_free:$level:$type=3": "domain_free:rack:vcore=3", "domain_free:a:b:$type": "domain_free:a:b:vcore",
		"domain_free:$level:*": "domain_free:rack:*", "attribute:a:$type": "attribute:a:$type", "free:vcore=1": "free:vcore=1",
	} {
		if found, err := substitute(column, values); err != nil || found != expected {
			t.Errorf("%s: found %s, %v, expected %s", column, found, err, expected)
		}
	}
	for _, column := range []string{"domain:$none", "domain_free:$bad:vcore", "domain_free:$level:$colour", "attribute:$level:x"} {
		if found, err := substitute(column, values); err == nil {
			t.Errorf("%s: found %s, expected it to be refused", column, found)
		}
	}
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
