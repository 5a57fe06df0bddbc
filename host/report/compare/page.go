package compare

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"percent": func(v float64) float64 { return 100 * v }}).Parse(pageText))

// bar is a figure in both runs, as parts of a whole.
type bar struct {
	Name          string
	Before, After float64
}

// finding is a sentence that a reader should not miss, with the section that has the rest of it.
type finding struct{ Level, Text, Section string }

// HTML writes the result as a page of its own, which needs no network and has the look of the report of a replay.
func (r *Result) HTML(w io.Writer) error {
	var figures []map[string]string
	for _, x := range r.rows() {
		figures = append(figures, map[string]string{"name": x.name, "before": x.before, "after": x.after, "change": x.change})
	}
	var changed []map[string]string
	for _, c := range r.Decisions.First {
		changed = append(changed, map[string]string{"ask": c.Ask, "said": c.said()})
	}
	policies := "policy"
	if len(r.Points) > 1 {
		policies = "policies"
	}
	style, script := html.Style()+pageStyle, html.ThemeScript()
	data := map[string]any{
		"r": r, "csp": html.Policy(style, script), "style": template.CSS(style), "script": template.JS(script), // both are the program's own
		"points": format.List(r.Points), "policies": policies, "findings": r.findings(), "rows": figures, "bars": r.bars(), "changed": changed, "listed": r.listed(),
	}
	if r.Playground.Command != "" {
		data["way"] = &r.Playground
	}
	return page.Execute(w, data)
}

// findings say what the policy changes, the verdict first.
func (r *Result) findings() []finding {
	var all []finding
	if r.Partial != nil {
		all = append(all, finding{"problem", r.Partial.String(), "figures"})
	}
	first, other := summary.Named{Summary: r.Before.summary}, summary.Named{Summary: r.After.summary}
	if text := summary.VerdictBeside("the present policies", first, other, r.Policy); text != "" {
		all = append(all, finding{"note", text, "figures"})
	}
	if r.After.Faults > 0 {
		all = append(all, finding{"problem", fmt.Sprintf("Policies failed in %s with %s, and in %d before.", explain.Count(r.After.Faults, "call"), r.Policy, r.Before.Faults), "figures"})
	}
	return append(all, finding{"note", r.Decisions.sentence(), "decisions"})
}

// sentence counts the asks whose first allocation differs.
func (d *Differences) sentence() string {
	g := format.Grouped
	if d.Moved+d.Earlier+d.Later+d.OnlyBefore+d.OnlyAfter == 0 {
		return fmt.Sprintf("Both runs placed %s on the same nodes at the same times.", explain.Count(d.Both, "ask"))
	}
	return fmt.Sprintf("Of %s asks placed in both runs, %s went to another node, %s were placed earlier, and %s later. %s were placed only before, and %s only after.",
		g(d.Both), g(d.Moved), g(d.Earlier), g(d.Later), g(d.OnlyBefore), g(d.OnlyAfter))
}

// listed says which of the asks whose first allocation differs are listed.
func (r *Result) listed() string {
	if n := len(r.Decisions.First); n == maxListed {
		return fmt.Sprintf("The first %d asks whose first allocation differs.", n)
	}
	return "All asks whose first allocation differs."
}

// bars are the figures that are parts of a whole.
func (r *Result) bars() []bar {
	var list []bar
	for _, name := range types(r.Before, r.After) {
		list = append(list, bar{"used " + name, r.Before.Used[name], r.After.Used[name]}, bar{"stranded " + name, r.Before.Stranded[name], r.After.Stranded[name]})
	}
	both := float64(max(r.Decisions.Both, 1))
	list = append(list, bar{"fairness", r.Before.Fairness, r.After.Fairness}, bar{"asks on another node", 0, float64(r.Decisions.Moved) / both})
	return list
}

// Title is the page's.
func (r *Result) Title() string { return strings.TrimSpace(r.Policy + " on " + r.Journal) }
