package state

import (
	"fmt"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/resource"
)

// Bounds of the texts of an input, in bytes. What is accepted stays in memory as long as its node, application or ask, so that a few inputs
// could otherwise fill it.
const (
	MostName  = 1024     // an ID, or the name of a user, a group, a resource type and the like
	MostTexts = 64 << 10 // queue, groups, tags, attributes, constraints and resource types together; each text counts for one byte more
)

// refusesTexts refuses an event with a text that is too long, and reports whether it did. Nothing of the event is kept: the decision
// repeats no more than the beginning of a long name. S is nil for an event that belongs to no partition.
func (c *Shared) refusesTexts(s *State, e api.Event) bool {
	message := TextTooLong(e)
	if message == "" {
		return false
	}
	id := CutName(nameOf(e))
	switch e := e.(type) {
	case *api.AddNode:
		c.refuse(api.NodeRejected, id, api.ReasonNameTooLong, message).Partition = shownOf(s)
	case *api.AddApp:
		c.refuse(api.AppRejected, id, api.ReasonNameTooLong, message).Partition = shownOf(s)
	case *api.AddAsk:
		c.refuse(api.AskRejected, id, api.ReasonNameTooLong, message).App = CutName(e.App)
	case *api.RestoreAllocation:
		c.refuse(api.AskRejected, id, api.ReasonNameTooLong, message).App = CutName(e.App)
	default:
		c.refuse(api.Ignored, id, api.ReasonNameTooLong, message).Input = e.Type()
	}
	return true
}

// shownOf is the name of a partition as decisions have it; empty: there is none.
func shownOf(s *State) string {
	if s == nil {
		return ""
	}
	return s.Shown
}

// mostCutName is how much a decision repeats of a name that is too long.
const mostCutName = 64

// CutName is a name as decisions repeat it: one that is too long is cut.
func CutName(name string) string {
	if len(name) <= MostName {
		return name
	}
	end := mostCutName
	for end > 0 && name[end]&0xC0 == 0x80 { // within a character
		end--
	}
	return name[:end] + "…"
}

// TextTooLong says which text of an event is too long; empty: none. Configurations, manifests and parts of snapshots have bounds of their own.
func TextTooLong(e api.Event) string {
	if l := longNameOf(e); l.what != "" {
		return fmt.Sprintf("%s has %d bytes, more than %d", l.what, l.bytes, MostName)
	}
	if n := textsOf(e); n > MostTexts {
		return fmt.Sprintf("the queue, groups, tags, attributes, constraints and resource types have %d bytes together, more than %d", n, MostTexts)
	}
	return ""
}

// longName is the first name of an event that is too long, if there is one.
type longName struct {
	what  string // empty: none
	bytes int
}

func (l *longName) check(what, name string) {
	if l.what == "" && len(name) > MostName {
		l.what, l.bytes = what, len(name)
	}
}

func (l *longName) types(set resource.Set) {
	for i := range set {
		l.check("the name of a resource type", set[i].Type)
	}
}

func longNameOf(e api.Event) (l longName) {
	switch e := e.(type) {
	case *api.SetPolicy:
		l.check("the name of the policy", e.Name)
	case *api.RemovePolicy:
		l.check("the name of the policy", e.Name)
	default:
		l.check("the ID", nameOf(e))
	}
	switch e := e.(type) {
	case *api.AddNode:
		l.check("the name of the partition", e.Partition)
	case *api.AddApp:
		l.check("the name of the partition", e.Partition)
		l.check("the name of the user", e.User)
		for _, group := range e.Groups {
			l.check("the name of a group", group)
		}
	case *api.AddAsk:
		l.ask(e, "")
	case *api.RestoreAllocation:
		l.ask(&e.AddAsk, e.PlacedOn)
	case *api.UpdateAsk:
		l.check("the name of the predicate", e.Predicate)
	default:
	}
	first, second := amountsOf(e)
	l.types(first)
	l.types(second)
	return l
}

func (l *longName) ask(e *api.AddAsk, placedOn string) {
	l.check("the ID of the application", e.App)
	l.check("the ID of the node", placedOn)
	l.check("the ID of the required node", e.Ask.Node)
	l.check("the name of the predicate", e.Ask.Predicate)
	l.check("the name of the task group", e.Ask.TaskGroup)
	if e.Ask.Gang != nil {
		l.check("the name of the gang", e.Ask.Gang.ID)
	}
}

// amountsOf are the amounts of an event, two at most.
func amountsOf(e api.Event) (first, second resource.Set) {
	switch e := e.(type) {
	case *api.AddNode:
		return e.Capacity, e.Occupied
	case *api.UpdateNode:
		return e.Capacity, e.Occupied
	case *api.AddApp:
		if e.Placeholders != nil {
			return e.Placeholders.Ask, nil
		}
	case *api.AddAsk:
		return e.Resources, nil
	case *api.RestoreAllocation:
		return e.Resources, nil
	case *api.UpdateAsk:
		return e.Resources, nil
	default:
	}
	return nil, nil
}

// textsOf adds up the texts that share a bound.
func textsOf(e api.Event) (n int) {
	first, second := amountsOf(e)
	for _, set := range [2]resource.Set{first, second} {
		for i := range set {
			n += len(set[i].Type) + 1
		}
	}
	switch e := e.(type) {
	case *api.AddNode:
		n += textsIn(e.Attributes)
	case *api.UpdateNode:
		n += textsIn(e.Attributes)
	case *api.AddApp:
		n += len(e.Queue) + textsIn(e.Tags)
		for _, group := range e.Groups {
			n += len(group) + 1
		}
	case *api.MoveApp:
		n += len(e.Queue)
	case *api.AddAsk:
		n += constraintsIn(e)
	case *api.RestoreAllocation:
		n += constraintsIn(&e.AddAsk)
	default:
	}
	return n
}

func textsIn(texts map[string]string) (n int) {
	for name, value := range texts {
		n += len(name) + len(value) + 2
	}
	return n
}

func constraintsIn(e *api.AddAsk) (n int) {
	for name, values := range e.Ask.Constraints {
		n += len(name) + 1
		for _, value := range values {
			n += len(value) + 1
		}
	}
	return n
}
