package placement

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// names makes the names of a filter like package config.
func names(t *testing.T, entries ...string) Names {
	t.Helper()
	if len(entries) != 1 || !IsExpression(entries[0]) {
		return List(entries)
	}
	n, err := Expression(entries[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestUsersAndGroupsThatPassAFilter(t *testing.T) {
	type list = []string
	for _, c := range []struct {
		deny          bool
		users, groups []string
		user          string
		of            []string
		want          bool
	}{
		{false, nil, nil, "ann", nil, true},
		{true, nil, nil, "ann", nil, false},
		{false, list{"ann", "bob"}, nil, "bob", nil, true},
		{false, list{"ann", "bob"}, nil, "Bob", nil, false},
		{true, list{"ann", "bob"}, nil, "bob", nil, false},
		{true, list{"ann", "bob"}, nil, "eve", nil, true},
		{false, nil, list{"ops"}, "eve", list{"dev", "ops"}, true},
		{false, nil, list{"ops"}, "ops", nil, false},
		{false, list{"ann"}, list{"ops"}, "eve", list{"ops"}, true},
		{true, list{"ann"}, list{"ops"}, "ann", nil, false},
		{false, list{"^svc-"}, nil, "svc-a", nil, true},
		{false, list{"^svc-"}, nil, "my-svc-a", nil, false},
		{false, list{"svc+"}, nil, "my-svcc", nil, true},
		{false, list{"a$"}, nil, "a$", nil, false}, // a single entry is an expression
		{false, list{"a$"}, nil, "bba", nil, true},
		{false, list{"a$", "b"}, nil, "a$", nil, true},
		{false, nil, list{"^d|^o"}, "eve", list{"x", "ops"}, true},
		{false, nil, list{"^a.*b$"}, "eve", list{"a", "b"}, false}, // each group alone
		{true, nil, list{"^o"}, "eve", list{"x"}, true},
		{false, list{".*"}, nil, "", nil, true},
		{false, list{"ann"}, nil, "", list{""}, false},
	} {
		f := &Filter{c.deny, names(t, c.users...), names(t, c.groups...)}
		if got := f.Passes(c.user, c.of); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	var none *Filter
	if !none.Passes("ann", nil) {
		t.Error("a rule without a filter is for everybody")
	}
}

func TestExpressionsAreBounded(t *testing.T) {
	for text, want := range map[string]string{
		"a(":                            `expected an expression that compiles, found "a(", missing closing )`,
		"*":                             `expected an expression that compiles, found "*", missing argument to repetition operator`,
		"(?=a)":                         `expected an expression that compiles, found "(?=a)", invalid or unsupported Perl syntax`,
		`(a)\1`:                         `expected an expression that compiles, found "(a)\\1", invalid escape sequence`,
		"((a{100}){100}){100}":          `expected an expression that compiles, found "((a{100}){100}){100}", invalid repeat count`,
		strings.Repeat("a", 256) + "+":  "expected an expression of at most 256 bytes, found 257",
		strings.Repeat(".{900}", 40):    "expected an expression of at most 1000 steps, repetitions counted, found 36002",
		strings.Repeat("(a|b){300}", 2): "expected an expression of at most 1000 steps, repetitions counted, found 1802",
	} {
		if _, err := Expression(text); err == nil || err.Error() != want {
			t.Errorf("%.40s: expected %s, found %v", text, want, err)
		}
	}
	if n, err := Expression(strings.Repeat("a", 255) + "+"); err != nil || !n.Match(strings.Repeat("a", 300)) {
		t.Error(err)
	}
}

// A backtracking matcher would not return.
func TestMatchingTakesTimeInProportion(t *testing.T) {
	n, err := Expression("(a*)*(a|aa)+(.?a){180}b$")
	if err != nil {
		t.Fatal(err)
	}
	if n.Match(strings.Repeat("a", 1000)) {
		t.Error("it has no b")
	}
}

func TestAFullNameNeedsNoParent(t *testing.T) {
	for value, want := range map[string]bool{"root.a": true, "root.a.b": true, "a": false, "rooted.a": false, "root": false} {
		if got := (&Rule{Kind: Fixed, Value: value}).FullName(); got != want {
			t.Errorf("%s: %v", value, got)
		}
		if (&Rule{Kind: Tag, Value: value}).FullName() {
			t.Errorf("the tag %s is no name", value)
		}
	}
}

// FuzzExpression compares an expression within the bounds with the library's matcher, and with itself after a round trip.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"a$", "^svc-.*", "[a-z]{1,20}", "a(", "(?i)x*", `\pL+`, "(a{9}){9}"} {
		f.Add(text, "svc-a")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		n, err := Expression(text)
		if err != nil {
			if bad, ok := err.(*ExpressionError); !ok || bad.Expected == "" || bad.Found == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if len(text) > MostExpression || n.Match(name) != regexp.MustCompile(text).MatchString(name) {
			t.Fatalf("%q, %q", text, name)
		}
		again, err := Expression(n.Entries()[0])
		if err != nil || !reflect.DeepEqual(n, again) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
