package state

import "github.com/quern-project/quern/core"

// refusesTexts refuses an event with a text that is too long, and reports whether it did. The state keeps nothing of the event, and the
// decision contains only the start of a long name. s is nil for an event that does not belong to a partition.
func (c *Shared) refusesTexts(s *State, e core.Event) bool {
	message := core.TextTooLong(e)
	if message == "" {
		return false
	}
	id := core.CutName(core.NameOf(e))
	switch e := e.(type) {
	case *core.AddNode:
		c.refuse(core.NodeRejected, id, core.ReasonNameTooLong, message).Partition = shownOf(s)
	case *core.AddApp:
		c.refuse(core.AppRejected, id, core.ReasonNameTooLong, message).Partition = shownOf(s)
	case *core.AddWindow:
		c.refuse(core.WindowRejected, id, core.ReasonNameTooLong, message).Partition = shownOf(s)
	case *core.AddAsk:
		c.refuse(core.AskRejected, id, core.ReasonNameTooLong, message).App = core.CutName(e.App)
	case *core.RestoreAllocation:
		c.refuse(core.AskRejected, id, core.ReasonNameTooLong, message).App = core.CutName(e.App)
	default:
		c.refuse(core.Ignored, id, core.ReasonNameTooLong, message).Input = e.Type()
	}
	return true
}

// shownOf returns the name of a partition as decisions contain it, or an empty string if s is nil.
func shownOf(s *State) string {
	if s == nil {
		return ""
	}
	return s.shown
}
