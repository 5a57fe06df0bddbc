package features

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/colors"
)

// progress is the library's dots with a summary of ours.
type progress struct {
	*godog.ProgressFmt
	out io.Writer
}

func newProgress(suite string, out io.Writer) godog.Formatter {
	return &progress{godog.NewProgressFmt(suite, out), out}
}

// Summary ends the line of dots and tells what did not pass, and why.
func (p *progress) Summary() {
	if *p.Steps%p.StepsPerRow != 0 {
		report(p.out, fmt.Sprintf(" %d\n", *p.Steps))
	}
	run := outcomeOf(p.Base)
	report(p.out, "\n"+run.problems(true)+run.totals())
}

// problems lists the steps that did not pass, by file and line; why says how much of the reasons.
func (o outcome) problems(why bool) string {
	var b strings.Builder
	for _, f := range o.files {
		for _, p := range f.scenarios {
			for _, s := range p.failed() {
				fmt.Fprintf(&b, "%s %s\n%s%s\n", f.at(s.Line), colors.Red(s.Keyword+" "+s.Text), indented(p.title()), indented(s.reason(why)))
			}
			if len(p.Steps) == 0 {
				fmt.Fprintf(&b, "%s %s\n%s\n", f.at(p.Line), colors.Red(p.Name), indented(p.Message))
			}
		}
	}
	return b.String()
}

// at is a place in the form that editors make a link of.
func (f *playedFile) at(line int) string {
	return colors.Bold(colors.Red)(fmt.Sprintf("%s:%d:", f.path, line))
}

// title names a scenario with its line, and that of its example.
func (p *Played) title() string {
	text := fmt.Sprintf("scenario %q, line %d", p.Name, p.Line)
	if p.Example > 0 {
		text += fmt.Sprintf(", example in line %d", p.Example)
	}
	return text
}

// reason is why a step did not pass: all of it, or its first line where that tells the rest stands elsewhere.
func (s *PlayedStep) reason(all bool) string {
	text := s.Message
	if len(s.nearest) > 0 {
		text += "; the nearest steps are:"
		for _, form := range s.nearest {
			text += "\n  " + form
		}
	}
	if !all && s.Status == StatusFailed {
		text, _, _ = strings.Cut(text, "\n")
	}
	return text
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// totals counts scenarios and steps, and tells the time and the order.
func (o outcome) totals() string {
	scenarios, steps := map[Status]int{}, map[Status]int{}
	for _, f := range o.files {
		for _, p := range f.scenarios {
			scenarios[p.Status]++
			for _, s := range p.Steps {
				steps[s.Status]++
			}
		}
	}
	text := counted(scenarios, "scenario") + counted(steps, "step") + time.Since(o.started).Round(time.Microsecond).String() + "\n"
	if o.seed != 0 {
		text += "\nRandomized with seed: " + colors.Yellow(strconv.FormatInt(o.seed, 10)) + "\n"
	}
	return text
}

// counted is a line such as `3 scenarios (2 passed, 1 failed)`.
func counted(by map[Status]int, thing string) string {
	sum := 0
	var parts []string
	for _, s := range []struct {
		status Status
		color  colors.ColorFunc
	}{
		{StatusPassed, colors.Green}, {StatusFailed, colors.Red}, {StatusPending, colors.Yellow}, {StatusAmbiguous, colors.Yellow},
		{StatusUndefined, colors.Yellow}, {StatusSkipped, colors.Cyan},
	} {
		if n := by[s.status]; n > 0 {
			sum += n
			parts = append(parts, s.color(fmt.Sprintf("%d %s", n, s.status)))
		}
	}
	if sum != 1 {
		thing += "s"
	}
	if sum == 0 {
		return "No " + thing + "\n"
	}
	return fmt.Sprintf("%d %s (%s)\n", sum, thing, strings.Join(parts, ", "))
}
