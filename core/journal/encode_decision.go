package journal

import (
	"strconv"

	"github.com/quern-project/quern/core"
)

// Decision writes a decision: seq, at, type, then the fields in the order that core documents for its type.
func (e *Encoder) Decision(d *core.Decision) error {
	start := len(e.buf)
	e.buf = strconv.AppendUint(append(e.buf, `{"seq":`...), d.Seq, 10)
	e.buf = append(e.buf, `,"at":`...)
	e.at(d.At)
	e.text("type", string(d.Type))
	if !e.fields(d) {
		e.buf = e.buf[:start]
		return e.unknown(string(d.Type))
	}
	e.buf = append(e.buf, '}')
	return e.finish()
}

// fields writes the fields of a decision. It reports whether the type is known.
func (e *Encoder) fields(d *core.Decision) bool {
	switch d.Type {
	case core.AppAccepted:
		e.text("id", d.ID)
		e.text("queue", d.Queue)
		e.given("partition", d.Partition)
	case core.NodeAccepted:
		e.text("id", d.ID)
		e.given("partition", d.Partition)
	case core.AppRejected, core.NodeRejected:
		e.text("id", d.ID)
		e.because(d)
		e.given("partition", d.Partition)
	case core.AppMoved:
		e.text("id", d.ID)
		e.text("from", d.From)
		e.text("to", d.To)
	case core.WindowAccepted, core.WindowRejected, core.WindowOpened, core.WindowClosed:
		e.windowDecision(d)
	case core.AskRejected:
		e.text("id", d.ID)
		e.text("app", d.App)
		e.because(d)
	case core.AppState:
		e.text("id", d.ID)
		e.change(d)
	case core.QueueState:
		e.text("queue", d.Queue)
		e.change(d)
		e.given("partition", d.Partition)
	case core.Allocation:
		e.allocation(d)
	case core.Release:
		e.text("id", d.ID)
		e.text("reason", string(d.Reason))
	case core.Preemption, core.Observed:
		e.preemption(d)
	case core.Lapsed:
		e.text("for", d.For)
		e.text("node", d.Node)
		e.text("reason", string(d.Reason))
	case core.Replaced:
		e.text("id", d.ID)
		e.text("for", d.For)
		e.text("node", d.Node)
	case core.TimedOut:
		e.text("id", d.ID)
		e.text("app", d.App)
		e.given("node", d.Node)
		e.text("reason", string(d.Reason))
	case core.Exceeded:
		e.text("id", d.ID)
		e.text("app", d.App)
		e.text("node", d.Node)
		e.text("reason", string(d.Reason))
	case core.GangFallback:
		e.text("app", d.App)
		e.text("gang", d.Gang)
		e.text("reason", string(d.Reason))
	case core.GangBroken, core.GangRepaired, core.GangEnded:
		e.gang(d)
	case core.Reservation:
		e.text("id", d.ID)
		e.text("node", d.Node)
		e.given("gang", d.Gang)
	case core.Unreservation:
		e.unreservation(d)
	case core.Plan:
		e.plan(d)
	case core.ConfigAccepted:
		e.texts("warnings", d.Warnings)
	case core.ConfigRejected:
		e.texts("errors", d.Errors)
	case core.PolicyFault:
		e.text("policy", d.Policy)
		e.because(d)
		e.text("fallback", d.Fallback)
	case core.Ignored:
		e.text("id", d.ID)
		e.text("input", string(d.Input))
		e.because(d)
	default:
		return false
	}
	return true
}

func (e *Encoder) allocation(d *core.Decision) {
	e.text("id", d.ID)
	e.text("app", d.App)
	e.text("queue", d.Queue)
	e.text("node", d.Node)
	e.integer("priority", int64(d.Priority))
	e.resources("resources", d.Resources, false)
	e.placedDevices("devices", d.Devices)
}

func (e *Encoder) preemption(d *core.Decision) {
	e.text("id", d.ID)
	if d.Quota != "" {
		e.text("quota", d.Quota)
	} else {
		e.text("for", d.For)
	}
	e.text("node", d.Node)
	e.text("queue", d.Queue)
	e.given("right", string(d.Right))
	e.given("gang", d.Gang)
	e.flag("gang_ended", d.GangEnded, false)
	e.flag("approximate", d.Approximate, false)
}

// gang writes how many members of a gang are left. Only a broken gang has a reason.
func (e *Encoder) gang(d *core.Decision) {
	e.text("app", d.App)
	e.text("gang", d.Gang)
	e.integer("allocated", int64(d.Allocated))
	e.integer("min", int64(d.Min))
	e.given("reason", string(d.Reason))
}

// unreservation writes the reason only if there is one: most reservations end because of an adjacent decision.
func (e *Encoder) unreservation(d *core.Decision) {
	e.text("id", d.ID)
	e.text("node", d.Node)
	e.given("gang", d.Gang)
	if d.Reason != "" {
		e.text("reason", string(d.Reason))
	}
}

// plan writes when and where an ask is planned to start. Without a start, the plan has ended.
func (e *Encoder) plan(d *core.Decision) {
	e.text("id", d.ID)
	e.text("app", d.App)
	e.given("gang", d.Gang)
	if d.Start != nil {
		e.key("start")
		e.at(*d.Start)
		e.given("node", d.Node)
		if len(d.Nodes) > 0 {
			e.texts("nodes", d.Nodes)
		}
	}
	e.text("reason", string(d.Reason))
}

func (e *Encoder) because(d *core.Decision) {
	e.text("reason", string(d.Reason))
	e.text("message", d.Message)
}

func (e *Encoder) change(d *core.Decision) {
	e.text("from", d.From)
	e.text("to", d.To)
	e.text("reason", string(d.Reason))
}
