package abi_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

// The page has the table of columns between these lines.
const (
	page        = "README.md"
	columnsFrom = "<!-- columns: written by `go test ./sdk/abi -update` -->\n"
	columnsTo   = "<!-- end of columns -->\n"
)

func TestThePageHasEveryColumn(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(text), columnsFrom)
	found, after, closed := strings.Cut(rest, columnsTo)
	if !opened || !closed {
		t.Fatalf("%s: expected the lines %q and %q", page, columnsFrom, columnsTo)
	}
	expected := columnTable()
	if found == expected {
		return
	}
	if !*update {
		t.Fatalf("%s: the table of columns shows\n%s\nthe code says\n%s\n(-update writes it)", page, found, expected)
	}
	if err := os.WriteFile(page, []byte(before+columnsFrom+expected+columnsTo+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// columnTable draws the kinds in the order of their identifiers.
func columnTable() string {
	var b strings.Builder
	b.WriteString("| id | column | unit | meaning | points | since |\n|--:|---|---|---|---|---|\n")
	for _, k := range abi.Kinds {
		column := k.Name
		if k.Arg != "" {
			column += ":" + strings.ToUpper(k.Arg)
		}
		points := "`" + strings.Join(k.Points, "`, `") + "`"
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s | %s | %d.%d |\n", k.ID, column, k.Unit, strings.ReplaceAll(k.Meaning, "ARG", strings.ToUpper(k.Arg)), points, abi.Major, k.Minor())
	}
	return b.String()
}

func TestAKindKnowsTheVersionThatItCameWith(t *testing.T) {
	for name, minor := range map[string]int{"submitted": 0, "property_code": 0, "user_code": 1, "placeholder": 1} {
		if k, _ := abi.KindNamed(name); k.Minor() != minor {
			t.Errorf("%s: expected minor version %d, found %d", name, minor, k.Minor())
		}
	}
}

func TestIdentifiersOfColumnsAreTheirPlaces(t *testing.T) {
	names := map[string]bool{}
	for i, k := range abi.Kinds {
		if k.ID != abi.ColumnID(i+1) {
			t.Errorf("%s: expected the identifier %d, found %d", k.Name, i+1, k.ID)
		}
		if names[k.Name] {
			t.Errorf("%s: named twice", k.Name)
		}
		names[k.Name] = true
		if got, ok := abi.KindNamed(k.Name); !ok || got.ID != k.ID {
			t.Errorf("%s: found by its name as %v, %v", k.Name, got.ID, ok)
		}
		for _, p := range k.Points {
			if !slices.ContainsFunc(abi.Points[:], func(known abi.Point) bool { return known.Name == p }) {
				t.Errorf("%s: %s is no point", k.Name, p)
			}
		}
	}
	if k, ok := abi.KindNamed("colour"); ok {
		t.Errorf("a kind named colour was found: %v", k)
	}
}
