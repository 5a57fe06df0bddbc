package listing

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/remote"
)

// column is a column of a table of things.
type column[T any] struct {
	title string
	wide  bool // only in wide tables
	maybe bool // only if some row has a value
	right bool // aligned to the right
	value func(*T) string
}

// share is used amounts beside those that bound them.
type share[T any] struct {
	of func(*T) (used, bound amounts)
}

// mostTypes is how many types of resources a table has that is not wide.
const mostTypes = 3

func (l *List) table(w io.Writer, wide bool) error {
	switch l.Kind {
	case remote.Queues:
		return rows(w, l, wide, share[queue]{func(q *queue) (amounts, amounts) { return q.Used, q.Max }}, queueColumns)
	case remote.Nodes:
		return rows(w, l, wide, share[node]{func(n *node) (amounts, amounts) { return n.Used, n.Capacity }}, nodeColumns)
	case remote.Apps:
		return rows(w, l, wide, share[application]{}, appColumns)
	}
	if l.Kind == remote.Gangs {
		return rows(w, l, wide, share[gang]{}, gangColumns)
	}
	if l.Kind == remote.Windows {
		return rows(w, l, wide, share[window]{}, windowColumns)
	}
	if l.Kind == remote.Policies {
		return rows(w, l, wide, share[policy]{}, policyColumns)
	}
	if l.waiting {
		return rows(w, l, wide, share[ask]{}, waitingColumns)
	}
	return rows(w, l, wide, share[ask]{}, askColumns)
}

var waitingColumns = []column[ask]{
	{title: "waiting ask", value: func(k *ask) string { return k.Ask }},
	{title: "queue", value: func(k *ask) string { return k.Queue }},
	{title: "priority", right: true, value: func(k *ask) string { return strconv.Itoa(int(k.Priority)) }},
	{title: "since", value: func(k *ask) string { return moment(k.Submitted) }},
	{title: "planned start", maybe: true, value: func(k *ask) string { return moment(k.Planned.Start) }},
}

var queueColumns = []column[queue]{
	{title: "queue", value: func(q *queue) string { return q.Queue }},
	{title: "state", wide: true, value: func(q *queue) string { return q.State }},
	{title: "waiting", right: true, value: func(q *queue) string { return format.Grouped(q.PendingAsks) }},
	{title: "apps", right: true, value: func(q *queue) string { return format.Grouped(q.Applications) }},
	{title: "running", wide: true, right: true, value: func(q *queue) string { return format.Grouped(q.Running) }},
	{title: "allocations", wide: true, right: true, value: func(q *queue) string { return format.Grouped(q.Allocations) }},
	{title: "priority", wide: true, right: true, value: func(q *queue) string { return orDash(q.Priority) }},
	{title: "guaranteed", wide: true, value: func(q *queue) string { return q.Guaranteed.text() }},
	{title: "sort", wide: true, value: func(q *queue) string { return q.AppSort }},
}

var nodeColumns = []column[node]{
	{title: "node", value: func(n *node) string { return n.Node }},
	{title: "state", value: (*node).state},
	{title: "allocations", right: true, value: func(n *node) string { return format.Grouped(len(n.Allocations)) }},
	{title: "occupied", wide: true, value: func(n *node) string { return n.Occupied.text() }},
	{title: "reserved", wide: true, value: func(n *node) string { return n.Reserved }},
}

var appColumns = []column[application]{
	{title: "application", value: func(a *application) string { return a.App }},
	{title: "queue", value: func(a *application) string { return a.Queue }},
	{title: "state", value: func(a *application) string { return a.State }},
	{title: "waiting", right: true, value: func(a *application) string { return format.Grouped(a.Pending) }},
	{title: "running", right: true, value: func(a *application) string { return format.Grouped(a.Allocations) }},
	{title: "user", wide: true, value: func(a *application) string { return a.User }},
	{title: "submitted", wide: true, value: func(a *application) string { return moment(a.Submitted) }},
	{title: "used", wide: true, value: func(a *application) string { return a.Used.text() }},
	{title: "preempted", wide: true, right: true, value: func(a *application) string { return format.Grouped(a.Preempted) }},
}

var askColumns = []column[ask]{
	{title: "ask", value: func(k *ask) string { return k.Ask }},
	{title: "queue", value: func(k *ask) string { return k.Queue }},
	{title: "state", value: func(k *ask) string { return k.State }},
	{title: "node", value: func(k *ask) string { return k.Node }},
	{title: "planned start", maybe: true, value: func(k *ask) string { return moment(k.Planned.Start) }},
	{title: "on", maybe: true, value: func(k *ask) string { return k.Planned.Node }},
	{title: "application", wide: true, value: func(k *ask) string { return k.App }},
	{title: "priority", wide: true, right: true, value: func(k *ask) string { return strconv.Itoa(int(k.Priority)) }},
	{title: "submitted", wide: true, value: func(k *ask) string { return moment(k.Submitted) }},
	{title: "promised end", wide: true, value: func(k *ask) string { return moment(k.Ends) }},
	{title: "resources", wide: true, value: func(k *ask) string { return k.Resources.text() }},
	{title: "kept", wide: true, value: func(k *ask) string { return k.Kept }},
	{title: "preempted", wide: true, right: true, value: func(k *ask) string { return format.Grouped(k.Preempted) }},
}

