package doctest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	flagInHelp = regexp.MustCompile(`(?m)^ +(?:-[a-z], +)?--([a-z-]+)`)
	flagInPage = regexp.MustCompile("`(?:-[a-z], )?--([a-z-]+)")
	subcommand = regexp.MustCompile(`(?m)^  ([a-z]+) `)
)

// help returns what a command says of itself.
func help(t *testing.T, bin string, words []string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "quern"), append(slices.Clone(words), "--help")...)
	cmd.Env = environment(bin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("quern %s --help: %v", strings.Join(words, " "), err)
	}
	return string(out)
}

// subcommands returns the commands that a help text lists.
func subcommands(text string) []string {
	_, list, ok := strings.Cut(text, "Available Commands:\n")
	if !ok {
		return nil
	}
	list, _, _ = strings.Cut(list, "\n\n")
	var all []string
	for _, m := range subcommand.FindAllStringSubmatch(list, -1) {
		if m[1] != "help" {
			all = append(all, m[1])
		}
	}
	return all
}

func flagsIn(expr *regexp.Regexp, text string) []string {
	var all []string
	for _, m := range expr.FindAllStringSubmatch(text, -1) {
		if m[1] != "help" {
			all = append(all, m[1])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryCommandAndFlagIsOnItsPageAndNoOther(t *testing.T) {
	bin := build(t)
	text := page(t, "docs/command-line.md")
	top := help(t, bin, nil)
	all := subcommands(top)
	if len(all) < 5 {
		t.Fatalf("only %d commands in the help: %v", len(all), all)
	}
	for _, name := range all {
		section := Section(text, "## quern "+name)
		if section == "" {
			t.Errorf("docs/command-line.md: no section \"## quern %s\"", name)
			continue
		}
		says := help(t, bin, []string{name})
		sameFlags(t, "quern "+name, flagsIn(flagInHelp, says), flagsIn(flagInPage, section))
		for _, sub := range subcommands(says) {
			if !strings.Contains(section, "`"+sub+"`") {
				t.Errorf("docs/command-line.md: quern %s: %s is missing", name, sub)
			}
		}
	}
	for _, f := range flagsIn(flagInHelp, top) {
		if !strings.Contains(text, "`--"+f+"`") {
			t.Errorf("docs/command-line.md: quern: --%s is missing", f)
		}
	}
}

func sameFlags(t *testing.T, command string, help, shown []string) {
	t.Helper()
	for _, f := range help {
		if !slices.Contains(shown, f) {
			t.Errorf("docs/command-line.md: %s: --%s is missing", command, f)
		}
	}
	for _, f := range shown {
		if !slices.Contains(help, f) {
			t.Errorf("docs/command-line.md: %s has no --%s", command, f)
		}
	}
}
