package features_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/features"
)

const markedFeature = "\ufeffFeature: f\n  Scenario: s\n    Given a node \"n1\" with 4 vcore\n    When \"a\" asks in root.default for 4 vcore\n    Then \"a\" is allocated\n"

func TestByteOrderMark_SkippedInFeatures(t *testing.T) {
	code, out := play(t, markedFeature, features.Options{Format: features.FormatPretty})
	if code != features.Passed || strings.Contains(out, "\ufeff") {
		t.Errorf("exit code %d\n%q", code, out)
	}
	list, err := features.Play(t.Context(), markedFeature, 0, features.Native)
	if err != nil || len(list) != 1 || list[0].Status != features.StatusPassed {
		t.Errorf("found %+v, %v", list, err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "f.feature"), []byte(markedFeature), 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if code := features.Run(t.Context(), features.Options{Paths: []string{folder}, Out: &b, Err: &b}); code != features.Passed {
		t.Errorf("exit code %d\n%s", code, b.String())
	}
	if code, out := play(t, strings.Replace(markedFeature, "  Scenario", "\ufeff  Scenario", 1), features.Options{}); code == features.Passed {
		t.Errorf("a mark within the text is skipped:\n%s", out)
	}
}

func TestAmounts_NegativeOnesAreRefused(t *testing.T) {
	const head = "Feature: f\n  Scenario: s\n    Given a node \"n1\" with 16 vcore\n    And \"old\" asks in root.default for 1 vcore\n"
	for _, step := range []string{
		`When "a" asks in root.default for -100 vcore`,
		`When "old" asks "a" for 1Gi memory, -100 vcore`,
		`When ask "old" now needs -1 vcore`,
		`Given a node "n2" with -1 vcore`,
		`When node "n1" is updated with capacity -1 vcore`,
		`When node "n1" is updated with occupied -1 vcore`,
		"When the asks:\n      | ask | queue | resources |\n      | a | root.default | -100 vcore |",
		"Given the nodes:\n      | node | capacity | occupied |\n      | n2 | 1 vcore | -100 vcore |",
		"When the allocations:\n      | allocation | queue | resources | on |\n      | a | root.default | -100 vcore | n1 |",
		`When "old" has "a" for -100 vcore restored on "n1"`,
		`When a gang "g" in root.default with placeholders for -100 vcore`,
		"When the applications:\n      | application | queue | placeholders |\n      | g | root.default | -100 vcore |",
		`When "old" asks placeholder "p" of group "g" for -100 vcore`,
		`When "old" asks "m" in gang "g" of at least 1 for -100 vcore`,
		"Then a max of -100 vcore for queue \"root.default\" would be explained by:\n      | excess | nothing |",
	} {
		code, out := play(t, head+"    "+step+"\n", features.Options{})
		if code != features.Failed || !strings.Contains(out, "expected amounts of 0 or more, found -1") || strings.Contains(out, "found -100000m") {
			t.Errorf("%s: exit code %d\n%s", step, code, out)
		}
	}
}

func TestTypes_NamesOfOtherSystems(t *testing.T) {
	for typ, want := range map[string]string{
		"cpu": "vcore", "CPU": "vcore", "cpus": "vcore", "cores": "vcore", "vcpu": "vcore", "mem": "memory", "RAM": "memory", "vcores": "vcore", "Memory": "memory",
	} {
		text := "Feature: f\n  Scenario: s\n    Given a node \"n1\" with 4 " + typ + "\n    When \"a\" asks in root.default for 1 vcore\n    Then \"a\" waits\n"
		code, out := play(t, text, features.Options{})
		if code != features.Failed || !strings.Contains(out, "own.feature:3: Given a node \"n1\" with 4 "+typ) || !strings.Contains(out, "resource type: expected "+want+", found "+typ) {
			t.Errorf("%s: exit code %d\n%s", typ, code, out)
		}
	}
}
