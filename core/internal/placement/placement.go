// Package placement holds the rules that choose the queue of an application.
//
// core/config reads them from a configuration. They never change afterwards.
package placement

import "strings"

// Kind says where a rule finds the name of a queue.
type Kind string

// The kinds of rules.
const (
	Provided Kind = "provided" // the queue that the application names
	User     Kind = "user"     // the user of the application
	Tag      Kind = "tag"      // a tag of the application
	Fixed    Kind = "fixed"    // the rule itself
)

// MostLabels bounds the depth of a queue that a rule yields, root included.
const MostLabels = 32

// MostRules bounds the rules that stand within one another as parents. Each adds at least one label below root.
const MostRules = MostLabels - 1

// Root begins every full name.
const Root = "root"

// Recovery is the label, below root, of the queue that takes running applications which no rule places.
const Recovery = "@recovery@"

// A Rule yields the name of a queue for an application, or does not match.
type Rule struct {
	Kind   Kind
	Create bool    // a queue that does not exist is made
	Value  string  // of Tag: the tag, of Fixed: the queue, both in lower case; otherwise without effect
	Filter *Filter // nil: the rule is for all users
	Parent *Rule   // it yields the queue above; nil: the queue above is root, or Value is a full name
}

// FullName reports whether a rule yields a queue by its full name, so that it needs no parent.
func (r *Rule) FullName() bool { return r.Kind == Fixed && strings.HasPrefix(r.Value, Root+".") }
