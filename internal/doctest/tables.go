package doctest

import (
	"fmt"
	"strings"
)

// KeyTable draws the rows of the configuration's key table that stand at one level. A row is a config.KeyDoc: key,
// level, type, default, what is inherited, effect, status.
func KeyTable(rows [][]string, level string) string {
	var b strings.Builder
	b.WriteString("| key | value | default | inherited | effect |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		if len(r) != 7 || r[1] != level {
			continue
		}
		effect := r[5]
		if r[6] != "works" {
			effect = fmt.Sprintf("*%s%s.* %s", strings.ToUpper(r[6][:1]), r[6][1:], effect)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r[0], r[2], orDash(r[3]), orDash(r[4]), effect)
	}
	return b.String()
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// Marked returns what stands in a page between the comments "begin name" and "end name"; ok is false without them.
func Marked(page, name string) (text string, ok bool) {
	_, after, ok := strings.Cut(page, begin(name))
	if !ok {
		return "", false
	}
	text, _, ok = strings.Cut(after, end(name))
	return text, ok
}

// Remarked returns a page with another text between these comments.
func Remarked(page, name, text string) string {
	before, after, _ := strings.Cut(page, begin(name))
	_, after, _ = strings.Cut(after, end(name))
	return before + begin(name) + text + end(name) + after
}

func begin(name string) string { return "<!-- begin " + name + " -->\n" }
func end(name string) string   { return "<!-- end " + name + " -->\n" }
