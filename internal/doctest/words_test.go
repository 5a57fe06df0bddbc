package doctest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// banned are turns that the checklist in CONTRIBUTING rules out and that are wrong wherever they stand in a document, with the plain
// form. The checklist has what only a reader can judge.
var banned = map[string]string{
	`(no|some|any|every)body`:                   `the noun: "no ask", "another client", "all users"`,
	`whom`:                                      `a noun for the person or the object`,
	`it is the \w+ (who|that)`:                  `a subject and a verb`,
	`what is (yours|ours|theirs)`:               `a noun: "your files"`,
	`what (came|comes|became) of`:               `"result" or "effect"`,
	`(is|are|was|were) told all the same`:       `"is still reported"`,
	`anew|for ever|lest|whence|whereby|thereof`: `"again", "forever", "so that … not", a plain clause`,
	`upon|but for`:                              `"on", "except"`,
	`wants to know`:                             `the fact itself`,
	`in vain`:                                   `"without success"`,
}

// prose blanks code and what programs print. Lines keep their numbers.
func prose(page string) string {
	lines := strings.Split(page, "\n")
	fenced := false
	for i, line := range lines {
		mark := strings.HasPrefix(strings.TrimSpace(line), "```")
		if mark {
			fenced = !fenced
		}
		if mark || fenced {
			lines[i] = ""
			continue
		}
		parts := strings.Split(line, "`")
		for j := 1; j < len(parts); j += 2 {
			parts[j] = ""
		}
		lines[i] = strings.Join(parts, "`")
	}
	return strings.Join(lines, "\n")
}

func TestDocuments_HaveNoBannedTurns(t *testing.T) {
	count := 0
	for _, name := range pages(t) {
		count++
		text := prose(read(t, name))
		if filepath.Base(name) == "CONTRIBUTING.md" {
			text, _, _ = strings.Cut(text, "## Plain English") // which shows them
		}
		for phrase, better := range banned {
			expr := regexp.MustCompile(`(?i)\b(` + strings.ReplaceAll(phrase, " ", `\s+`) + `)\b`)
			for _, at := range expr.FindAllStringIndex(text, -1) {
				t.Errorf("%s:%d: %q: write %s", name, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], better)
			}
		}
	}
	if count < 60 {
		t.Errorf("only %d documents found", count)
	}
}

func TestProse_LeavesOutCode(t *testing.T) {
	if got := prose("a `whom` b\n```sh\nwhom\n```\nwhom"); got != "a `` b\n\n\n\nwhom" {
		t.Errorf("found %q", got)
	}
}
