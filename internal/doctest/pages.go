package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Pages returns the project's documents below a root: those at the top, the introductions of its folders, of SDKs and of
// policies, and those in docs and its groups.
func Pages(root string) ([]string, error) {
	var all []string
	for _, pattern := range []string{"*.md", "*/README.md", "sdk/*/README.md", "plugins/*/README.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

var link = regexp.MustCompile(`(?:\]\(|src="|srcset=")([^)"\s]+)[)"]`)

// Links returns the targets of a page's links and pictures, those in code blocks left out.
func Links(page string) []string {
	var all []string
	inside := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			inside = !inside
		}
		if inside {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			all = append(all, m[1])
		}
	}
	return all
}

// LeadsNowhere reports whether a link of a page names a file that is not there, or a heading that the file lacks.
func LeadsNowhere(page, target string) bool {
	if strings.Contains(target, "://") {
		return false
	}
	file, anchor, _ := strings.Cut(target, "#")
	name := page
	if file != "" {
		name = filepath.Join(filepath.Dir(page), file)
	}
	if _, err := os.Stat(name); err != nil {
		return true
	}
	if anchor == "" {
		return false
	}
	text, err := os.ReadFile(name)
	return err != nil || !hasHeading(string(text), anchor)
}

var dropped = regexp.MustCompile("[^a-z0-9 _-]")

// hasHeading reports whether one of a page's headings gets this anchor.
func hasHeading(page, anchor string) bool {
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		heading := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		if strings.ReplaceAll(dropped.ReplaceAllString(heading, ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// Section returns the part of a page from a heading to the next of its level or above; empty when it has none such.
func Section(page, heading string) string {
	level := len(heading) - len(strings.TrimLeft(heading, "#"))
	var section strings.Builder
	inside, code := false, false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		marks := len(line) - len(strings.TrimLeft(line, "#"))
		if !code && marks > 0 && marks <= level {
			inside = strings.TrimSpace(line) == heading
		}
		if inside {
			section.WriteString(line)
		}
	}
	return section.String()
}

// FirstCells returns what stands in backquotes in the first column of the tables of a text.
func FirstCells(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cell, _, _ := strings.Cut(line[2:], " |")
		for _, part := range strings.Split(cell, "`") {
			if part = strings.TrimSpace(part); part != "" && part != "/" && part != "," {
				all = append(all, part)
			}
		}
	}
	return all
}
