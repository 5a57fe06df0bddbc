package quernapi

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
		c.in.Event = &core.DrainNode{ID: c.id(x.NodeDrain.GetId())}
	case *quernv1.Input_NodeResume:
		c.in.Event = &core.ResumeNode{ID: c.id(x.NodeResume.GetId())}
	case *quernv1.Input_NodeRemove:
		c.in.Event = &core.RemoveNode{ID: c.id(x.NodeRemove.GetId())}
	case *quernv1.Input_AppAdd:
		c.appAdd(x.AppAdd)
	case *quernv1.Input_AppRemove:
		c.in.Event = &core.RemoveApp{ID: c.id(x.AppRemove.GetId())}
	case *quernv1.Input_AppMove:
		c.in.Event = &core.MoveApp{ID: c.id(x.AppMove.GetId()), Queue: x.AppMove.GetQueue()}
	default:
		c.askInput(in)
	}
}

func (c *converter) askInput(in *quernv1.Input) {
	switch x := in.GetInput().(type) {
	case *quernv1.Input_AskAdd:
		ask := c.ask(x.AskAdd)
		c.in.Event = &ask
	case *quernv1.Input_AskUpdate:
		c.askUpdate(x.AskUpdate)
	case *quernv1.Input_AskRemove:
		c.in.Event = &core.RemoveAsk{ID: c.id(x.AskRemove.GetId())}
	case *quernv1.Input_AllocationRelease:
		c.in.Event = &core.ReleaseAllocation{ID: c.id(x.AllocationRelease.GetId()), Failed: x.AllocationRelease.GetFailed()}
	case *quernv1.Input_AllocationRestore:
		ask := c.ask(x.AllocationRestore.GetAsk())
		c.in.Event = &core.RestoreAllocation{AddAsk: ask, PlacedOn: c.name("placed_on", x.AllocationRestore.GetPlacedOn()),
			Since: c.instant("since", x.AllocationRestore.GetSince())}
	case *quernv1.Input_WindowAdd:
		c.windowAdd(x.WindowAdd)
	case *quernv1.Input_WindowRemove:
		c.in.Event = &core.RemoveWindow{ID: c.id(x.WindowRemove.GetId())}
	case *quernv1.Input_Tick:
		c.in.Event = &core.Tick{}
	default:
		c.refuse("input", "one that this host knows", "none")
	}
}

func (c *converter) id(id string) string { return c.name("id", id) }

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
	node := &core.AddNode{ID: c.id(n.GetId()), Capacity: c.resources("capacity", n.GetCapacity()), Occupied: c.resources("occupied", n.GetOccupied()),
		Attributes: n.GetAttributes(), Unschedulable: n.GetDrained(), Partition: n.GetPartition()}
	if node.Capacity == nil {
		c.refuse("capacity", "resources", "none")
	}
	c.in.Event = node
}

func (c *converter) nodeUpdate(n *quernv1.NodeUpdate) {
	update := &core.UpdateNode{ID: c.id(n.GetId()), Capacity: c.resources("capacity", n.GetCapacity()), Occupied: c.resources("occupied", n.GetOccupied())}
	if a := n.GetAttributes(); a != nil {
		if update.Attributes = a.GetValues(); update.Attributes == nil {
			update.Attributes = map[string]string{}
		}
	}
	c.in.Event = update
}

func (c *converter) appAdd(a *quernv1.AppAdd) {
	app := &core.AddApp{ID: c.id(a.GetId()), Queue: a.GetQueue(), User: a.GetUser(), Groups: a.GetGroups(), Tags: a.GetTags(), Partition: a.GetPartition()}
	if p := a.GetPlaceholders(); p != nil {
		app.Placeholders = &core.Placeholders{Ask: c.resources("placeholders.ask", p.GetAsk()), Hard: p.GetHard(),
			Timeout: c.duration("placeholders.timeout", p.GetTimeout()), Unit: p.GetUnit()}
	}
	if list := a.GetSucceeded(); len(list) > 0 {
		app.Succeeded = make(map[string]int, len(list))
		for gang, count := range list {
			if count < 1 {
				c.refuse("succeeded."+gang, "1 or more", fmt.Sprint(count))
			}
			app.Succeeded[gang] = int(count)
		}
	}
	c.in.Event = app
}

