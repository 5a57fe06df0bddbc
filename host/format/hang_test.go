package format

import "testing"

func TestATextHangsBesideItsLabel(t *testing.T) {
	const text = "one two three four five six seven eight nine ten"
	for columns, want := range map[int]string{
		0:  "  label  " + text,
		57: "  label  " + text,
		56: "  label  one two three four five six seven eight nine\n         ten",
		34: "  label  one two three four five\n         six seven eight nine ten",
		20: "  label\n    one two three\n    four five six\n    seven eight nine\n    ten",
		1:  "  label\n    one\n    two\n    three\n    four\n    five\n    six\n    seven\n    eight\n    nine\n    ten",
	} {
		if found := Hang("  label  ", text, columns); found != want {
			t.Errorf("%d columns: expected\n%s\nfound\n%s", columns, want, found)
		}
	}
	if found := Hang("label  ", "", 80); found != "label" {
		t.Errorf("found %q", found)
	}
}
