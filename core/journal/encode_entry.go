package journal

import (
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
)

// Entry writes an input: at and type, then its keys in the order of the format's table. Default values and nil sets, maps and lists are
// left out. A configuration is written as text even if it was read from a file.
func (e *Encoder) Entry(entry *Entry) error {
	in := &entry.Input
	start := len(e.buf)
	e.begin(in.At, in.Type())
	known, err := e.input(entry)
	if err != nil || !known {
		e.buf = e.buf[:start]
	}
	switch {
	case !known:
		return e.unknown(string(in.Type()))
	case err != nil:
		e.err = err
		return err
	}
	e.given("by", in.By)
	e.buf = append(e.buf, '}')
	return e.finish()
}

// input writes the keys after the type. It reports whether the type is known.
func (e *Encoder) input(entry *Entry) (bool, error) {
	switch in := entry.Input.Event.(type) {
	case *core.AddNode:
		e.addNode(in)
	case *core.UpdateNode:
		e.updateNode(in)
	case *core.DrainNode, *core.ResumeNode, *core.RemoveNode, *core.RemoveApp, *core.RemoveAsk, *core.RemoveWindow:
		e.text("id", entry.Input.ID())
	case *core.ReleaseAllocation:
		e.text("id", in.ID)
		e.flag("failed", in.Failed, false)
	case *core.AddApp:
		e.app(in)
	case *core.MoveApp:
		e.text("id", in.ID)
		e.text("queue", in.Queue)
	case *core.AddAsk:
		e.ask(in)
		e.replayed(entry)
	case *core.RestoreAllocation:
		e.ask(&in.AddAsk)
		e.text("placed_on", in.PlacedOn)
		e.placedDevices("placed_devices", in.PlacedDevices)
		if in.Since != nil {
			e.key("since")
			e.at(*in.Since)
		}
		e.replayed(entry)
	case *core.UpdateAsk:
		e.updateAsk(in)
	case *core.AddWindow:
		e.window(in)
	case *core.SetConfig:
		e.text("config", in.Config)
		e.given("format", in.Format)
	case *core.SetPolicy:
		e.text("name", in.Name)
		e.text("sha256", in.SHA256)
		e.text("manifest", in.Manifest)
	case *core.RemovePolicy:
		e.text("name", in.Name)
	case *core.RecordAnswers:
		return true, e.answers(&in.Answers)
	case *core.SetState:
		e.integer("part", int64(in.Part))
		e.integer("parts", int64(in.Parts))
		e.text("snapshot", in.Snapshot)
	case *core.Tick:
	case nil:
		return false, nil
	}
	return true, nil
}

func (e *Encoder) addNode(in *core.AddNode) {
	e.text("id", in.ID)
	e.resources("capacity", in.Capacity, true)
	e.textMap("attributes", in.Attributes)
	e.flag("schedulable", !in.Unschedulable, true)
	if in.Occupied != nil {
		e.resources("occupied", in.Occupied, true)
	}
	e.nodeDevices(in.Devices, in.OccupiedDevices)
	e.given("partition", in.Partition)
}

func (e *Encoder) updateNode(in *core.UpdateNode) {
	e.text("id", in.ID)
	if in.Capacity != nil {
		e.resources("capacity", in.Capacity, true)
	}
	e.textMap("attributes", in.Attributes)
	if in.Occupied != nil {
		e.resources("occupied", in.Occupied, true)
	}
	e.nodeDevices(in.Devices, in.OccupiedDevices)
}

func (e *Encoder) app(in *core.AddApp) {
	e.text("id", in.ID)
	e.given("queue", in.Queue)
	e.given("user", in.User)
	if in.Groups != nil {
		e.texts("groups", in.Groups)
	}
	e.textMap("tags", in.Tags)
	e.given("partition", in.Partition)
	if p := in.Placeholders; p != nil {
		if p.Ask != nil {
			e.resources("placeholder_ask", p.Ask, true)
		}
		if p.Hard {
			e.text("gang_style", styleHard)
		}
		e.duration("placeholder_timeout", p.Timeout)
		if p.Unit {
			e.text("gang_disruption", disruptionUnit)
		}
	}
	mapOf(e, "succeeded", in.Succeeded, func(count int) { e.buf = strconv.AppendInt(e.buf, int64(count), 10) })
}

