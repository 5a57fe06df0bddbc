package placement

import "strings"

// A Fault is the reason why a rule does not place an application.
type Fault string

// The faults, in the order in which they are checked.
const (
	Filtered Fault = "filter"    // the filter does not pass the user
	NoName   Fault = "no-name"   // there is no value for the name of a queue
	BadName  Fault = "bad-name"  // a label is not a valid name of a queue
	TooDeep  Fault = "too-deep"  // more than MostLabels labels
	Reserved Fault = "recovery"  // the recovery queue, or one below it
	Absent   Fault = "absent"    // the queue does not exist, and the rule does not create it
	Parent   Fault = "parent"    // the queue is a parent, but must be a leaf
	Leaf     Fault = "leaf"      // the queue is a leaf or below one, but must be a parent
	Draining Fault = "draining"  // the queue is draining, or the nearest existing queue above it
	Denied   Fault = "no-access" // the user may not submit there
)

// A Request holds the properties of an application that rules use.
type Request struct {
	Queue, User string
	Groups      []string
	Tags        map[string]string
}

// A Target is the queue with a name or, if there is none, the nearest existing queue above.
type Target struct {
	Path                 string
	Leaf, Draining, Open bool // Open: the user may submit to it
}

// A Trial is the result of applying one rule.
type Trial struct {
	Rule   int    `json:",omitempty"` // from 1; 0: the fallback, root.default
	Kind   Kind   `json:",omitempty"`
	Value  string `json:",omitempty"` // the tag of a rule of kind Tag
	Yield  string `json:",omitempty"` // the full name that the rule yields, whether or not the queue exists
	Fault  Fault  `json:",omitempty"` // empty if the rule placed the application
	At     string `json:",omitempty"` // the queue that Fault is about, if it is not Yield
	Parent bool   `json:",omitempty"` // Fault is about the queue that the parent rule yields
}

// An Outcome is the queue of an application, and how it was chosen.
type Outcome struct {
	Queue    string  `json:",omitempty"` // full name; empty if the application is rejected
	Recovery bool    `json:",omitempty"` // the application is forced, and no rule placed it
	Tried    []Trial // rules in order, then the fallback; the last one placed the application unless it has a Fault
}

// Fallback is the full name of the queue for applications that no rule places.
const Fallback = Root + ".default"

// RecoveryPath is the full name of the recovery queue.
const RecoveryPath = Root + "." + Recovery

// forceTag marks an application that already runs and must not be rejected.
const forceTag = "application.create.force"

// Forced reports whether an application must not be rejected.
func Forced(tags map[string]string) bool { return TagValue(tags, forceTag) == "true" }

// Place applies rules in order until one of them yields a queue that can be used. There must be at least one rule. find returns the
// queue with a valid full name.
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

// Denied reports whether a queue was refused only because the user may not submit to it.
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

// yield computes the full name of a rule. It sets t.Fault if there is no valid one.
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

// yieldParent computes the full name of a parent rule.
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

// name returns the value from which a rule makes a name.
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

// use checks whether the application can be placed in the queue that a rule yields. It sets t.Fault if it cannot.
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

// TagValue returns the value of the tag whose name in lower case is name. If there are several, it is that of the bytewise first name.
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

// mostLabel is the maximum length of a queue's name.
const mostLabel = 64

// pathFault returns the fault of a full name in lower case, or "" if rules may yield it.
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

// ValidPath reports whether rules may yield a full name.
func ValidPath(path string) bool {
	return strings.HasPrefix(path, Root+".") && pathFault(path) == ""
}

// IsRecovery reports whether a full name is that of the recovery queue, or below it.
func IsRecovery(path string) bool {
	rest, found := strings.CutPrefix(path, RecoveryPath)
	return found && (rest == "" || rest[0] == '.')
}

// mostShown bounds the length of an invalid name in explanations.
const mostShown = 128

// clip shortens an invalid name for explanations.
func clip(name string) string {
	if len(name) <= mostShown {
		return name
	}
	return strings.ToValidUTF8(name[:mostShown], "") + "…"
}
