package journal

import (
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
)

// Entry writes one input: at and type, then its keys in the order of the format's table. What has its default is
// left out, as are sets, maps and lists that are nil. A configuration is written as text, wherever it came from.
func (e *Encoder) Entry(entry *Entry) error {
	in := &entry.Input
	start := len(e.buf)
	e.begin(in.At, in.Type)
	known, err := e.input(entry)
	if err != nil || !known {
		e.buf = e.buf[:start]
	}
	switch {
	case !known:
		return e.unknown(string(in.Type))
	case err != nil:
		e.err = err
		return err
	}
	e.given("by", in.By)
	e.buf = append(e.buf, '}')
	return e.finish()
}

// input writes what follows the type, and reports whether it knows it.
func (e *Encoder) input(entry *Entry) (bool, error) {
	in := &entry.Input
	switch in.Type {
	case core.NodeAdd, core.NodeUpdate:
		e.node(in)
	case core.NodeDrain, core.NodeResume, core.NodeRemove, core.AppRemove, core.AskRemove:
		e.text("id", in.ID)
	case core.AllocationRelease:
		e.text("id", in.ID)
		e.flag("failed", in.Failed, false)
	case core.AppAdd:
		e.app(in)
	case core.AppMove:
		e.text("id", in.ID)
		e.text("queue", in.Queue)
	case core.AskAdd, core.AllocationRestore:
		e.ask(entry)
	case core.AskUpdate:
		e.text("id", in.ID)
		if in.HasPriority {
			e.integer("priority", int64(in.Ask.Priority))
		}
		if in.Resources != nil {
			e.resources("resources", in.Resources, true)
		}
		if in.HasPreemptable {
			e.flag("preemptable", !in.Ask.NotPreemptable, in.Ask.NotPreemptable)
		}
		e.given("predicate", in.Ask.Predicate)
		e.flag("leaving", in.Leaving, false)
	case core.ConfigSet:
		e.text("config", in.Config)
		e.given("format", in.Format)
	case core.PolicySet:
		e.text("name", in.Policy.Name)
		e.text("sha256", in.Policy.SHA256)
		e.text("manifest", in.Policy.Manifest)
	case core.PolicyRemove:
		e.text("name", in.Policy.Name)
	case core.PolicyAnswers:
		return true, e.answers(in.Answers)
	case core.StateSet:
		e.integer("part", int64(in.State.Part))
		e.integer("parts", int64(in.State.Parts))
		e.text("snapshot", in.State.Snapshot)
	case core.Tick:
	default:
		return false, nil
	}
	return true, nil
}

func (e *Encoder) node(in *core.Input) {
	e.text("id", in.ID)
	if in.Capacity != nil || in.Type == core.NodeAdd {
		e.resources("capacity", in.Capacity, true)
	}
	e.textMap("attributes", in.Attributes)
	if in.Type == core.NodeAdd {
		e.flag("schedulable", !in.Unschedulable, true)
	}
	if in.Occupied != nil {
		e.resources("occupied", in.Occupied, true)
	}
	e.given("partition", in.Partition)
}

func (e *Encoder) app(in *core.Input) {
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
	}
	mapOf(e, "succeeded", in.Succeeded, func(count int) { e.buf = strconv.AppendInt(e.buf, int64(count), 10) })
}

func (e *Encoder) ask(entry *Entry) {
	in := &entry.Input
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
	}
	if in.Type == core.AllocationRestore {
		e.text("placed_on", in.PlacedOn)
	}
	if entry.HasRun {
		e.key("run")
		e.quoted(entry.Run)
	}
	if entry.Numbered {
		e.integer("count", int64(entry.Count))
	}
}

// duration writes a duration that is left out when it is zero.
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
