package importrules

import (
	"fmt"
	"testing"
)

func TestSwitches_KnowEveryKindOfEvent(t *testing.T) {
	all := readPackages(t)
	kinds := Kinds(all)
	if len(kinds) < 19 {
		t.Fatalf("found only the kinds %v", kinds)
	}
	for _, p := range all {
		for _, f := range p.Switches(kinds) {
			t.Error(f)
		}
	}
}

func TestSwitches_Found(t *testing.T) {
	for name, c := range map[string]struct {
		cases string
		found bool
	}{
		"all":         {"case *core.A, *core.B:", false},
		"one lacks":   {"case *core.A:", true},
		"a default":   {"case *core.A:\ndefault:", false},
		"others":      {"case *other.A:", false},
		"no pointers": {"case core.C:", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := sourceOf(t, "host/x", fmt.Sprintf("package x\nfunc f(e core.Event) { switch e.(type) {\n%s\n} }", c.cases))
			if found := p.Switches([]string{"A", "B"}); (len(found) > 0) != c.found {
				t.Errorf("found %v", found)
			}
		})
	}
}