func (c *converter) askUpdate(u *quernv1.AskUpdate) {
	c.in.Event = &core.UpdateAsk{ID: c.id(u.GetId()), Resources: c.resources("resources", u.GetResources()), Priority: u.Priority, Preemptable: u.Preemptable,
		Predicate: u.GetPredicate(), Walltime: c.period("walltime", u.GetWalltime()), Leaving: u.GetLeaving()}
}

func (c *converter) ask(a *quernv1.AskAdd) core.AddAsk {
	ask := core.AddAsk{ID: c.id(a.GetId()), App: c.name("app", a.GetApp()), Resources: c.resources("resources", a.GetResources())}
	if ask.Resources == nil {
		c.refuse("resources", "resources", "none")
	}
	ask.Ask = core.Ask{Priority: a.GetPriority(), Node: a.GetNode(), Originator: a.GetOriginator(),
		NoPreemptOthers: a != nil && a.PreemptOthers != nil && !*a.PreemptOthers, NotPreemptable: a != nil && a.Preemptable != nil && !*a.Preemptable,
		Predicate: a.GetPredicate(), TaskGroup: a.GetTaskGroup(), Placeholder: a.GetPlaceholder(), Movable: a.GetMovable(),
		Topology: core.Topology{Required: a.GetTopologyRequired(), Preferred: a.GetTopologyPreferred()},
		Walltime: c.period("walltime", a.GetWalltime()), Overrun: c.overrun(a.GetWalltimeOverrun()), MinRuntime: c.period("min_runtime", a.GetMinRuntime())}
	if ask.Topology.Required != "" && ask.Topology.Preferred != "" {
		c.refuse("topology_preferred", "either topology_required or topology_preferred", "both")
	}
	if s := a.GetTopologySlice(); s != nil {
		ask.Topology.Slice = core.Slice{Level: c.name("topology_slice.level", s.GetLevel()), Size: int(s.GetSize())}
		if s.GetSize() < 1 {
			c.refuse("topology_slice.size", "1 or more", fmt.Sprint(s.GetSize()))
		}
		if a.GetGang() == nil {
			c.refuse("gang", "a gang, which topology_slice needs", "none")
		}
	}
	ask.Constraints = constraintsOf(a.GetConstraints())
	if g := a.GetGang(); g != nil {
		ask.Gang = &core.Gang{ID: c.name("gang.id", g.GetId()), Min: int(g.GetMin()), Max: int(g.GetMax()), Timeout: c.duration("gang.timeout", g.GetTimeout()),
			Fallback: g.GetFallbackMembers(), Disruption: c.disruption(g.GetDisruption())}
		if g.GetRepair() != nil {
			ask.Gang.Repair = core.Repair{Bounded: true, Within: c.duration("gang.repair", g.GetRepair())}
		}
		ask.Gang.Set, ask.Gang.SetMin = g.GetSet(), int(g.GetSetMin())
		if (g.GetSet() == "") != (g.GetSetMin() == 0) || g.GetSetMin() < 0 {
			c.refuse("gang.set_min", "1 or more together with gang.set", fmt.Sprint(g.GetSetMin()))
		}
		if g.GetMin() < 1 {
			c.refuse("gang.min", "1 or more", fmt.Sprint(g.GetMin()))
		}
		if g.GetMax() != 0 && g.GetMax() < g.GetMin() {
			c.refuse("gang.max", "0, or at least the gang's min", fmt.Sprint(g.GetMax()))
		}
	}
	return ask
}

func (c *converter) disruption(of string) core.Disruption {
	switch d := core.Disruption(of); d {
	case core.DisruptWhole, core.DisruptMember:
		return d
	case core.DisruptUnit, "unit":
	default:
		c.refuse("gang.disruption", "unit, whole or member", of)
	}
	return core.DisruptUnit
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
