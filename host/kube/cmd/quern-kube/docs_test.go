package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var flagInTable = regexp.MustCompile("(?m)^\\| `--([a-z-]+)")

// documented are the flags in the tables of a section of a page.
func documented(t *testing.T, page, section string) (names []string) {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(text), "\n## "+section+"\n")
	if !found {
		t.Fatalf("%s: found no section %q", page, section)
	}
	part, _, _ = strings.Cut(part, "\n## ")
	for _, row := range flagInTable.FindAllStringSubmatch(part, -1) {
		names = append(names, row[1])
	}
	slices.Sort(names)
	return names
}

func TestEveryFlagIsOnItsPage(t *testing.T) {
	platform := pflag.NewFlagSet("", pflag.ContinueOnError)
	platform.Int("max-predicates", 0, "") // has another default
	kube().New().Register(platform)
	commands := map[string]*cobra.Command{}
	for _, c := range kube().Below() {
		commands[c.Name()] = c
	}
	for _, c := range []struct {
		flags         *pflag.FlagSet
		page, section string
		others        []string // flags of the section that are not the platform's
	}{
		{platform, "kubernetes/overview.md", "Flags", []string{"data", "health"}},
		{commands["record"].Flags(), "kubernetes/history.md", "quern kube record", nil},
		{commands["webhook"].Flags(), "kubernetes/webhook.md", "quern kube webhook", nil},
	} {
		want := slices.Clone(c.others)
		c.flags.VisitAll(func(f *pflag.Flag) { want = append(want, f.Name) })
		slices.Sort(want)
		if found := documented(t, c.page, c.section); !slices.Equal(found, want) {
			t.Errorf("%s, %s:\nexpected %v\nfound    %v", c.page, c.section, want, found)
		}
	}
}
