package doctest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

var update = flag.Bool("update", false, "write what the program and the code say into the documents")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func page(t *testing.T, name string) string {
	t.Helper()
	return read(t, filepath.Join(root, name))
}

func pages(t *testing.T) []string {
	t.Helper()
	all, err := Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func source(t *testing.T, folder string) *Source {
	t.Helper()
	s, err := ReadSource(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryKeyStandsInTheReferenceAsTheCodeHasIt(t *testing.T) {
	name := filepath.Join(root, "docs/configure/configuration.md")
	text := read(t, name)
	keys := source(t, "core/config")
	rows := keys.Rows("KeyDoc")
	levels := keys.Prefixed("In")
	if len(rows) < 20 || len(levels) != 9 {
		t.Fatalf("%d keys at %d levels read from the code", len(rows), len(levels))
	}
	for _, level := range levels {
		want := KeyTable(rows, level)
		got, ok := Marked(text, "keys of "+level)
		if !ok {
			t.Errorf("no table of the keys of %s", level)
		}
		if got != want && !*update {
			t.Errorf("keys of %s: the page shows\n%s\nthe code says\n%s\n(-update writes it)", level, got, want)
		}
		text = Remarked(text, "keys of "+level, want)
	}
	if *update && !t.Failed() {
		write(t, name, text)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each of these lists of constants is documented by the first column of the tables below one heading.
func TestEveryNameOfTheJournalIsDocumentedAndNoOther(t *testing.T) {
	core, explain := source(t, "core"), source(t, "core/explain")
	cases := []struct{ heading, typeName string }{
		{"## Inputs", "InputType"},
		{"## Decisions", "DecisionType"},
		{"## Reason codes", "Reason"},
	}
	text := page(t, "docs/reference/journal.md")
	for _, c := range cases {
		want := append(core.Texts(c.typeName), explain.TextsDeclared("core."+c.typeName)...)
		want = slices.DeleteFunc(want, func(w string) bool { return w == "" }) // Accepted is no code
		got := FirstCells(Section(text, c.heading))
		slices.Sort(got)
		got = slices.Compact(got)
		if len(want) == 0 {
			t.Errorf("no constants of type %s found", c.typeName)
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("docs/reference/journal.md: %s: %s is missing", c.heading, w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("docs/reference/journal.md: %s: the code knows no %s", c.heading, g)
			}
		}
	}
}

func TestEveryFieldOfAnInputIsDocumented(t *testing.T) {
	fields := source(t, "core/journal").Listed("keyNames")
	if len(fields) < 30 {
		t.Fatalf("only %d fields found: %v", len(fields), fields)
	}
	text := page(t, "docs/reference/journal.md")
	for _, f := range fields {
		if f != "version" && !strings.Contains(text, "`"+f+"`") { // version stands in the first line alone, as JSON
			t.Errorf("docs/reference/journal.md: field %s is missing", f)
		}
	}
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	for _, name := range pages(t) {
		for _, target := range Links(read(t, name)) {
			if LeadsNowhere(name, target) {
				t.Errorf("%s: %s leads nowhere", name, target)
			}
		}
	}
}
