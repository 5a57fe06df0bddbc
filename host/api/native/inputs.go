package native

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/api/grpcserver"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// inputsOf converts inputs. Those that it lets pass are ones that a journal can have.
func inputsOf(list []*quernv1.Input) ([]core.Input, error) {
	if len(list) == 0 {
		return nil, grpcserver.BadParameter("inputs", "one at least", "none")
	}
	out := make([]core.Input, len(list))
	for i, in := range list {
		c := converter{number: i + 1, in: &out[i]}
		c.input(in)
		if c.err != nil {
			return nil, c.err
		}
	}
	return out, nil
}

// mostInput bounds an input in bytes. It is several times what the bounds of texts allow, and keeps what the scheduler refuses out of the
// record.
const mostInput = 1 << 20

// converter converts one input. Its first error stays.
type converter struct {
	number int
	in     *core.Input
	err    error
}

func (c *converter) refuse(key, expected, found string) {
	if c.err == nil {
		c.err = grpcserver.BadInput(c.number, key, expected, found)
	}
}

func (c *converter) input(in *quernv1.Input) {
	if n := proto.Size(in); n > mostInput {
		c.refuse("input", fmt.Sprintf("at most %d bytes", mostInput), fmt.Sprint(n))
		return
	}
	switch x := in.GetInput().(type) {
	case *quernv1.Input_NodeAdd:
		c.nodeAdd(x.NodeAdd)
	case *quernv1.Input_NodeUpdate:
		c.nodeUpdate(x.NodeUpdate)
	case *quernv1.Input_NodeDrain:
		c.named(core.NodeDrain, x.NodeDrain.GetId())
	case *quernv1.Input_NodeResume:
		c.named(core.NodeResume, x.NodeResume.GetId())
	case *quernv1.Input_NodeRemove:
		c.named(core.NodeRemove, x.NodeRemove.GetId())
	case *quernv1.Input_AppAdd:
		c.appAdd(x.AppAdd)
	case *quernv1.Input_AppRemove:
		c.named(core.AppRemove, x.AppRemove.GetId())
	case *quernv1.Input_AppMove:
		c.named(core.AppMove, x.AppMove.GetId())
		c.in.Queue = x.AppMove.GetQueue()
	default:
		c.askInput(in)
	}
}

func (c *converter) askInput(in *quernv1.Input) {
	switch x := in.GetInput().(type) {
	case *quernv1.Input_AskAdd:
		c.ask(core.AskAdd, x.AskAdd)
	case *quernv1.Input_AskUpdate:
		c.named(core.AskUpdate, x.AskUpdate.GetId())
		c.in.Resources = c.resources("resources", x.AskUpdate.GetResources())
		c.in.HasPriority, c.in.Ask.Priority = x.AskUpdate.Priority != nil, x.AskUpdate.GetPriority()
		if x.AskUpdate.Preemptable != nil {
			c.in.HasPreemptable, c.in.Ask.NotPreemptable = true, !x.AskUpdate.GetPreemptable()
		}
		c.in.Ask.Predicate, c.in.Leaving = x.AskUpdate.GetPredicate(), x.AskUpdate.GetLeaving()
	case *quernv1.Input_AskRemove:
		c.named(core.AskRemove, x.AskRemove.GetId())
	case *quernv1.Input_AllocationRelease:
		c.named(core.AllocationRelease, x.AllocationRelease.GetId())
		c.in.Failed = x.AllocationRelease.GetFailed()
	case *quernv1.Input_AllocationRestore:
		c.ask(core.AllocationRestore, x.AllocationRestore.GetAsk())
		c.in.PlacedOn = c.name("placed_on", x.AllocationRestore.GetPlacedOn())
	case *quernv1.Input_Tick:
		c.in.Type = core.Tick
	default:
		c.refuse("input", "one that this host knows", "none")
	}
}

// named begins an input that has an ID.
func (c *converter) named(t core.InputType, id string) { c.in.Type, c.in.ID = t, c.name("id", id) }

func (c *converter) name(key, text string) string {
	if text == "" {
		c.refuse(key, "a name that is not empty", `""`)
	}
	if len(text) > core.MostName {
		c.refuse(key, fmt.Sprintf("at most %d bytes", core.MostName), fmt.Sprint(len(text)))
	}
	return text
}