func (e *Encoder) updateAsk(in *core.UpdateAsk) {
	e.text("id", in.ID)
	if in.Priority != nil {
		e.integer("priority", int64(*in.Priority))
	}
	if in.Resources != nil {
		e.resources("resources", in.Resources, true)
	}
	if in.Preemptable != nil {
		e.flag("preemptable", *in.Preemptable, !*in.Preemptable)
	}
	e.given("predicate", in.Predicate)
	e.duration("walltime", in.Walltime)
	e.flag("leaving", in.Leaving, false)
	e.askDevices(in.Devices)
}

func (e *Encoder) ask(in *core.AddAsk) {
	ask := &in.Ask
	e.text("id", in.ID)
	e.text("app", in.App)
	e.resources("resources", in.Resources, true)
	if ask.Priority != 0 {
		e.integer("priority", int64(ask.Priority))
	}
	e.given("node", ask.Node)
	mapOf(e, "constraints", ask.Constraints, e.list)
	e.flag("originator", ask.Originator, false)
	e.flag("preempt_others", !ask.NoPreemptOthers, true)
	e.flag("preemptable", !ask.NotPreemptable, true)
	e.given("predicate", ask.Predicate)
	e.given("task_group", ask.TaskGroup)
	e.flag("placeholder", ask.Placeholder, false)
	if g := ask.Gang; g != nil {
		e.text("gang", g.ID)
		e.integer("gang_min", int64(g.Min))
		e.duration("gang_timeout", g.Timeout)
		if g.Fallback {
			e.text("gang_fallback", fallbackMembers)
		}
		e.given("gang_disruption", string(g.Disruption))
		if g.Repair.Bounded {
			e.key("gang_repair")
			e.quoted(g.Repair.Within)
		}
		if g.Max != 0 {
			e.integer("gang_max", int64(g.Max))
		}
		if g.Set != "" {
			e.text("gang_set", g.Set)
			e.integer("gang_set_min", int64(g.SetMin))
		}
	}
	e.given("topology_required", ask.Topology.Required)
	e.given("topology_preferred", ask.Topology.Preferred)
	if slice := ask.Topology.Slice; slice.Size != 0 {
		e.key("topology_slice")
		e.buf = append(appendText(append(e.buf, `{"level":`...), slice.Level), `,"size":`...)
		e.buf = append(strconv.AppendInt(e.buf, int64(slice.Size), 10), '}')
	}
	e.flag("movable", ask.Movable, false)
	e.duration("walltime", ask.Walltime)
	e.given("walltime_overrun", string(ask.Overrun))
	e.duration("min_runtime", ask.MinRuntime)
	e.askDevices(ask.Devices)
}

// replayed writes the keys that only a replay uses.
func (e *Encoder) replayed(entry *Entry) {
	if entry.HasRun {
		e.key("run")
		e.quoted(entry.Run)
	}
	if entry.Numbered {
		e.integer("count", int64(entry.Count))
	}
}

// duration writes a duration unless it is zero.
func (e *Encoder) duration(name string, d time.Duration) {
	if d != 0 {
		e.key(name)
		e.quoted(d)
	}
}

func (e *Encoder) quoted(d time.Duration) {
	e.buf = append(appendDuration(append(e.buf, '"'), d), '"')
}

func (e *Encoder) answers(a *core.Answers) error {
	e.text("policy", a.Policy)
	e.text("point", a.Point)
	e.integer("call", int64(a.Call))
	e.text("digest", a.Digest)
	if a.Fault != "" {
		e.text("fault", a.Fault)
		return nil
	}
	e.key("keys")
	e.buf = append(e.buf, '[')
	first := true
	for _, value := range a.Keys {
		e.separate(&first)
		if err := e.float(value); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

// begin starts the line of an input.
func (e *Encoder) begin(at time.Duration, typ core.InputType) {
	e.buf = append(e.buf, `{"at":`...)
	e.at(at)
	e.text("type", string(typ))
}
