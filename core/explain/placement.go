package explain

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/placement"
)

// PlacementTrial is the result of a placement rule, or of the fallback root.default.
type PlacementTrial = placement.Trial

// Codes for the reasons why a placement rule does not place an application.
const (
	NotForUser    = placement.Filtered // the rule's filter does not pass the user
	NoQueueName   = placement.NoName   // there is no value for the name of a queue
	BadQueueName  = placement.BadName  // a label is not a valid name of a queue
	TooManyLevels = placement.TooDeep
	KeptName      = placement.Reserved // the name is reserved for the recovery queue
	NoSuchQueue   = placement.Absent   // the rule does not create it
	IsParent      = placement.Parent
	IsLeaf        = placement.Leaf // or below one
	IsDraining    = placement.Draining
	NoAccess      = placement.Denied
)

// PlacementExplanation explains the placement of an application: its queue, and the result of each rule.
type PlacementExplanation struct {
	Partition string           // as shown; empty for the first
	Queue     string           // full name; empty if the application is refused
	Recovery  bool             // no rule places the application, but it must not be rejected
	Rule      int              // from 1: the rule that yields Queue; 0 if none does
	Tried     []PlacementTrial // rules in order, up to the one that yields Queue, or all and then root.default; empty without rules
	Creates   []string         // queues that would be created, top down
	Reason    core.Reason      // of a refusal
	Text      string
}

// PlacementOf explains an outcome of placement rules, which may be nil. partition is the name of the partition as shown.
func PlacementOf(o *placement.Outcome, partition string) *PlacementExplanation {
	if o == nil {
		return nil
	}
	e := &PlacementExplanation{Partition: partition, Queue: o.Queue, Recovery: o.Recovery, Tried: o.Tried}
	if last := len(o.Tried) - 1; last >= 0 && o.Tried[last].Fault == "" {
		e.Rule = o.Tried[last].Rule
	}
	e.Text = e.sentences(partition)
	return e
}

// sentences says which rule placed the application, and why those before did not.
func (e *PlacementExplanation) sentences(partition string) string {
	failures, at := e.failures(partition), core.ShownPath(partition, e.Queue)
	var text string
	switch {
	case e.Recovery && failures == "":
		return "It is in " + at + ", since it runs already and the queue that it names cannot be used."
	case e.Recovery:
		text = "It is in " + at + ", since it runs already and no placement rule yields a queue that can be used."
	case e.Rule > 0:
		text = "Placed in " + at + " by " + ruleName(&e.Tried[len(e.Tried)-1]) + "."
	default:
		text = "Placed in " + at + ", since no placement rule yields a queue that can be used."
	}
	if failures != "" {
		text += " Before: " + failures + "."
	}
	return text
}

// PlacementFailures returns the message for the rejection of an application that no rule places.
func PlacementFailures(o *placement.Outcome, partition string) string {
	e := PlacementExplanation{Tried: o.Tried}
	return "no placement rule yields a queue that can be used: " + e.failures(partition)
}

// failures lists the rules that did not place the application, with the reasons.
func (e *PlacementExplanation) failures(partition string) string {
	var all []string
	for i := range e.Tried {
		if t := &e.Tried[i]; t.Fault != "" {
			all = append(all, trialText(t, partition))
		}
	}
	return strings.Join(all, "; ")
}

func ruleName(t *PlacementTrial) string {
	switch {
	case t.Rule == 0:
		return "the fallback"
	case t.Value != "":
		return fmt.Sprintf("rule %d (%s %s)", t.Rule, t.Kind, t.Value)
	}
	return fmt.Sprintf("rule %d (%s)", t.Rule, t.Kind)
}

// trialText says what a rule yielded, and why the application is not placed there.
func trialText(t *PlacementTrial, partition string) string {
	text := ruleName(t) + ": "
	if t.Parent {
		text += "its parent rule: "
	}
	at := core.ShownPath(partition, t.Yield)
	if t.At != "" {
		text += at + ": "
		at = core.ShownPath(partition, t.At)
	}
	switch t.Fault {
	case NotForUser:
		return text + "its filter excludes the user"
	case NoQueueName:
		return text + "there is no value to make a queue name from"
	case BadQueueName:
		return text + fmt.Sprintf("%q is not the name of a queue", at)
	case TooManyLevels:
		return text + fmt.Sprintf("%q has more than %d levels", at, placement.MostLabels)
	case KeptName:
		return text + at + " is reserved for recovery"
	case NoSuchQueue:
		return text + at + " does not exist"
	case IsParent:
		return text + at + " is a parent"
	case IsLeaf:
		return text + at + " is a leaf"
	case IsDraining:
		return text + at + " is draining"
	default:
		return text + "the user may not submit to " + at
	}
}

// AccessExplanation explains what a user may do in a queue.
type AccessExplanation struct {
	Queue    string // full name
	Open     bool   // no queue of the partition has an access list: all users may do everything
	Submit   bool
	Admin    bool
	SubmitBy AccessEntry // the nearest list that permits the user to submit
	AdminBy  AccessEntry // the nearest list that permits the user to administer
	Text     string
}

// AccessEntry is an entry of an access list.
type AccessEntry struct {
	Queue string // the queue with the list; empty if there is none
	List  string // submitacl or adminacl
	Name  string // the user or the group, or "*" for all
	Group bool   // Name is a group
}

// Sentences returns the explanation in sentences.
func (e *AccessExplanation) Sentences(user string) string {
	if e.Open {
		return fmt.Sprintf("User %q may submit to queue %s and administer it: no queue has an access list.", user, e.Queue)
	}
	if !e.Submit {
		return fmt.Sprintf("User %q may neither submit to queue %s nor administer it: neither its access lists nor those of the queues above it have the user or a group of the user.", user, e.Queue)
	}
	text := fmt.Sprintf("User %q may submit to queue %s by %s", user, e.Queue, e.SubmitBy.text())
	if !e.Admin {
		return text + ", and may not administer it."
	}
	return text + ", and administer it by " + e.AdminBy.text() + "."
}

func (a *AccessEntry) text() string {
	what := "the user"
	switch {
	case a.Name == "*":
		what = `"*"`
	case a.Group:
		what = fmt.Sprintf("the group %q", a.Name)
	}
	return what + " in " + a.List + " of " + a.Queue
}
