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

// refusesTexts refuses an input with a text that is too long, and reports whether it did. Nothing of the input is kept: the decision
// repeats no more than the beginning of a long name. S is nil for an input that belongs to no partition.
func (c *Shared) refusesTexts(s *State, in *api.Input) bool {
	message := TextTooLong(in)
	if message == "" {
		return false
	}
	id := CutName(in.ID)
	switch in.Type {
	case api.NodeAdd, api.AppAdd:
		t := api.NodeRejected
		if in.Type == api.AppAdd {
			t = api.AppRejected
		}
		d := c.refuse(t, id, api.ReasonNameTooLong, message)
		if s != nil {
			d.Partition = s.Shown
		}
	case api.AskAdd, api.AllocationRestore:
		c.refuse(api.AskRejected, id, api.ReasonNameTooLong, message).App = CutName(in.App)
	default:
		d := c.refuse(api.Ignored, id, api.ReasonNameTooLong, message)
		d.Input = in.Type
		if in.Policy != nil {
			d.ID = CutName(in.Policy.Name)
		}
	}
	return true
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

// TextTooLong says which text of an input is too long; empty: none. Configurations, manifests and parts of snapshots have bounds of their own.
func TextTooLong(in *api.Input) string {
	if what, n := longName(in); what != "" {
		return fmt.Sprintf("%s has %d bytes, more than %d", what, n, MostName)
	}
	if n := textsOf(in); n > MostTexts {
		return fmt.Sprintf("the queue, groups, tags, attributes, constraints and resource types have %d bytes together, more than %d", n, MostTexts)
	}
	return ""
}

// longName finds a name that is too long, and its length.
func longName(in *api.Input) (what string, n int) {
	switch {
	case len(in.ID) > MostName:
		return "the ID", len(in.ID)
	case len(in.Partition) > MostName:
		return "the name of the partition", len(in.Partition)
	case len(in.User) > MostName:
		return "the name of the user", len(in.User)
	case len(in.App) > MostName:
		return "the ID of the application", len(in.App)
	case len(in.PlacedOn) > MostName:
		return "the ID of the node", len(in.PlacedOn)
	case in.Policy != nil && len(in.Policy.Name) > MostName:
		return "the name of the policy", len(in.Policy.Name)
	}
	for _, group := range in.Groups {
		if len(group) > MostName {
			return "the name of a group", len(group)
		}
	}
	if what, n := longNameOfAsk(&in.Ask); what != "" {
		return what, n
	}
	for _, set := range amountsIn(in) {
		for i := range set {
			if n := len(set[i].Type); n > MostName {
				return "the name of a resource type", n
			}
		}
	}
	return "", 0
}

func longNameOfAsk(a *api.Ask) (what string, n int) {
	switch {
	case len(a.Node) > MostName:
		return "the ID of the required node", len(a.Node)
	case len(a.Predicate) > MostName:
		return "the name of the predicate", len(a.Predicate)
	case len(a.TaskGroup) > MostName:
		return "the name of the task group", len(a.TaskGroup)
	case a.Gang != nil && len(a.Gang.ID) > MostName:
		return "the name of the gang", len(a.Gang.ID)
	}
	return "", 0
}

// amountsIn are the amounts of an input.
func amountsIn(in *api.Input) [4]resource.Set {
	sets := [4]resource.Set{in.Capacity, in.Occupied, in.Resources}
	if in.Placeholders != nil {
		sets[3] = in.Placeholders.Ask
	}
	return sets
}

// textsOf adds up the texts that share a bound.
func textsOf(in *api.Input) int {
	n := len(in.Queue)
	for _, group := range in.Groups {
		n += len(group) + 1
	}
	for _, texts := range [2]map[string]string{in.Tags, in.Attributes} {
		for name, value := range texts {
			n += len(name) + len(value) + 2
		}
	}
	for name, values := range in.Ask.Constraints {
		n += len(name) + 1
		for _, value := range values {
			n += len(value) + 1
		}
	}
	for _, set := range amountsIn(in) {
		for i := range set {
			n += len(set[i].Type) + 1
		}
	}
	return n
}