func (c *converter) nodeAdd(n *quernv1.NodeAdd) {
	c.named(core.NodeAdd, n.GetId())
	c.in.Capacity = c.resources("capacity", n.GetCapacity())
	c.in.Occupied = c.resources("occupied", n.GetOccupied())
	c.in.Attributes, c.in.Unschedulable, c.in.Partition = n.GetAttributes(), n.GetDrained(), n.GetPartition()
	if c.in.Capacity == nil {
		c.refuse("capacity", "resources", "none")
	}
}

func (c *converter) nodeUpdate(n *quernv1.NodeUpdate) {
	c.named(core.NodeUpdate, n.GetId())
	c.in.Capacity = c.resources("capacity", n.GetCapacity())
	c.in.Occupied = c.resources("occupied", n.GetOccupied())
	if a := n.GetAttributes(); a != nil {
		if c.in.Attributes = a.GetValues(); c.in.Attributes == nil {
			c.in.Attributes = map[string]string{}
		}
	}
}

func (c *converter) appAdd(a *quernv1.AppAdd) {
	c.named(core.AppAdd, a.GetId())
	c.in.Queue, c.in.User, c.in.Groups = a.GetQueue(), a.GetUser(), a.GetGroups()
	c.in.Tags, c.in.Partition = a.GetTags(), a.GetPartition()
	if p := a.GetPlaceholders(); p != nil {
		c.in.Placeholders = &core.Placeholders{Ask: c.resources("placeholders.ask", p.GetAsk()), Hard: p.GetHard(),
			Timeout: c.duration("placeholders.timeout", p.GetTimeout())}
	}
	if list := a.GetSucceeded(); len(list) > 0 {
		c.in.Succeeded = make(map[string]int, len(list))
		for gang, count := range list {
			if count < 1 {
				c.refuse("succeeded."+gang, "1 or more", fmt.Sprint(count))
			}
			c.in.Succeeded[gang] = int(count)
		}
	}
}

func (c *converter) ask(t core.InputType, a *quernv1.AskAdd) {
	c.named(t, a.GetId())
	c.in.App = c.name("app", a.GetApp())
	if c.in.Resources = c.resources("resources", a.GetResources()); c.in.Resources == nil {
		c.refuse("resources", "resources", "none")
	}
	c.in.Ask = core.Ask{Priority: a.GetPriority(), Node: a.GetNode(), Originator: a.GetOriginator(),
		NoPreemptOthers: a != nil && a.PreemptOthers != nil && !*a.PreemptOthers, NotPreemptable: a != nil && a.Preemptable != nil && !*a.Preemptable,
		Predicate: a.GetPredicate(), TaskGroup: a.GetTaskGroup(), Placeholder: a.GetPlaceholder()}
	if list := a.GetConstraints(); len(list) > 0 {
		c.in.Ask.Constraints = make(map[string][]string, len(list))
		for attribute, v := range list {
			c.in.Ask.Constraints[attribute] = append([]string{}, v.GetValues()...)
		}
	}
	if g := a.GetGang(); g != nil {
		c.in.Ask.Gang = &core.Gang{ID: c.name("gang.id", g.GetId()), Min: int(g.GetMin()), Timeout: c.duration("gang.timeout", g.GetTimeout()),
			Fallback: g.GetFallbackMembers()}
		if g.GetMin() < 1 {
			c.refuse("gang.min", "1 or more", fmt.Sprint(g.GetMin()))
		}
	}
}

func (c *converter) resources(key string, r *quernv1.Resources) resource.Set {
	return amountsOf(key, r, c.refuse)
}

// amountsOf converts amounts; nil: there are none. What cannot be used is refused.
func amountsOf(key string, r *quernv1.Resources, refuse func(key, expected, found string)) resource.Set {
	if r == nil {
		return nil
	}
	set := make([]resource.Quantity, 0, len(r.GetAmounts()))
	for typ, amount := range r.GetAmounts() {
		switch {
		case typ == "":
			refuse(key, "the name of a resource", `""`)
		case amount < 0:
			refuse(key+"."+typ, "an amount of zero or more", fmt.Sprint(amount))
		}
		set = append(set, resource.Quantity{Type: typ, Value: amount})
	}
	return resource.NewSet(set...)
}

func (c *converter) duration(key string, d *durationpb.Duration) time.Duration {
	if d == nil {
		return 0
	}
	if err := d.CheckValid(); err != nil || d.AsDuration() < 0 {
		c.refuse(key, "a duration of zero or more", d.String())
		return 0
	}
	return d.AsDuration()
}
