package program

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// wide are the lines that look like a row of a table and have more than 80 characters.
func wide(text string) (all []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.Contains(strings.TrimSpace(line), "  ") && utf8.RuneCountInString(line) > 80 {
			all = append(all, line)
		}
	}
	return all
}

func TestTablesAreFoldedTo80Columns(t *testing.T) {
	examples, err := filepath.Abs("../../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	withCluster(t)
	quern("", "context", "add", "production-cluster-of-the-main-site", "--server", "https://quern.example.org:9080/of/the/main/site", "--token-file", "/etc/quern/token").want(t, cli.Succeeded, "", "")
	examples += "/"
	for _, command := range []string{
		"replay " + examples + "journal.jsonl", "replay " + examples + "limits.jsonl", "replay " + examples + "gang.jsonl",
		"replay " + examples + "journal.jsonl --compare " + examples + "queues.yaml",
		"get queues -o wide", "get apps -o wide", "get nodes -o wide", "get asks -o wide", "get policies -o wide",
		"config history", "context list", "describe queue root.a",
	} {
		t.Setenv("COLUMNS", "")
		plain := quern("", strings.Fields(command)...)
		t.Setenv("COLUMNS", "80")
		narrow := quern("", strings.Fields(command)...)
		if found := wide(narrow.out); narrow.code != cli.Succeeded || len(found) > 0 {
			t.Errorf("%s: exit code %d, %s; wider than 80 columns:\n%s", command, narrow.code, narrow.err, strings.Join(found, "\n"))
		}
		if len(wide(plain.out)) == 0 && plain.out != narrow.out && !strings.HasPrefix(command, "replay") { // replay prints times
			t.Errorf("%s: a table that fits is folded:\n%s", command, narrow.out)
		}
	}
}

func TestExplanationsAreFoldedAtSentences(t *testing.T) {
	examples, err := filepath.Abs("../../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	withCluster(t)
	examples += "/"
	for _, command := range []string{
		"explain --config " + examples + "queues.yaml " + examples + "waiting.jsonl --ask more",
		"explain --config " + examples + "preempt.yaml " + examples + "preempt.jsonl --ask young-1 --at idle",
		"explain --ask huge", "describe ask huge",
	} {
		t.Setenv("COLUMNS", "")
		plain := quern("", strings.Fields(command)...)
		t.Setenv("COLUMNS", "80")
		narrow := quern("", strings.Fields(command)...)
		if plain.code != cli.Succeeded || narrow.code != cli.Succeeded {
			t.Fatalf("%s: %v %v", command, plain, narrow)
		}
		for line := range strings.Lines(narrow.out) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("%s: wider than 80 columns: %s", command, line)
			}
		}
		if strings.Join(strings.Fields(plain.out), " ") != strings.Join(strings.Fields(narrow.out), " ") {
			t.Errorf("%s: the folded text differs:\n%s\n%s", command, plain.out, narrow.out)
		}
		if sentences := strings.Count(plain.out, ". "); sentences == 0 || strings.Count(narrow.out, ".\n") < sentences {
			t.Errorf("%s: expected each sentence on a line, found\n%s", command, narrow.out)
		}
	}
}

func TestHelpIsFoldedTo80Columns(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for line := range strings.Lines(c.Long + "\n\n" + c.LocalFlags().FlagUsagesWrapped(80)) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("%s: wider than 80 columns: %s", c.CommandPath(), line)
			}
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	root := newRoot(cli.Streams{})
	look(root)
	if help := quern("", "serve", "--help").out; strings.Contains(help, "clients by certificates that an authority in this FILE has signed") {
		t.Errorf("the flags of help are not folded:\n%s", help)
	}
}
