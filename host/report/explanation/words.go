package explanation

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// waited says for the codes of waiting why an ask waited, as the rest of "it waited, since …".
var waited = map[core.Reason]string{
	explain.WaitHeadroom:       "a queue on its way to the root had too little left below its max",
	explain.WaitUserLimit:      "a limit of its user had too little left",
	explain.WaitGroupLimit:     "a limit of its group had too little left",
	explain.WaitNoNodeFits:     "no node could take it",
	explain.WaitMaxApps:        "its application could not start in a queue at maxapplications",
	explain.WaitUserMaxApps:    "its user could not start another application",
	explain.WaitGroupMaxApps:   "its group could not start another application",
	explain.WaitStateFilter:    "another application of its queue had to start first",
	explain.WaitPolicy:         "the application order of its queue did not let its application run",
	explain.WaitVictims:        "its victims had yet to leave",
	explain.WaitGang:           "its gang was not formed",
	explain.WaitPlaceholder:    "it could replace no placeholder of its task group",
	explain.WaitRelease:        "the placeholder that it replaces had yet to leave",
	explain.WaitNotRunning:     "its application was Resuming or Completing",
	explain.WaitGangIncomplete: "too few members of its gang were pending",
	explain.WaitGangDoesNotFit: "too few members of its gang fitted beside one another",
	explain.WaitSetIncomplete:  "too few gangs of its set were complete",
	explain.WaitSetDoesNotFit:  "too few gangs of its set fitted beside one another",
	explain.WaitPlanned:        "room in a queue or at a limit was planned for other asks",
	explain.WaitNotYet:         "the next cycle had yet to come to it",
}

// waitedFor joins why an ask waited, each with its code.
func waitedFor(codes []core.Reason) string {
	parts := make([]string, len(codes))
	for i, code := range codes {
		parts[i] = waited[code] + " (" + string(code) + ")"
	}
	return format.List(parts)
}

// against says what speaks against a node that does not take an ask.
func against(c *explain.Candidate) string {
	switch c.Reason {
	case explain.NodeDraining:
		return "draining"
	case explain.NodeNotRequired:
		return "not the required node"
	case explain.NodeConstraint:
		return "no allowed value of " + c.Detail
	case explain.NodeTooSmall:
		return "too little " + c.Detail + " even when empty"
	case explain.NodeWindow:
		return "barred by window " + c.Detail
	case explain.NodeClaimed:
		return "kept for another ask that preempted there"
	case explain.NodeFull:
		return "too little " + c.Detail + " free"
	case explain.NodeDevices:
		return c.Detail + " in sum, not on one device"
	case explain.NodeReserved:
		return "reserved for another ask"
	case explain.NodePlanned:
		return "planned for another ask"
	case explain.NodePredicate:
		if c.Detail == explain.NotAsked {
			return "not judged by the predicate yet"
		}
		return "ruled out by a predicate: " + c.Detail
	}
	return string(c.Reason)
}
