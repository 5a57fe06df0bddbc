package manager

import "testing"

func TestSince_KnownToDecisions(t *testing.T) {
	for _, test := range []struct {
		name          string
		since         since
		knownTo, then bool // at 10
	}{
		{"from the beginning", since{}, true, true},
		{"pending", soon, false, false},
		{"earlier", submittedAt(9), true, true},
		{"at that time", submittedAt(10), true, false},
		{"later", submittedAt(11), false, false},
	} {
		if got := test.since.knownTo(10); got != test.knownTo {
			t.Errorf("%s: known to a decision: %v, expected %v", test.name, got, test.knownTo)
		}
		if got := test.since.before(10); got != test.then {
			t.Errorf("%s: before a decision: %v, expected %v", test.name, got, test.then)
		}
	}
}
