package placement

import "strings"

// A Fault says why a rule does not match.
type Fault string

// The faults, in the order in which they are looked for.
const (
	Filtered Fault = "filter"    // the filter does not let the user pass
	NoName   Fault = "no-name"   // there is no value to make a queue name from
	BadName  Fault = "bad-name"  // a label is not the name of a queue
	TooDeep  Fault = "too-deep"  // more than MostLabels labels
	Reserved Fault = "recovery"  // the recovery queue, or one below it
	Absent   Fault = "absent"    // it does not exist, and the rule creates none
	Parent   Fault = "parent"    // it is a parent, where a leaf is needed
	Leaf     Fault = "leaf"      // it is a leaf, or below one, where a parent is needed
	Draining Fault = "draining"  // it is draining, or the nearest queue above that exists
	Denied   Fault = "no-access" // the user may not submit there
)

// A Request is what of an application decides where it goes.
type Request struct {
	Queue, User string
	Groups      []string
	Tags        map[string]string
}

// A Target is the queue of a name or, where there is none, the nearest one above that exists.
type Target struct {
	Path                 string
	Leaf, Draining, Open bool // Open: the user may submit to it
}

// A Trial is what came of a rule.
type Trial struct {
	Rule   int    `json:",omitempty"` // from 1; 0: the fallback, root.default
	Kind   Kind   `json:",omitempty"`
	Value  string `json:",omitempty"` // of Tag: which one
	Yield  string `json:",omitempty"` // the full name that it makes, whether or not there is such a queue
	Fault  Fault  `json:",omitempty"` // empty: the application goes there
	At     string `json:",omitempty"` // the queue that Fault is about, if it is another than Yield
	Parent bool   `json:",omitempty"` // Fault is about the queue that the rule for the parent yields
}

// An Outcome is where an application goes, and why.
type Outcome struct {
	Queue    string  `json:",omitempty"` // full name; empty: nowhere
	Recovery bool    `json:",omitempty"` // it is forced, and nothing else takes it
	Tried    []Trial // rules in order, then the fallback; the last one took the application unless its Fault says why not
}

// Fallback is the full name of the queue that takes applications which no rule places.
const Fallback = Root + ".default"

// RecoveryPath is the full name of the recovery queue.
const RecoveryPath = Root + "." + Recovery

// forceTag marks an application that runs already and must be taken in.
const forceTag = "application.create.force"

// Forced reports whether an application must be taken in.
func Forced(tags map[string]string) bool { return TagValue(tags, forceTag) == "true" }

// Place applies rules, of which there is at least one, until one of them yields a queue that can be used. find gives the
// queue of a full name that is valid.
func Place(rules []*Rule, r *Request, find func(path string) Target) *Outcome {
	p := placer{r, find}
	o := &Outcome{Tried: make([]Trial, 0, len(rules))}
	for i, rule := range rules {
		t := p.try(rule)
		t.Rule = i + 1
		o.Tried = append(o.Tried, t)
		if t.Fault == "" {
			o.Queue = t.Yield
			return o
		}
	}
	if Forced(r.Tags) {
		o.Queue, o.Recovery = RecoveryPath, true
		return o
	}
	t := Trial{Yield: Fallback}
	p.use(&t, false)
	if o.Tried = append(o.Tried, t); t.Fault == "" {
		o.Queue = Fallback
	}
	return o
}

// Denied reports whether some queue lacked nothing but access.
func (o *Outcome) Denied() bool {
	for i := range o.Tried {
		if o.Tried[i].Fault == Denied {
			return true
		}
	}
	return false
}

type placer struct {
	*Request
	find func(path string) Target
}

// try applies a rule.
func (p *placer) try(r *Rule) Trial {
	t := Trial{Kind: r.Kind}
	if r.Kind == Tag {
		t.Value = r.Value
	}
	if p.yield(r, &t); t.Fault == "" {
		p.use(&t, r.Create)
	}
	return t
}

