package core

import "testing"

func TestAShownPathIsTakenApartAgain(t *testing.T) {
	for _, c := range []struct{ partition, path, shown string }{
		{"", "root.a", "root.a"}, {"gpu", "root.a", "[gpu]root.a"}, {"a.b]c", "root", "[a.b]c]root"}, {"gpu", "", "[gpu]"},
	} {
		if shown := ShownPath(c.partition, c.path); shown != c.shown {
			t.Errorf("expected %s, found %s", c.shown, shown)
		}
		if partition, path := SplitPath(c.shown); partition != c.partition || path != c.path {
			t.Errorf("%s: expected %q and %q, found %q and %q", c.shown, c.partition, c.path, partition, path)
		}
	}
	for _, odd := range []string{"", "]root", "[gpu", "root]"} {
		if partition, path := SplitPath(odd); partition != "" || path != odd {
			t.Errorf("%s: expected it whole, found %q and %q", odd, partition, path)
		}
	}
}
