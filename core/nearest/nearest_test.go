package nearest_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/nearest"
)

func TestTheNearestNamesAreFound(t *testing.T) {
	known := []string{"root.research.vision", "root.research.text", "root.prod", "train-1", "train-7", "train-70", "--policies", "a", "vcore"}
	for name, want := range map[string]string{
		"root.reserach.vision": "root.research.vision",
		"ROOT.PROD":            "root.prod",
		"trian-7":              "train-7 or train-70 or train-1",
		"--polices":            "--policies",
		"vcoor":                "vcore",
		"nobody":               "",
		"":                     "",
		"b":                    "",
	} {
		if found := strings.Join(nearest.Names(name, known), " or "); found != want {
			t.Errorf("%q: expected %q, found %q", name, want, found)
		}
	}
	if found := nearest.Hint(nearest.Names("root.prd", known)); found != "; did you mean root.prod?" {
		t.Errorf("found %q", found)
	}
	long := strings.Repeat("x", 1000)
	if found := nearest.Names(long+"y", []string{long}); found != nil {
		t.Errorf("a long name is compared: %q", found)
	}
}

func TestTheOrderOfKnownNamesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SliceOfDistinct(rapid.StringMatching(`[ab]{1,6}`), rapid.ID).Draw(t, "known")
		name := rapid.StringMatching(`[ab]{1,6}`).Draw(t, "name")
		found := nearest.Names(name, known)
		if again := nearest.Names(name, rapid.Permutation(known).Draw(t, "other order")); !slices.Equal(found, again) {
			t.Fatalf("found %q and %q", found, again)
		}
		for i := 1; i < len(found); i++ {
			if nearest.Distance(name, found[i-1]) > nearest.Distance(name, found[i]) {
				t.Fatalf("%q: %q is nearer than %q", name, found[i], found[i-1])
			}
		}
	})
}

func TestAHintQuotesWhatATerminalWouldActOn(t *testing.T) {
	for want, names := range map[string][]string{
		"":                                nil,
		"; did you mean a or root.ü?":     {"a", "root.ü"},
		`; did you mean "a\x1b[2J" or b?`: {"a\x1b[2J", "b"},
	} {
		if found := nearest.Hint(names); found != want {
			t.Errorf("expected %q, found %q", want, found)
		}
	}
}