var gangColumns = []column[gang]{
	{title: "gang", value: (*gang).name},
	{title: "state", value: func(g *gang) string { return g.State }},
	{title: "running", right: true, value: func(g *gang) string {
		return fmt.Sprintf("%s of %s", format.Grouped(g.Allocated), format.Grouped(g.Needed))
	}},
	{title: "waiting", right: true, value: func(g *gang) string { return format.Grouped(g.Pending) }},
	{title: "domain", value: (*gang).place},
	{title: "why", value: (*gang).why},
	{title: "queue", wide: true, value: func(g *gang) string { return g.Queue }},
	{title: "user", wide: true, value: func(g *gang) string { return g.User }},
	{title: "min", wide: true, right: true, value: func(g *gang) string { return format.Grouped(g.Min) }},
	{title: "max", wide: true, right: true, value: func(g *gang) string { return orNone(g.Max) }},
	{title: "leaving", wide: true, right: true, value: func(g *gang) string { return format.Grouped(g.Leaving) }},
	{title: "succeeded", wide: true, right: true, value: func(g *gang) string { return format.Grouped(g.Succeeded) }},
	{title: "surplus", wide: true, right: true, value: func(g *gang) string { return format.Grouped(g.Surplus) }},
	{title: "set", wide: true, value: func(g *gang) string { return g.Set }},
	{title: "submitted", wide: true, value: func(g *gang) string { return moment(g.Submitted) }},
}

var windowColumns = []column[window]{
	{title: "window", value: func(x *window) string { return x.Window }},
	{title: "open", value: func(x *window) string { return yesNo(x.Open) }},
	{title: "from", value: func(x *window) string { return moment(x.From) }},
	{title: "until", value: func(x *window) string { return moment(x.Until) }},
	{title: "nodes", right: true, value: func(x *window) string { return format.Grouped(len(x.Nodes)) }},
	{title: "for", value: (*window).names},
	{title: "again", wide: true, value: func(x *window) string { return cmp.Or(x.Schedule, x.Every) }},
	{title: "partition", wide: true, value: func(x *window) string { return x.Partition }},
}

var policyColumns = []column[policy]{
	{title: "policy", value: func(p *policy) string { return p.Policy }},
	{title: "state", value: func(p *policy) string { return p.State }},
	{title: "in force", value: func(p *policy) string { return yesNo(p.InForce) }},
	{title: "points", value: func(p *policy) string { return strings.Join(p.Points, ", ") }},
	{title: "calls", right: true, value: func(p *policy) string { return format.Grouped(p.Calls) }},
	{title: "faults", right: true, value: func(p *policy) string { return format.Grouped(p.Faults) }},
	{title: "version", wide: true, value: func(p *policy) string { return p.Version }},
	{title: "shadow of", wide: true, value: func(p *policy) string { return p.ShadowOf }},
	{title: "quarantined until", wide: true, value: func(p *policy) string { return moment(p.Quarantine) }},
	{title: "refused", wide: true, value: func(p *policy) string { return p.Refused }},
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// state is whether a node takes allocations.
func (n *node) state() string {
	if n.Schedulable {
		return "schedulable"
	}
	return "drained"
}

func orNone(n int) string {
	if n == 0 {
		return "–"
	}
	return format.Grouped(n)
}

func orDash(n *int32) string {
	if n == nil {
		return "–"
	}
	return strconv.Itoa(int(*n))
}

// rows writes a table: the first column, one for each type of resources, and the others.
func rows[T any](w io.Writer, l *List, wide bool, s share[T], columns []column[T]) error {
	list, err := decoded[T](l.Items)
	if err != nil {
		return err
	}
	columns = slices.DeleteFunc(slices.Clone(columns), func(c column[T]) bool {
		return c.wide && !wide || c.maybe && !slices.ContainsFunc(list, func(x T) bool { return c.value(&x) != "" })
	})
	columns = slices.Insert(columns, 1, s.columns(list, wide)...)
	t := format.Table{Heading: l.Heading}
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.title
	}
	t.Add(cells...)
	for i := range list {
		cells = make([]string, len(columns))
		for k, c := range columns {
			cells[k] = c.value(&list[i])
		}
		t.Add(cells...)
	}
	t.Write(w, func(i int) bool { return columns[i].right })
	return nil
}

// columns are those of the types that are there.
func (s share[T]) columns(list []T, wide bool) (all []column[T]) {
	if s.of == nil {
		return nil
	}
	there := amounts{}
	for i := range list {
		used, bound := s.of(&list[i])
		for _, set := range []amounts{used, bound} {
			for typ := range set {
				there[typ] = resource.Quantity{}
			}
		}
	}
	for i, typ := range ordered(there) {
		if i < mostTypes || wide {
			all = append(all, column[T]{title: short(typ), right: true, value: func(o *T) string {
				used, bound := s.of(o)
				return ofBound(typ, used, bound)
			}})
		}
	}
	return all
}

// ofBound writes how much of a type is used of how much; the unit once where both have the same.
func ofBound(typ string, used, bound amounts) string {
	now, most := used[typ], bound[typ]
	now.Type, now.Milli = typ, now.Milli || most.Milli // what is 0 may be left out
	text := now.Rounded()
	if _, ok := bound[typ]; !ok {
		return text
	}
	of := most.Rounded()
	number, unit, _ := strings.Cut(text, " ")
	if _, other, _ := strings.Cut(of, " "); unit == other || now.Value == 0 {
		text = number
	}
	return text + " of " + of
}
