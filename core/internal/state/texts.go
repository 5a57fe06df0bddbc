package state

import "github.com/quern-project/quern/core/internal/api"

// refusesTexts refuses an event with a text that is too long, and reports whether it did. Nothing of the event is kept: the decision
// repeats no more than the beginning of a long name. S is nil for an event that belongs to no partition.
func (c *Shared) refusesTexts(s *State, e api.Event) bool {
	message := api.TextTooLong(e)
	if message == "" {
		return false
	}
	id := api.CutName(api.NameOf(e))
	switch e := e.(type) {
	case *api.AddNode:
		c.refuse(api.NodeRejected, id, api.ReasonNameTooLong, message).Partition = shownOf(s)
	case *api.AddApp:
		c.refuse(api.AppRejected, id, api.ReasonNameTooLong, message).Partition = shownOf(s)
	case *api.AddAsk:
		c.refuse(api.AskRejected, id, api.ReasonNameTooLong, message).App = api.CutName(e.App)
	case *api.RestoreAllocation:
		c.refuse(api.AskRejected, id, api.ReasonNameTooLong, message).App = api.CutName(e.App)
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
