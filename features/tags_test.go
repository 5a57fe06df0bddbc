package features

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTagExpressionsAreThoseOfCucumber(t *testing.T) {
	for text, want := range map[string]string{ // which of nothing, a, b and both it selects
		"@a":                    "a ab",
		"not @a":                "- b",
		"@a or @b":              "a b ab",
		"@a and @b":             "ab",
		"@a and not @b":         "a",
		"not @a and not @b":     "-",
		"not (@a and @b)":       "- a b",
		"not not @a":            "a ab",
		"@a or @b and not @b":   "a ab",
		"(@a or @b) and not @b": "a",
		"(((@a)))":              "a ab",
		" not(@a)or(@b) ":       "- b ab",
	} {
		e, err := parseTags(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var found []string
		for _, set := range []string{"-", "a", "b", "ab"} {
			if e.holds(func(tag string) bool { return strings.Contains(set, tag[1:]) }) {
				found = append(found, set)
			}
		}
		if strings.Join(found, " ") != want {
			t.Errorf("%s: expected %q, found %q", text, want, found)
		}
	}
}

func TestATagMayHoldWhatIsEscaped(t *testing.T) {
	e, err := parseTags(`@a\(x\) or @\\ or @a\ b`)
	if want := []string{`@\`, "@a b", "@a(x)"}; err != nil || !slices.Equal(e.tags, want) {
		t.Errorf("expected %q, found %q, %v", want, e.tags, err)
	}
}

func TestTagExpression_UnreadableRefusedWithItsPlace(t *testing.T) {
	const tag = `expected a tag such as @slow, "not" or "(", found `
	for text, want := range map[string]string{
		"@a and":         `column 7: ` + tag + `the end`,
		"not":            `column 4: ` + tag + `the end`,
		"()":             `column 2: ` + tag + `")"`,
		"@ä or or":       `column 7: ` + tag + `"or"`,
		"a":              `column 1: ` + tag + `"a"`,
		"@a@b":           `column 1: ` + tag + `"@a@b"`,
		"@":              `column 1: ` + tag + `"@"`,
		"(@a":            `column 4: expected "and", "or" or ")", found the end`,
		"@a)":            `column 3: expected "and", "or" or the end, found ")"`,
		"@a and@b":       `column 4: expected "and", "or" or the end, found "and@b"`,
		"@a @b":          `column 4: expected "and", "or" or the end, found "@b"`,
		`@a\x`:           `column 3: expected a backslash only before "(", ")", a space or another backslash, found "\"`,
		`@a\`:            `column 3: expected a backslash only before "(", ")", a space or another backslash, found "\"`,
		"@a && ~@b":      `column 4: expected tags joined by "and", "or" and "not", found "&&"; write '@a and not @b'`,
		"@a,@b && ~@c":   `column 1: expected tags joined by "and", "or" and "not", found "@a,@b"; write '(@a or @b) and not @c'`,
		"@a || @b":       `column 4: expected tags joined by "and", "or" and "not", found "||"; write '@a or @b'`,
		"~@a":            `column 1: expected tags joined by "and", "or" and "not", found "~@a"; write 'not @a'`,
		"!@a":            `column 1: expected tags joined by "and", "or" and "not", found "!@a"; write 'not @a'`,
		"@a &&":          `column 4: expected tags joined by "and", "or" and "not", found "&&"`,
		"~":              `column 1: expected tags joined by "and", "or" and "not", found "~"`,
		"@a & @b":        `column 4: expected tags joined by "and", "or" and "not", found "&"`,
		"@a, @b or ~ @c": `column 1: expected tags joined by "and", "or" and "not", found "@a,"; write '@a or @b or not @c'`,
	} {
		if _, err := parseTags(text); err == nil || err.Error() != "tags: "+want {
			t.Errorf("%s: expected %s, found %v", text, want, err)
		}
	}
}

// A filter for godog selects what the expression does, in whatever set of scenarios.
func TestGodogRunsTheScenariosThatTheExpressionSelects(t *testing.T) {
	var feature strings.Builder
	feature.WriteString("Feature: f\n")
	sets := []string{"", "@a", "@b", "@c", "@a @b", "@a @c", "@b @c", "@a @b @c", "@a(x)"}
	for _, set := range sets {
		fmt.Fprintf(&feature, "  %s\n  Scenario: %s\n    Given 1s pass\n", set, "of "+set)
	}
	for text, want := range map[string]int{
		"":                    9,
		" ":                   9,
		"not @a":              5,
		"@a or @b":            6,
		"(@a or @b) and @c":   3,
		"@a or @b and @c":     5,
		"not (@a and @b)":     7,
		"@a and (@b or @c)":   3,
		"not @a and not @b":   3,
		`@a\(x\)`:             1,
		`not @a\(x\) and @a`:  4,
		"@a and not @a or @c": 4,
	} {
		if found := ran(t, feature.String(), text); found != want {
			t.Errorf("%q: expected %d scenarios, found %d", text, want, found)
		}
	}
}

func ran(t *testing.T, feature, tags string) int {
	t.Helper()
	file := t.TempDir() + "/f.feature"
	writeFile(t, file, feature)
	var out strings.Builder
	if code := Run(t.Context(), Options{Paths: []string{file}, Tags: tags, Out: &out, Err: &out}); code != Passed {
		t.Errorf("%q: exit code %d\n%s", tags, code, out.String())
	}
	for line := range strings.Lines(out.String()) {
		var n, passed int
		if _, err := fmt.Sscanf(strings.Replace(line, "scenarios", "scenario", 1), "%d scenario (%d passed)", &n, &passed); err == nil {
			return n
		}
	}
	return 0
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
