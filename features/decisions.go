package features

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core"
)

// decisionColumns are what a table may say of a decision.
var decisionColumns = []column[core.Decision]{
	{"seq", func(d core.Decision) string { return strconv.FormatUint(d.Seq, 10) }, asIs},
	{"type", func(d core.Decision) string { return string(d.Type) }, asIs},
	{"at", func(d core.Decision) string { return d.At.String() }, asDuration},
	{"id", func(d core.Decision) string { return d.ID }, asIs},
	{"app", func(d core.Decision) string { return d.App }, asIs},
	{"queue", func(d core.Decision) string { return d.Queue }, asIs},
	{"gang", func(d core.Decision) string { return d.Gang }, asIs},
	{"gang ended", func(d core.Decision) string { return onlyIf(d.GangEnded) }, asIs},
	{"allocated", func(d core.Decision) string { return ofGang(d, d.Allocated) }, asIs},
	{"min", func(d core.Decision) string { return ofGang(d, d.Min) }, asIs},
	{"for", func(d core.Decision) string { return d.For }, asIs},
	{"quota", func(d core.Decision) string { return d.Quota }, asIs},
	{"right", func(d core.Decision) string { return string(d.Right) }, asIs},
	{"approximate", func(d core.Decision) string { return onlyIf(d.Approximate) }, asIs},
	{"node", func(d core.Decision) string { return d.Node }, asIs},
	{"nodes", func(d core.Decision) string { return strings.Join(d.Nodes, ", ") }, asIs},
	{"priority", func(d core.Decision) string { return strconv.Itoa(int(d.Priority)) }, asIs},
	{"resources", func(d core.Decision) string { return amountText(d.Resources) }, asAmounts},
	{"devices", func(d core.Decision) string { return placedText(d.Devices) }, asList},
	{"from", func(d core.Decision) string { return d.From }, asIs},
	{"to", func(d core.Decision) string { return d.To }, asIs},
	{"input", func(d core.Decision) string { return string(d.Input) }, asIs},
	{"policy", func(d core.Decision) string { return d.Policy }, asIs},
	{"fallback", func(d core.Decision) string { return d.Fallback }, asIs},
	{"partition", func(d core.Decision) string { return d.Partition }, asIs},
	{"start", startText, asDuration},
	{"nodes", func(d core.Decision) string { return strings.Join(d.Nodes, ", ") }, asIs},
	{"reason", func(d core.Decision) string { return string(d.Reason) }, asIs},
}

// onlyIf writes what is true as yes, and what is false as nothing: the journal leaves such keys out.
func onlyIf(is bool) string {
	if !is {
		return ""
	}
	return yesNo(true)
}

// startText is the planned start of a plan that has not ended.
func startText(d core.Decision) string {
	if d.Start == nil {
		return ""
	}
	return d.Start.String()
}

// ofGang is a number of members, which only decisions about gangs carry.
func ofGang(d core.Decision, members int) string {
	switch d.Type {
	case core.GangBroken, core.GangRepaired, core.GangEnded:
		return strconv.Itoa(members)
	}
	return ""
}

func asDuration(cell string) (string, error) {
	if cell == "" {
		return "", nil
	}
	d, err := time.ParseDuration(cell)
	return d.String(), err
}

// decisionText is a decision in one line, with what it carries.
func decisionText(d core.Decision) string {
	parts := []string{d.At.String()}
	for _, c := range decisionColumns {
		found := c.found(d)
		empty := found == "" || found == nothing || c.name == "priority" && d.Type != core.Allocation
		if c.name != "at" && c.name != "seq" && !empty {
			parts = append(parts, c.name+" "+found)
		}
	}
	for _, text := range slices.Concat([]string{d.Message}, d.Errors, d.Warnings) {
		if text != "" {
			parts = append(parts, strconv.Quote(text))
		}
	}
	return strings.Join(parts, ", ")
}

// allDecisionsAre holds the recent decisions against a table, line by line.
func (w *world) allDecisionsAre(table *godog.Table) error {
	return sameDecisions(w.recent(), table)
}

