// Package placement applies the rules that choose the queue of an application.
//
// Package config reads the rules from a configuration; they are immutable. Package state calls Place for each new application.
package placement

import "strings"

// Kind says from where a rule takes the name of a queue.
type Kind string

// The kinds of rules.
const (
	Provided Kind = "provided" // the queue that the application names
	User     Kind = "user"     // the user of the application
	Tag      Kind = "tag"      // a tag of the application
	Fixed    Kind = "fixed"    // the rule itself
)

// MostLabels is the largest depth of a queue that a rule yields, including root.
const MostLabels = 32

// MostRules is the largest depth of nested parent rules. Each adds at least one label below root.
const MostRules = MostLabels - 1

// Root is the first label of every full name.
const Root = "root"

// Recovery is the label, below root, of the queue for running applications that no rule places.
const Recovery = "@recovery@"

// A Rule yields the name of a queue for an application, or does not match.
type Rule struct {
	Kind   Kind
	Create bool    // a missing queue is created
	Value  string  // for Tag, the tag; for Fixed, the queue; both in lower case
	Filter *Filter // nil if the rule applies to all users
	Parent *Rule   // yields the parent queue; nil if that is root, or if Value is a full name
}

// FullName reports whether a rule yields a full name, so that it needs no parent.
func (r *Rule) FullName() bool { return r.Kind == Fixed && strings.HasPrefix(r.Value, Root+".") }
