package journal

import (
	"time"

	"github.com/quern-project/quern/core"
)

// window holds the keys of a window. Its times are parsed once the form of the journal's times is known.
type window struct {
	from, until          string
	at                   [2]time.Duration // from and until
	every                time.Duration
	nodes, queues, users []string
}

// windowValue reads one of the keys of a window.
func (d *Decoder) windowValue(k key) {
	w := &d.values.window
	switch k {
	case keyFrom:
		w.from = string(d.scan.text("a time in quotes"))
	case keyUntil:
		w.until = string(d.scan.text("a time in quotes"))
	case keyEvery:
		w.every = d.period()
	case keyNodes:
		w.nodes = d.nameList()
	case keyQueues:
		w.queues = d.nameList()
	case keyUsers:
		w.users = d.nameList()
	}
}

// nameList reads a list of names.
func (d *Decoder) nameList() []string {
	n := 0
	return array(d, "a list of strings", func() string {
		n++
		d.crowded(n - 1)
		return d.pool.text(d.name())
	})
}

// window checks a window.add: it has nodes, or constraints with a count, and its times have the form of at.
func (d *Decoder) window(seen keySet) {
	if d.scan.fault != nil || !d.oneOf(seen, keyNodes, keyConstraints) {
		return
	}
	w := &d.values.window
	switch {
	case seen.has(keyNodes) && len(w.nodes) == 0:
		d.scan.fault = &Error{Key: keyNodes.String(), Expected: "at least one node", Found: "an empty list"}
	case seen.has(keyConstraints) && !seen.has(keyCount):
		d.lacks(keyCount, "the key, which "+keyConstraints.String()+" of a window needs")
	case seen.has(keyNodes) && seen.has(keyCount):
		d.scan.fault = &Error{Key: keyCount.String(), Expected: "no " + keyCount.String() + " beside " + keyNodes.String(), Found: "one"}
	default:
		w.at[0] = d.windowTime(keyFrom, w.from)
		if seen.has(keyUntil) {
			w.at[1] = d.windowTime(keyUntil, w.until)
		}
	}
}

// windowTime parses a time of a window, which may be before the beginning of the journal.
func (d *Decoder) windowTime(k key, text string) time.Duration {
	parse, form := parseAt, d.form
	if len(text) > 0 && text[0] == '-' {
		parse = parseBefore
	}
	if d.live {
		form = Absolute // a host measures time from 1970
	}
	at, found, expected := parse([]byte(text))
	switch {
	case d.scan.fault != nil:
	case expected != "":
		d.scan.fault = &Error{Key: k.String(), Expected: expected, Found: excerpt([]byte(text))}
	case found != form && d.live:
		d.scan.fault = &Error{Key: k.String(), Expected: form.String(), Found: excerpt([]byte(text))}
	case found != form:
		d.scan.fault = &Error{Key: k.String(), Expected: form.String() + " as at", Found: excerpt([]byte(text))}
	}
	return at
}

func (v *values) addWindow() core.Event {
	w := &v.window
	add := &core.AddWindow{ID: v.ask.ID, Partition: v.app.Partition, From: w.at[0], Every: w.every, Nodes: w.nodes,
		Constraints: v.ask.Ask.Constraints, Count: v.count, Queues: w.queues, Users: w.users, Groups: v.app.Groups}
	if v.seen.has(keyUntil) {
		add.Until = new(w.at[1])
	}
	return add
}

func (v *values) removeWindow() core.Event { return &core.RemoveWindow{ID: v.ask.ID} }

// window writes the keys of a window.add.
func (e *Encoder) window(in *core.AddWindow) {
	e.text("id", in.ID)
	e.key("from")
	e.at(in.From)
	if in.Until != nil {
		e.key("until")
		e.at(*in.Until)
	}
	e.duration("every", in.Every)
	if in.Nodes != nil {
		e.texts("nodes", in.Nodes)
	} else {
		constraints := in.Constraints
		if constraints == nil {
			constraints = map[string][]string{}
		}
		mapOf(e, "constraints", constraints, e.list)
		e.integer("count", int64(in.Count))
	}
	e.given("partition", in.Partition)
	for _, named := range []struct {
		key  string
		list []string
	}{{"queues", in.Queues}, {"users", in.Users}, {"groups", in.Groups}} {
		if named.list != nil {
			e.texts(named.key, named.list)
		}
	}
}

// windowDecision writes the fields of a decision about a window.
func (e *Encoder) windowDecision(d *core.Decision) {
	e.text("id", d.ID)
	switch d.Type {
	case core.WindowRejected:
		e.because(d)
	case core.WindowOpened:
		e.texts("nodes", d.Nodes)
	}
	e.given("partition", d.Partition)
}