// yield makes the full name of a rule, and says why it makes none that is valid.
func (p *placer) yield(r *Rule, t *Trial) {
	if !r.Filter.Passes(p.User, p.Groups) {
		t.Fault = Filtered
		return
	}
	name := strings.ToLower(p.name(r))
	switch {
	case name == "" || name == Root:
		t.Fault = NoName
		return
	case r.Kind != User && strings.HasPrefix(name, Root+"."):
		t.Yield = name
	default:
		above := Root
		if r.Parent != nil {
			if above = p.yieldParent(r.Parent, t); t.Fault != "" {
				return
			}
		}
		if r.Kind != Fixed {
			name = strings.ReplaceAll(name, ".", "_dot_")
		}
		t.Yield = above + "." + name
	}
	if t.Fault = pathFault(t.Yield); t.Fault != "" {
		t.Yield = clip(t.Yield)
	}
}

// yieldParent makes the full name of a rule for a parent.
func (p *placer) yieldParent(r *Rule, t *Trial) (path string) {
	if p.yield(r, t); t.Fault == "" {
		switch q := p.find(t.Yield); {
		case q.Path != t.Yield && !r.Create:
			t.Fault = Absent
		case q.Path == t.Yield && q.Leaf:
			t.Fault = Leaf
		}
	}
	t.Parent = t.Fault != ""
	return t.Yield
}

// name is what a rule makes a name of.
func (p *placer) name(r *Rule) string {
	switch r.Kind {
	case Provided:
		return p.Queue
	case User:
		return p.User
	case Tag:
		return TagValue(p.Tags, r.Value)
	}
	return r.Value
}

// use says whether the application can go to the queue that a rule yields.
func (p *placer) use(t *Trial, create bool) {
	q := p.find(t.Yield)
	exists := q.Path == t.Yield
	switch {
	case !exists && !create:
		t.Fault = Absent
		return
	case exists && !q.Leaf:
		t.Fault = Parent
	case !exists && q.Leaf:
		t.Fault = Leaf
	case q.Draining:
		t.Fault = Draining
	case !q.Open:
		t.Fault = Denied
	}
	if t.Fault != "" && !exists {
		t.At = q.Path
	}
}

// TagValue is the value of a tag whose name, in lower case, counts in any case; of several the bytewise first.
func TagValue(tags map[string]string, name string) string {
	first, found := "", false
	for tag := range tags {
		if (!found || tag < first) && strings.ToLower(tag) == name {
			first, found = tag, true
		}
	}
	if !found {
		return ""
	}
	return tags[first]
}

// mostLabel is the length of the longest name of a queue.
const mostLabel = 64

// pathFault says why a full name in lower case cannot be that of a queue that a rule yields; empty: it can.
func pathFault(path string) Fault {
	labels := 0
	for label := range strings.SplitSeq(path, ".") {
		if !validLabel(label) {
			return BadName
		}
		labels++
	}
	switch {
	case labels > MostLabels:
		return TooDeep
	case IsRecovery(path):
		return Reserved
	}
	return ""
}

func validLabel(label string) bool {
	for i := range len(label) {
		c := label[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && strings.IndexByte("_:#/@-", c) < 0 {
			return false
		}
	}
	return label != "" && len(label) <= mostLabel
}

// ValidPath reports whether a full name can be that of a queue that a rule yields.
func ValidPath(path string) bool {
	return strings.HasPrefix(path, Root+".") && pathFault(path) == ""
}

// IsRecovery reports whether a full name is that of the recovery queue, or would lie below it.
func IsRecovery(path string) bool {
	rest, found := strings.CutPrefix(path, RecoveryPath)
	return found && (rest == "" || rest[0] == '.')
}

// mostShown bounds how much of a name is told that no queue can have.
const mostShown = 128

// clip shortens a name to be told.
func clip(name string) string {
	if len(name) <= mostShown {
		return name
	}
	return strings.ToValidUTF8(name[:mostShown], "") + "…"
}
