package kubernetes

import (
	"slices"
	"strconv"
	"strings"
)

// Attributes of nodes that are made of what a journal has no word for.
const (
	taintsAttribute  = "taints"
	noTaints         = "none"
	affinityTrue     = "true"
	longestAttribute = 200
)

// taintText is the taints of a node, in an order of their own.
func taintText(taints []taint) string {
	if len(taints) == 0 {
		return noTaints
	}
	var texts []string
	for _, t := range taints {
		text := t.Key
		if t.Value != "" {
			text += "=" + t.Value
		}
		texts = append(texts, text+":"+t.Effect)
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}

// tolerates reports whether a pod may go where a taint is.
func tolerates(all []toleration, t taint) bool {
	return slices.ContainsFunc(all, func(o toleration) bool {
		return (o.Effect == "" || o.Effect == t.Effect) && (o.Key == "" && o.Operator == "Exists" || o.Key == t.Key) &&
			(o.Operator == "Exists" || o.Value == t.Value)
	})
}

// constraints are what a pod demands of a node: labels, taints that it tolerates, and node affinity. What is no plain list of
// values becomes an attribute of the nodes that meet it.
func (r *Reader) constraints(p *pod) {
	for key, value := range p.selector {
		p.demand(key, []string{value})
	}
	r.tolerated(p)
	if len(p.terms) == 0 || len(p.terms) == 1 && r.plain(p, &p.terms[0]) {
		return
	}
	name := r.affinityName(p.terms)
	p.demand(name, []string{affinityTrue})
	if r.marked[name] {
		return
	}
	r.marked[name] = true
	for _, n := range r.nodes {
		if slices.ContainsFunc(p.terms, func(t term) bool { return t.matches(n) }) {
			n.attribute(name, affinityTrue)
		}
	}
}

// demand adds a constraint; two on one attribute must both hold.
func (p *pod) demand(key string, values []string) {
	if p.ask.Constraints == nil {
		p.ask.Constraints = map[string][]string{}
	}
	if before, ok := p.ask.Constraints[key]; ok {
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !slices.Contains(before, v) })
	}
	p.ask.Constraints[key] = values
}

// tolerated keeps a pod away from nodes with taints that it does not tolerate. Where all nodes have the same taints and it
// tolerates them, nothing is demanded.
func (r *Reader) tolerated(p *pod) {
	var allowed []string
	for _, n := range r.tainted {
		if !slices.ContainsFunc(n.all, func(t taint) bool { return !tolerates(p.tolerations, t) }) {
			allowed = append(allowed, n.taints)
		}
	}
	if len(allowed) < len(r.tainted) {
		p.demand(taintsAttribute, allowed)
	}
}

// distinctTaints finds a node for each set of taints that nodes have, in the order of their texts.
func (r *Reader) distinctTaints() {
	seen := map[string]bool{}
	for _, n := range r.nodes {
		if !seen[n.taints] {
			seen[n.taints] = true
			r.tainted = append(r.tainted, n)
		}
	}
	slices.SortFunc(r.tainted, func(a, b *node) int { return strings.Compare(a.taints, b.taints) })
}

// plain takes a term that a journal has words for.
func (r *Reader) plain(p *pod, t *term) bool {
	if slices.ContainsFunc(t.Expressions, func(e expression) bool { return e.Operator != "In" }) || len(t.Fields) > 1 || t.none() {
		return false
	}
	if len(t.Fields) == 1 {
		f := t.Fields[0]
		if f.Key != "metadata.name" || f.Operator != "In" || len(f.Values) != 1 {
			return false
		}
		p.ask.Node = f.Values[0]
	}
	for _, e := range t.Expressions {
		p.demand(e.Key, e.Values)
	}
	return true
}

// none reports whether a term is empty, so that no node meets it.
func (t *term) none() bool { return len(t.Expressions) == 0 && len(t.Fields) == 0 }

func (t *term) matches(n *node) bool {
	if t.none() {
		return false
	}
	for _, e := range t.Expressions {
		value, ok := n.labels[e.Key]
		if !e.holds(value, ok) {
			return false
		}
	}
	for _, e := range t.Fields {
		if e.Key != "metadata.name" || !e.holds(n.ID, true) {
			return false
		}
	}
	return true
}

// holds reports whether a label meets an expression; present says that there is one.
func (e *expression) holds(value string, present bool) bool {
	switch e.Operator {
	case "In":
		return present && slices.Contains(e.Values, value)
	case "NotIn":
		return !present || !slices.Contains(e.Values, value)
	case "Exists":
		return present
	case "DoesNotExist":
		return !present
	case "Gt", "Lt":
		have, err := strconv.ParseInt(value, 10, 64)
		if err != nil || !present || len(e.Values) != 1 {
			return false
		}
		bound, err := strconv.ParseInt(e.Values[0], 10, 64)
		return err == nil && (e.Operator == "Gt" && have > bound || e.Operator == "Lt" && have < bound)
	}
	return false
}

// affinityName is the attribute that stands for a node affinity: its text, as long as that is short.
func (r *Reader) affinityName(terms []term) string {
	var all []string
	for _, t := range terms {
		var parts []string
		for _, e := range append(slices.Clone(t.Expressions), t.Fields...) {
			text := e.Key + " " + e.Operator
			if len(e.Values) > 0 {
				text += " (" + strings.Join(e.Values, ", ") + ")"
			}
			parts = append(parts, text)
		}
		all = append(all, strings.Join(parts, " and "))
	}
	text := strings.Join(all, " or ")
	if len(text) <= longestAttribute {
		return text
	}
	n := slices.Index(r.long, text)
	if n < 0 {
		n = len(r.long)
		r.long = append(r.long, text)
	}
	return "affinity " + strconv.Itoa(n+1)
}

// attribute gives a node an attribute beside its labels.
func (n *node) attribute(name, value string) {
	if n.extra == nil {
		n.extra = map[string]string{}
	}
	n.extra[name] = value
}
