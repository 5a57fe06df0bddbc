package state

import "github.com/quern-project/quern/core/internal/api"

// refusesTexts refuses an input with a text that is too long, and reports whether it did. Nothing of the input is kept: the decision
// repeats no more than the beginning of a long name. S is nil for an input that belongs to no partition.
func (c *Shared) refusesTexts(s *State, in *api.Input) bool {
	message := api.TextTooLong(in)
	if message == "" {
		return false
	}
	id := api.CutName(in.ID)
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
		c.refuse(api.AskRejected, id, api.ReasonNameTooLong, message).App = api.CutName(in.App)
	default:
		d := c.refuse(api.Ignored, id, api.ReasonNameTooLong, message)
		d.Input = in.Type
		if in.Policy != nil {
			d.ID = api.CutName(in.Policy.Name)
		}
	}
	return true
}
