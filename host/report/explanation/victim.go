package explanation

import (
	"fmt"

	"github.com/quern-project/quern/core/explain"
)

// victimObject is an allocation that makes room, or would.
type victimObject struct {
	ID         string          `json:"id"`
	App        string          `json:"app"`
	Queue      string          `json:"queue"`
	Priority   int32           `json:"priority"`
	Kind       string          `json:"kind"`
	Originator bool            `json:"originator"`
	OptedOut   bool            `json:"opted_out"`
	Common     string          `json:"common"`
	Seen       int32           `json:"seen"`
	ForSeen    int32           `json:"for_seen"`
	Over       []findingObject `json:"over"`
}

func victim(v explain.Victim) victimObject {
	return victimObject{
		v.ID, v.App, v.Queue, v.Priority, string(v.Kind), v.Originator, v.OptedOut, v.Common, v.Seen, v.ForSeen, findings(v.Over),
	}
}

// takenObject says who preempted an allocation, and by what right.
type takenObject struct {
	victimObject
	For      string          `json:"for"`
	ForApp   string          `json:"for_app"`
	ForQueue string          `json:"for_queue"`
	Node     string          `json:"node"`
	At       string          `json:"at"` // when it was chosen
	Gone     bool            `json:"gone"`
	Entitled []findingObject `json:"entitled"`
	With     []string        `json:"with"`
	Text     string          `json:"text"`
	GangText string          `json:"gang_text,omitempty"` // only where its gang ends with it
}

func (w writer) taken(e *explain.VictimExplanation) *takenObject {
	if e == nil {
		return nil
	}
	return &takenObject{
		victim(e.Victim), e.For, e.ForApp, e.ForQueue, e.Node, w.time(e.At), e.Gone, findings(e.Entitled), strings(e.With), e.Text, e.GangText,
	}
}

// NotPendingError says why a question about what a pending ask would do has no answer: the ask has started, or was preempted.
type NotPendingError struct {
	Name string
	Node string // where it is allocated; empty: it was preempted, and has left
	At   string
	Hint string // what else to ask, or why only pending asks count; empty: nothing
}

func (e *NotPendingError) Error() string {
	where := "is allocated on node " + e.Node + " at " + e.At
	if e.Node == "" {
		where = "was preempted and has left by " + e.At
	}
	return fmt.Sprintf("ask %q %s: expected a pending ask%s", e.Name, where, e.Hint)
}
