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

// commandPages are the texts of the pages about commands, by name.
func commandPages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs/commands/*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("found the pages %v of docs/commands: %v", files, err)
	}
	all := map[string]string{}
	for _, file := range files {
		all[filepath.Base(file)] = read(t, file)
	}
	return all
}

// sectionOf returns what the pages say about a command: a page of its own, or a section of another.
func sectionOf(all map[string]string, command string) string {
	for _, text := range all {
		for _, mark := range []string{"# ", "## "} {
			if section := Section(text, mark+command); section != "" {
				return section
			}
		}
	}
	return ""
}

func TestCommands_EveryOneAndItsFlagsAreOnTheirPage(t *testing.T) {
	bin := build(t)
	all := commandPages(t)
	top := help(t, bin, nil)
	names := subcommands(top)
	if len(names) < 5 {
		t.Fatalf("only %d commands in the help: %v", len(names), names)
	}
	for _, name := range names {
		section := sectionOf(all, "quern "+name)
		if section == "" {
			t.Errorf("docs/commands: no page or section \"quern %s\"", name)
			continue
		}
		if !strings.Contains(all["overview.md"], "[`"+name+"`](") {
			t.Errorf("docs/commands/overview.md: the table lacks %s", name)
		}
		says := help(t, bin, []string{name})
		sameFlags(t, "quern "+name, flagsIn(flagInHelp, says), flagsIn(flagInPage, section))
		for _, sub := range subcommands(says) {
			if !strings.Contains(section, "`"+sub+"`") {
				t.Errorf("docs/commands: quern %s: %s is missing", name, sub)
			}
		}
	}
	for _, f := range flagsIn(flagInHelp, top) {
		if !strings.Contains(all["overview.md"], "`--"+f+"`") {
			t.Errorf("docs/commands/overview.md: quern: --%s is missing", f)
		}
	}
}

func sameFlags(t *testing.T, command string, help, shown []string) {
	t.Helper()
	for _, f := range help {
		if !slices.Contains(shown, f) {
			t.Errorf("docs/commands: %s: --%s is missing", command, f)
		}
	}
	for _, f := range shown {
		if !slices.Contains(help, f) {
			t.Errorf("docs/commands: %s has no --%s", command, f)
		}
	}
}
