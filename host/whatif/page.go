package whatif

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/quern-project/quern/host/format"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"percent": func(v float64) float64 { return 100 * v }}).Parse(pageText))

// bar is a figure in both runs, as parts of a whole.
type bar struct {
	Name          string
	Before, After float64
}

// HTML writes the result as a page of its own, which needs no network.
func (r *Result) HTML(w io.Writer) error {
	var figures []map[string]string
	for _, x := range r.rows() {
		figures = append(figures, map[string]string{"name": x.name, "before": x.before, "after": x.after, "change": x.change})
	}
	var changed []map[string]string
	for _, c := range r.Decisions.First {
		changed = append(changed, map[string]string{"ask": c.Ask, "said": c.said()})
	}
	return page.Execute(w, map[string]any{"r": r, "points": format.List(r.Points), "rows": figures, "bars": r.bars(), "changed": changed})
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
