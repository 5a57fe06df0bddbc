package core

import (
	"fmt"

	"github.com/quern-project/quern/core/resource"
)

// Limits of the texts of an input, in bytes. Accepted texts stay in memory as long as their node, application or ask, so a few inputs
// could otherwise fill it.
const (
	MostName  = 1024     // for an ID, and for the name of a user, a group, a resource type and the like
	MostTexts = 64 << 10 // for queue, groups, tags, attributes, constraints, devices and resource types together; each text counts as one byte more
)

// mostCutName is the number of bytes of a too long name that decisions repeat.
const mostCutName = 64

// CutName returns a name as decisions repeat it: a name that is too long is cut.
func CutName(name string) string {
	if len(name) <= MostName {
		return name
	}
	end := mostCutName
	for end > 0 && name[end]&0xC0 == 0x80 { // inside a character
		end--
	}
	return name[:end] + "…"
}

// TextTooLong returns an error text for the first text of an event that is too long, or an empty string. Configurations, manifests and
// parts of snapshots have other limits.
func TextTooLong(e Event) string {
	if isBrief(e) {
		return ""
	}
	if l := longNameOf(e); l.what != "" {
		return fmt.Sprintf("%s has %d bytes, more than %d", l.what, l.bytes, MostName)
	}
	if n := textsOf(e); n > MostTexts {
		return fmt.Sprintf("the queue, groups, tags, attributes, constraints and resource types have %d bytes together, more than %d", n, MostTexts)
	}
	return ""
}

// isBrief reports whether all texts of an ask or an application together are no longer than one name may be, so that none is too long. Most
// inputs are such, and need no search for the text to report.
func isBrief(e Event) bool {
	switch e := e.(type) {
	case *AddAsk:
		n := len(e.ID) + len(e.App) + len(e.Node) + len(e.Predicate) + len(e.TaskGroup) + typesIn(e.Resources)
		if e.Gang != nil {
			n += len(e.Gang.ID) + len(e.Gang.Set)
		}
		n += len(e.Ask.Topology.Required) + len(e.Ask.Topology.Preferred) + len(e.Ask.Topology.Slice.Level)
		return n+constraintsIn(e)+deviceAsksIn(e.Ask.Devices) <= MostName
	case *AddApp:
		n := len(e.ID) + len(e.Partition) + len(e.Queue) + len(e.User) + textsIn(e.Tags)
		for _, group := range e.Groups {
			n += len(group) + 1
		}
		return e.Placeholders == nil && n <= MostName
	default:
		return false
	}
}

// longName is the first name of an event that is too long, if any.
type longName struct {
	what  string // empty if none is too long
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

func longNameOf(e Event) (l longName) {
	switch e := e.(type) {
	case *SetPolicy:
		l.check("the name of the policy", e.Name)
	case *RemovePolicy:
		l.check("the name of the policy", e.Name)
	default:
		l.check("the ID", NameOf(e))
	}
	switch e := e.(type) {
	case *AddNode:
		l.check("the name of the partition", e.Partition)
	case *AddApp:
		l.check("the name of the partition", e.Partition)
		l.check("the name of the user", e.User)
		for _, group := range e.Groups {
			l.check("the name of a group", group)
		}
	case *AddAsk:
		l.ask(e, "")
	case *RestoreAllocation:
		l.ask(&e.AddAsk, e.PlacedOn)
	case *UpdateAsk:
		l.check("the name of the predicate", e.Predicate)
	case *AddWindow:
		l.window(e)
	default:
	}
	first, second := AmountsOf(e)
	l.types(first)
	l.types(second)
	return l
}

func (l *longName) ask(e *AddAsk, placedOn string) {
	l.check("the ID of the application", e.App)
	l.check("the ID of the node", placedOn)
	l.check("the ID of the required node", e.Ask.Node)
	l.check("the name of the predicate", e.Ask.Predicate)
	l.check("the name of the task group", e.Ask.TaskGroup)
	if e.Ask.Gang != nil {
		l.check("the name of the gang", e.Ask.Gang.ID)
		l.check("the name of the set of gangs", e.Ask.Gang.Set)
	}
	l.check("the name of the required level", e.Ask.Topology.Required)
	l.check("the name of the preferred level", e.Ask.Topology.Preferred)
	l.check("the name of the level of slices", e.Ask.Topology.Slice.Level)
}

func (l *longName) window(e *AddWindow) {
	l.check("the name of the partition", e.Partition)
	for _, names := range []struct {
		what string
		list []string
	}{{"the ID of a node", e.Nodes}, {"the name of a user", e.Users}, {"the name of a group", e.Groups}} {
		for _, name := range names.list {
			l.check(names.what, name)
		}
	}
}

// AmountsOf returns the resource sets of an event, at most two.
func AmountsOf(e Event) (first, second resource.Set) {
	switch e := e.(type) {
	case *AddNode:
		return e.Capacity, e.Occupied
	case *UpdateNode:
		return e.Capacity, e.Occupied
	case *AddApp:
		if e.Placeholders != nil {
			return e.Placeholders.Ask, nil
		}
	case *AddAsk:
		return e.Resources, nil
	case *RestoreAllocation:
		return e.Resources, nil
	case *UpdateAsk:
		return e.Resources, nil
	default:
	}
	return nil, nil
}

// textsOf returns the number of bytes of the texts that share the limit MostTexts.
func textsOf(e Event) (n int) {
	first, second := AmountsOf(e)
	n += typesIn(first) + typesIn(second) + textsOfDevices(e)
	switch e := e.(type) {
	case *AddNode:
		n += textsIn(e.Attributes)
	case *UpdateNode:
		n += textsIn(e.Attributes)
	case *AddApp:
		n += len(e.Queue) + textsIn(e.Tags) + namesIn(e.Groups)
	case *MoveApp:
		n += len(e.Queue)
	case *AddAsk:
		n += constraintsIn(e)
	case *RestoreAllocation:
		n += constraintsIn(&e.AddAsk)
	case *AddWindow:
		n += listsIn(e.Constraints)
		for _, names := range [][]string{e.Nodes, e.Queues, e.Users, e.Groups} {
			n += namesIn(names)
		}
	default:
	}
	return n
}

func typesIn(set resource.Set) (n int) {
	for i := range set {
		n += len(set[i].Type) + 1
	}
	return n
}

func textsIn(texts map[string]string) (n int) {
	if len(texts) == 0 { // a loop over a map costs more
		return 0
	}
	for name, value := range texts {
		n += len(name) + len(value) + 2
	}
	return n
}

func constraintsIn(e *AddAsk) (n int) {
	if len(e.Ask.Constraints) == 0 {
		return 0
	}
	return listsIn(e.Ask.Constraints)
}

func listsIn(lists map[string][]string) (n int) {
	for name, values := range lists {
		n += len(name) + 1 + namesIn(values)
	}
	return n
}

func namesIn(names []string) (n int) {
	for _, name := range names {
		n += len(name) + 1
	}
	return n
}

// NameOf returns the name of an event's object for decisions: an ID, or the name of a policy.
func NameOf(e Event) string {
	switch e := e.(type) {
	case *SetPolicy:
		return e.Name
	case *RemovePolicy:
		return e.Name
	default:
		return Input{Event: e}.ID()
	}
}