// decisionsAre does so with those of one type.
func (w *world) decisionsAre(typ string, table *godog.Table) error {
	return sameDecisions(w.recentOf(core.DecisionType(typ)), table)
}

func sameDecisions(list []core.Decision, table *godog.Table) error {
	rows, err := rowsOf(table, names(decisionColumns)...)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if i == len(list) {
			return fmt.Errorf("expected %d decisions, found %d", len(rows), len(list))
		}
		wrong, err := differences(decisionColumns, r, list[i])
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return fmt.Errorf("line %d: %s", i+1, strings.Join(wrong, "; "))
		}
	}
	if len(list) > len(rows) {
		return fmt.Errorf("expected %d decisions, found %d", len(rows), len(list))
	}
	return nil
}

// decisionsInclude looks for the lines of a table among the recent decisions, in this order, with others between them.
func (w *world) decisionsInclude(table *godog.Table) error {
	rows, err := rowsOf(table, names(decisionColumns)...)
	if err != nil {
		return err
	}
	rest := w.recent()
	for i, r := range rows {
		at, err := find(rest, r)
		if err != nil {
			return err
		}
		if at < 0 {
			return fmt.Errorf("line %d: no such decision, or not in this order", i+1)
		}
		rest = rest[at+1:]
	}
	return nil
}

func find(list []core.Decision, r row) (int, error) {
	for i, d := range list {
		wrong, err := differences(decisionColumns, r, d)
		if err != nil {
			return 0, err
		}
		if len(wrong) == 0 {
			return i, nil
		}
	}
	return -1, nil
}

// decisionTypes are those that a step may name, so that a typing error is not taken for silence.
var decisionTypes = []core.DecisionType{core.AppAccepted, core.AppRejected, core.AppState, core.AppMoved, core.NodeAccepted, core.NodeRejected,
	core.AskRejected, core.Allocation, core.Release, core.Preemption, core.Observed, core.Lapsed, core.Replaced,
	core.TimedOut, core.Exceeded, core.GangFallback, core.GangBroken, core.GangRepaired, core.GangEnded, core.Reservation, core.Unreservation, core.Plan, core.ConfigAccepted,
	core.ConfigRejected, core.PolicyFault, core.QueueState,
	core.WindowAccepted, core.WindowRejected, core.WindowOpened, core.WindowClosed, core.Ignored}

func (w *world) noDecision(typ string) error {
	if !slices.Contains(decisionTypes, core.DecisionType(typ)) {
		return fmt.Errorf("expected a type of decision, found %q", typ)
	}
	if n := len(w.recentOf(core.DecisionType(typ))); n > 0 {
		return fmt.Errorf("expected no decision of type %s, found %d", typ, n)
	}
	return nil
}

func (w *world) nothingAllocated() error { return w.noDecision(string(core.Allocation)) }

func (w *world) nothingDecided() error {
	if n := len(w.recent()); n > 0 {
		return fmt.Errorf("expected no decision, found %d", n)
	}
	return nil
}

// allocatedInOrder holds the recent allocations, all of them, against a list.
func (w *world) allocatedInOrder(names, _ string) error {
	var found []string
	for _, d := range w.recentOf(core.Allocation) {
		found = append(found, d.ID)
	}
	if want := namesOf(names); !slices.Equal(want, found) {
		return fmt.Errorf("expected the allocations %s, found %s", strings.Join(want, ", "), strings.Join(found, ", "))
	}
	return nil
}

func (w *world) rejected(id, reason string) error {
	for _, d := range w.recent() {
		rejection := d.Type == core.AppRejected || d.Type == core.AskRejected || d.Type == core.NodeRejected
		if rejection && d.ID == id && string(d.Reason) == reason {
			return nil
		}
	}
	return fmt.Errorf("no rejection of %q for the reason %s", id, reason)
}

func (w *world) ignored(input, id, reason string) error {
	for _, d := range w.recentOf(core.Ignored) {
		if d.ID == id && string(d.Input) == input && string(d.Reason) == reason {
			return nil
		}
	}
	return fmt.Errorf("no %s of %q is ignored for the reason %s", input, id, reason)
}
