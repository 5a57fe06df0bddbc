package features

import (
	"strings"

	"github.com/quern-project/quern/core/explain"
)

// plannedLines are what tables may say of the planned start of an ask, in its explanation.
var plannedLines = []column[explain.AskExplanation]{
	{"planned start", func(e explain.AskExplanation) string { return startOf(e) }, asDurationOrNone},
	{"planned node", func(e explain.AskExplanation) string { return plannedOf(e).Node }, asIs},
	{"planned nodes", func(e explain.AskExplanation) string { return strings.Join(plannedOf(e).Nodes, ", ") }, asIs},
	{"planned for", func(e explain.AskExplanation) string { return string(plannedOf(e).Reason) }, asIs},
	{"after", func(e explain.AskExplanation) string { return afterText(plannedOf(e)) }, asIs},
	{"no plan", func(e explain.AskExplanation) string { return string(e.Unplanned) }, asIs},
	{"planned room", plannedRoom, asIs},
	{"shorter walltime", func(e explain.AskExplanation) string { return durationText(shorterOf(e).Walltime) }, asDurationOrNone},
	{"shorter node", func(e explain.AskExplanation) string { return shorterOf(e).Node }, asIs},
}

// plannedOf returns the planned start of an ask, or one without a node.
func plannedOf(e explain.AskExplanation) explain.PlanExplanation {
	if e.Planned == nil {
		return explain.PlanExplanation{}
	}
	return *e.Planned
}

func startOf(e explain.AskExplanation) string {
	if e.Planned == nil {
		return ""
	}
	return e.Planned.Start.String()
}

// afterText lists what has to leave, such as `run, wide planned, window patch`.
func afterText(p explain.PlanExplanation) string {
	var parts []string
	for _, d := range p.After {
		if d.Planned {
			d.Ask += " planned"
		}
		parts = append(parts, d.Ask)
	}
	if p.Window != "" {
		parts = append(parts, "window "+p.Window)
	}
	return strings.Join(parts, ", ")
}

// plannedRoom is the queue with the room, or `limit`, such as `root.a from 1h0m0s`.
func plannedRoom(e explain.AskExplanation) string {
	if e.PlannedRoom == nil {
		return ""
	}
	of := e.PlannedRoom.Queue
	if of == "" {
		of = "limit"
	}
	return of + " from " + e.PlannedRoom.From.String()
}

func shorterOf(e explain.AskExplanation) explain.Shorter {
	if e.Shorter == nil {
		return explain.Shorter{}
	}
	return *e.Shorter
}
