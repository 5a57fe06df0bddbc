package features

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
)

// Bounds of what is told beside a failed expectation.
const (
	mostExplained = 3    // things
	mostDecisions = 12   // lines
	mostLetters   = 1500 // of an explanation
)

// told adds to a failed expectation why the things that it names are as they are, and what was decided about them, so that
// a report can be read without a debugger.
func (w *world) told(err error) error {
	var needs absent
	if err == nil || errors.As(err, &needs) {
		return err
	}
	about := w.named(w.step)
	if len(about) == 0 {
		about = w.named(err.Error()) // the line of a table
	}
	var b strings.Builder
	for i, t := range about {
		if i < mostExplained {
			b.WriteString(w.why(t))
		}
	}
	b.WriteString("\nDecided since the last When:" + relevant(w.recent(), about))
	if len(about) > 0 && w.mark > 0 {
		if earlier := relevant(w.log[:w.mark], about); !strings.HasPrefix(earlier, nothingDecided) {
			b.WriteString("\nDecided before that:" + earlier)
		}
	}
	return fmt.Errorf("%w%s", err, b.String())
}

// named are the things of this scenario that a text names, in the order in which it does. Of things of one name the first
// kind counts, since an ask often comes with an application of its name.
func (w *world) named(text string) []thing {
	var list []thing
	for _, name := range namesIn(text) {
		kinds := []string{"ask", "application", "node", "queue"}
		if strings.Contains(text, `application "`+name+`"`) {
			kinds = kinds[1:]
		}
		i := slices.IndexFunc(kinds, func(kind string) bool { return w.met[thing{kind, name}] })
		if i >= 0 && !slices.Contains(list, thing{kinds[i], name}) {
			list = append(list, thing{kinds[i], name})
		}
	}
	return list
}

// namesIn are the words of a text that may be names: those in quotes, and the others without their punctuation.
func namesIn(text string) []string {
	list := namesOf(text)
	for word := range strings.FieldsSeq(quoted.ReplaceAllString(text, "")) {
		list = append(list, strings.Trim(word, ",;:"))
	}
	return list
}

// why explains a thing, on lines of its own; empty: there is nothing to say.
func (w *world) why(t thing) string {
	text := ""
	switch t.kind {
	case "ask":
		text = w.askText(t.id)
	case "application":
		if e, ok := w.driver.ExplainApp(t.id); ok {
			text = e.Text
		}
	case "queue":
		if e, ok := w.driver.ExplainQueue(t.id); ok {
			text = e.Text
		}
	case "node":
		text = w.nodeText(t.id)
	}
	if letters := []rune(text); len(letters) > mostLetters {
		text = string(letters[:mostLetters]) + " …"
	}
	if text == "" {
		return ""
	}
	return "\n" + text
}

// askText explains an ask, or what it would preempt where the step is about that; empty: there is no such ask.
func (w *world) askText(id string) string {
	if strings.Contains(w.step, "preempt") {
		if e, ok := w.driver.ExplainPreemption(id); ok {
			return e.Text
		}
	}
	e, _ := w.driver.ExplainAsk(id)
	return e.Text
}

// nodeText says how a node stands; empty: there is no such node.
func (w *world) nodeText(id string) string {
	n, ok := last(w.driver.Dump().Nodes, func(n core.NodeDump) bool { return n.ID == id })
	if !ok {
		return ""
	}
	text := fmt.Sprintf("Node %s has %s, of which %s are used", id, withoutZeros(n.Capacity).Readable(), withoutZeros(n.Used).Readable())
	for _, c := range nodeColumns {
		found := c.found(n)
		if told := []string{"occupied", "attributes", "reserved", "kept", "allocations"}; slices.Contains(told, c.name) && found != "" && found != nothing {
			text += fmt.Sprintf("; %s: %s", c.name, found)
		}
	}
	if !n.Schedulable {
		text += "; it is drained"
	}
	return text + "."
}

const nothingDecided = " nothing"

// relevant lists the decisions about some things, or all where there are none: the latest ones, a line each.
func relevant(list []core.Decision, about []thing) string {
	var lines []string
	for _, d := range list {
		if len(about) == 0 || slices.ContainsFunc(about, func(t thing) bool { return concerns(d, t) }) {
			lines = append(lines, "\n  "+decisionText(d))
		}
	}
	others := len(list) - len(lines)
	text := ""
	if n := len(lines) - mostDecisions; n > 0 {
		text, lines = fmt.Sprintf("\n  %d before these", n), lines[n:]
	}
	text += strings.Join(lines, "")
	switch {
	case text == "" && others == 0:
		return nothingDecided
	case text == "":
		return fmt.Sprintf(" nothing about %s; other decisions: %d", subjects(about), others)
	case others > 0:
		text += fmt.Sprintf("\n  not about %s: %d", subjects(about), others)
	}
	return text
}

// subjects names things, the first few of many.
func subjects(list []thing) string {
	var names []string
	for _, t := range list {
		if !slices.Contains(names, t.id) {
			names = append(names, t.id)
		}
	}
	if len(names) > mostExplained {
		names = append(names[:mostExplained], "…")
	}
	return strings.Join(names, ", ")
}

// concerns says whether a decision is about a thing.
func concerns(d core.Decision, t thing) bool {
	switch t.kind {
	case "ask":
		return d.ID == t.id || d.For == t.id
	case "application":
		return d.ID == t.id || d.App == t.id
	case "queue":
		return pathText(d.Partition, d.Queue) == t.id || d.Quota == t.id
	}
	return d.Node == t.id || d.ID == t.id
}
