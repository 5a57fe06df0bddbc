package features

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/colors"
)

// pretty lists every step as the feature file has it: features, rules and backgrounds once, each where it stands. A scenario is
// written when it is over. The library has a listing of its own; it repeats the background of a rule for every example, mixes
// it with that of the feature, and leaves out the rules.
type pretty struct {
	*godog.BaseFmt
	out        io.Writer
	results    *results
	feature    *messages.Feature
	path       string
	pickle     *messages.Pickle // under way; nil: none
	vocabulary *matcher
	written    map[string]bool // the parser's numbers of what the feature has only once; nil before the first feature
}

func newPretty(suite string, out io.Writer) godog.Formatter {
	return &pretty{BaseFmt: godog.NewBaseFmt(suite, out), out: out, vocabulary: newMatcher()}
}

// Feature begins a file.
func (p *pretty) Feature(document *messages.GherkinDocument, path string, text []byte) {
	p.flush()
	p.BaseFmt.Feature(document, path, text)
	p.feature = document.Feature
	if p.written != nil {
		p.line(0, "")
	}
	p.path, _ = fileOf(path)
	p.results = newResults(p.BaseFmt, p.feature, p.vocabulary)
	p.written = map[string]bool{}
	p.line(0, heading(p.feature.Keyword, p.feature.Name))
	p.description(1, p.feature.Description)
}

// Pickle begins a scenario, or one line of examples.
func (p *pretty) Pickle(pickle *messages.Pickle) {
	p.flush()
	p.BaseFmt.Pickle(pickle)
	p.pickle = pickle
}

// Summary lists what did not pass.
func (p *pretty) Summary() {
	p.flush()
	run := outcomeOf(p.BaseFmt)
	report(p.out, "\n"+run.problems(false)+run.totals())
}

// flush writes the scenario that is over.
func (p *pretty) flush() {
	if p.pickle == nil {
		return
	}
	played, place := p.results.of(p.pickle), scopeOf(p.feature, p.pickle.AstNodeIds[0])
	p.pickle = nil
	results := map[int]*PlayedStep{}
	for i := range played.Steps {
		results[played.Steps[i].Line] = &played.Steps[i]
	}
	p.background(1, place.background, results)
	indent := p.rule(place, results)
	if len(place.scenario.Examples) == 0 {
		p.scenario(indent, place.scenario)
		p.steps(indent+1, append(earlier(place, results), place.scenario.Steps...), results)
		return
	}
	if !p.written[place.scenario.Id] {
		p.written[place.scenario.Id] = true
		p.scenario(indent, place.scenario)
		p.steps(indent+1, place.scenario.Steps, nil)
	}
	p.example(indent+1, place.scenario, played)
}

// rule writes the heading and the background of a scenario's rule, once, and returns how far the scenario is set in.
func (p *pretty) rule(place scope, results map[int]*PlayedStep) (indent int) {
	if place.rule == nil {
		return 1
	}
	if !p.written[place.rule.Id] {
		p.written[place.rule.Id] = true
		p.line(0, "")
		p.line(1, heading(place.rule.Keyword, place.rule.Name))
		p.description(2, place.rule.Description)
	}
	p.background(2, place.ruleBackground, results)
	return 2
}

// background writes the steps that all scenarios of a feature or a rule begin with, once; nil: there are none. Results are
// removed as they are written.
func (p *pretty) background(indent int, b *messages.Background, results map[int]*PlayedStep) {
	if b == nil || p.written[b.Id] {
		return
	}
	p.written[b.Id] = true
	p.line(0, "")
	p.line(indent, heading(b.Keyword, b.Name))
	p.steps(indent+1, b.Steps, results)
	for _, s := range b.Steps {
		delete(results, int(s.Location.Line))
	}
}

// earlier lists the steps of backgrounds that have been written before and did not pass for this scenario.
func earlier(place scope, results map[int]*PlayedStep) (steps []*messages.Step) {
	for _, b := range []*messages.Background{place.background, place.ruleBackground} {
		if b == nil {
			continue
		}
		for _, s := range b.Steps {
			if r := results[int(s.Location.Line)]; r != nil && r.Status != StatusPassed && r.Status != StatusSkipped {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// scenario writes a heading with the place of the scenario, behind the longest of its lines.
func (p *pretty) scenario(indent int, s *messages.Scenario) {
	text := s.Keyword + ": " + s.Name
	width := utf8.RuneCountInString(text)
	for _, step := range s.Steps {
		width = max(width, 2+utf8.RuneCountInString(strings.TrimSpace(step.Keyword)+" "+step.Text))
	}
	p.line(0, "")
	p.line(indent, heading(s.Keyword, s.Name)+strings.Repeat(" ", width-utf8.RuneCountInString(text)+1)+
		colors.Bold(colors.Black)(fmt.Sprintf("# %s:%d", p.path, s.Location.Line)))
}

// steps writes steps in the colors of their results, and why those did not pass; without results, as an outline has them.
func (p *pretty) steps(indent int, steps []*messages.Step, results map[int]*PlayedStep) {
	for _, s := range steps {
		text, color, why := s.Text, colors.Cyan, ""
		if r := results[int(s.Location.Line)]; r != nil {
			text, color = r.Text, colorOf(r.Status)
			if r.Status == StatusFailed {
				why = r.Message
			}
		}
		p.line(indent, color(strings.TrimSpace(s.Keyword)+" "+text))
		if s.DataTable != nil {
			p.rows(indent+1, s.DataTable.Rows, s.DataTable.Rows, colors.Cyan)
		}
		if d := s.DocString; d != nil {
			p.line(indent+1, colors.Cyan(d.Delimiter+d.MediaType+"\n"+d.Content+"\n"+d.Delimiter))
		}
		if why != "" {
			p.line(indent+1, strong(why))
		}
	}
}

// example writes a line of examples in the color of its result, after the heading of its table, and which step failed.
func (p *pretty) example(indent int, s *messages.Scenario, played *Played) {
	for _, table := range s.Examples {
		for _, row := range table.TableBody {
			if int(row.Location.Line) != played.Example {
				continue
			}
			all := append([]*messages.TableRow{table.TableHeader}, table.TableBody...)
			if !p.written[table.Id] {
				p.written[table.Id] = true
				p.line(0, "")
				p.line(indent, heading(table.Keyword, table.Name))
				p.rows(indent+1, all, all[:1], colors.Cyan)
			}
			p.rows(indent+1, all, []*messages.TableRow{row}, colorOf(played.Status))
		}
	}
	for _, step := range played.failed() {
		if step.Status == StatusFailed {
			p.line(indent+2, strong(step.Keyword+" "+step.Text+": "+step.Message))
		}
	}
}
