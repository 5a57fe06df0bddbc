package class

import (
	"testing"

	"github.com/quern-project/quern/core/resource"
)

func TestRecent_OnlyEqualConstraints(t *testing.T) {
	types := resource.NewTypes()
	set := resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})
	types.Admit(set)
	r := NewRegistry(types)
	shape := func(constraints map[string][]string) *Shape { return &Shape{Resources: set, Constraints: constraints} }
	wanted := r.Of(shape(map[string][]string{"zone": {"b", "a"}, "disk": {"ssd"}}))
	if found := r.Recent(shape(map[string][]string{"disk": {"ssd"}, "zone": {"a", "b"}})); !found.IsNone() && found != wanted {
		t.Errorf("found class %d, expected %d", found.ID(), wanted.ID())
	}
	r.Of(shape(map[string][]string{"zone": {"a", "b"}, "disk": {"ssd"}}))
	if found := r.Recent(shape(map[string][]string{"disk": {"ssd"}, "zone": {"a", "b"}})); found != wanted {
		t.Errorf("found %v, expected class %d", found, wanted.ID())
	}
	for _, other := range []map[string][]string{
		nil, {"zone": {"a", "b"}}, {"zone": {"a", "b"}, "rack": {"ssd"}}, {"zone": {"a"}, "disk": {"ssd"}}, {"zone": {"a", "c"}, "disk": {"ssd"}},
	} {
		r.recent[shape(other).hash()%recentClasses] = wanted.class // as if the hashes were equal
		if found := r.Recent(shape(other)); !found.IsNone() {
			t.Errorf("%v has class %d", other, found.ID())
		}
	}
}
