package features

import (
	"fmt"
	"strings"
	"unicode/utf8"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/cucumber/godog/colors"
)

// scope is where a scenario stands.
type scope struct {
	scenario                   *messages.Scenario
	rule                       *messages.Rule // nil: none
	background, ruleBackground *messages.Background
}

// scopeOf finds a scenario of a feature by the parser's number.
func scopeOf(f *messages.Feature, id string) (s scope) {
	for _, child := range f.Children {
		switch {
		case child.Background != nil:
			s.background = child.Background
		case child.Scenario != nil && child.Scenario.Id == id:
			s.scenario = child.Scenario
			return s
		case child.Rule != nil:
			inside := s
			inside.rule = child.Rule
			for _, child := range child.Rule.Children {
				if child.Background != nil {
					inside.ruleBackground = child.Background
				}
				if child.Scenario != nil && child.Scenario.Id == id {
					inside.scenario = child.Scenario
					return inside
				}
			}
		}
	}
	return s
}

var strong = colors.Bold(colors.Red)

// heading is a line such as `Feature: queues`.
func heading(keyword, name string) string {
	return strings.TrimSpace(colors.Bold(colors.White)(keyword+":") + " " + name)
}

// colorOf is the color in which a result is written.
func colorOf(s Status) colors.ColorFunc {
	switch s {
	case StatusPassed:
		return colors.Green
	case StatusFailed:
		return colors.Red
	case StatusSkipped:
		return colors.Cyan
	}
	return colors.Yellow
}

// line writes a text, each of its lines set in.
func (p *pretty) line(indent int, text string) {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			b.WriteString(strings.Repeat("  ", indent) + line)
		}
		b.WriteByte('\n')
	}
	report(p.out, b.String())
}

// description writes what stands below a heading, set in as a whole.
func (p *pretty) description(indent int, text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		p.line(indent, strings.TrimSpace(line))
	}
}

// rows writes some rows of a table in a color, in columns as wide as all of its rows need.
func (p *pretty) rows(indent int, all, shown []*messages.TableRow, color colors.ColorFunc) {
	var widths []int
	for _, row := range all {
		for i, cell := range row.Cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell.Value))
		}
	}
	for _, row := range shown {
		text := "|"
		for i, cell := range row.Cells {
			text += fmt.Sprintf(" %s%s |", color(cell.Value), strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell.Value)))
		}
		p.line(indent, text)
	}
}
