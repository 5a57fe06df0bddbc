package explanation

import "github.com/quern-project/quern/core/explain"

type appObject struct {
	At          string           `json:"at"`
	App         string           `json:"app"`
	Queue       string           `json:"queue"`
	State       string           `json:"state"`
	Since       string           `json:"since"`
	Pending     int              `json:"pending"`
	Allocations int              `json:"allocations"`
	Preempted   int64            `json:"preempted,omitempty"` // allocations
	Priority    *int32           `json:"priority"`            // null when nothing is pending
	Place       int              `json:"place"`               // in the order of its queue; 0 when nothing is pending
	HasPlace    bool             `json:"has_place"`
	Group       string           `json:"group,omitempty"`
	Reasons     []string         `json:"reasons"`
	Limits      []limitObject    `json:"limits"`
	Blocked     []string         `json:"blocked"`
	Waits       []string         `json:"waits"`
	Gang        *gangObject      `json:"gang,omitempty"`
	Placement   *placementObject `json:"placement,omitempty"`
	Text        string           `json:"text"`
}

func (w writer) app(e explain.AppExplanation) appObject {
	return appObject{
		At: w.time(w.at), App: e.ID, Queue: e.Queue, State: e.State, Since: w.time(e.Since), Pending: e.Pending,
		Allocations: e.Allocations, Priority: priority(e.HasPriority, e.Priority), Place: e.Place, HasPlace: e.HasPlace, Group: e.Group,
		Reasons: reasons(e.Reasons), Limits: limitLacks(e.Limits), Blocked: strings(e.Blocked), Waits: strings(e.Waits), Gang: w.gang(e.Gang),
		Placement: placement(e.Placement), Text: e.Text, Preempted: e.Preempted,
	}
}
