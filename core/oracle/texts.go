package oracle

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Maximum lengths in bytes: of a name, and of all other texts of an input together, each counted with one byte more.
const (
	longestName  = 1024
	longestTexts = 65536
)

// refusesTexts refuses an input with a text that is too long. This is checked before anything else.
func (o *Oracle) refusesTexts(in *core.Input) bool {
	if !hasLongName(in) && textsTogether(in) <= longestTexts {
		return false
	}
	d := core.Decision{Type: core.Ignored, ID: truncated(in.ID), Reason: core.ReasonNameTooLong}
	switch in.Type {
	case core.NodeAdd:
		d.Type = core.NodeRejected
	case core.AppAdd:
		d.Type = core.AppRejected
	case core.AskAdd, core.AllocationRestore:
		d.Type, d.App = core.AskRejected, truncated(in.App)
	default:
		d.Input = in.Type
	}
	if d.Type == core.NodeRejected || d.Type == core.AppRejected {
		for _, p := range o.partitions {
			if p.name() == strings.ToLower(in.Partition) {
				d.Partition = p.shownName()
			}
		}
	}
	o.refuse(d)
	return true
}

// truncated returns the start of a name that is too long.
func truncated(name string) string {
	if len(name) <= longestName {
		return name
	}
	return strings.ToValidUTF8(name[:64], "") + "…"
}

func hasLongName(in *core.Input) bool {
	names := append([]string{in.ID, in.Partition, in.User, in.App, in.PlacedOn, in.Ask.Node, in.Ask.Predicate, in.Ask.TaskGroup}, in.Groups...)
	if in.Ask.Gang != nil {
		names = append(names, in.Ask.Gang.ID)
	}
	for _, set := range amountsIn(in) {
		for _, q := range set {
			names = append(names, q.Type)
		}
	}
	for _, name := range names {
		if len(name) > longestName {
			return true
		}
	}
	return false
}

func amountsIn(in *core.Input) []resource.Set {
	sets := []resource.Set{in.Capacity, in.Occupied, in.Resources}
	if in.Placeholders != nil {
		sets = append(sets, in.Placeholders.Ask)
	}
	return sets
}

func textsTogether(in *core.Input) int {
	texts := append([]string{}, in.Groups...)
	for name, value := range in.Tags {
		texts = append(texts, name, value)
	}
	for name, value := range in.Attributes {
		texts = append(texts, name, value)
	}
	for name, values := range in.Ask.Constraints {
		texts = append(append(texts, name), values...)
	}
	for _, set := range amountsIn(in) {
		for _, q := range set {
			texts = append(texts, q.Type)
		}
	}
	return len(in.Queue) + len(strings.Join(texts, "")) + len(texts)
}
