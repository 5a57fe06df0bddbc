package core

import "time"

// PlannedStart is when and where a blocked ask starts at the latest, with the allocations and plans of now.
type PlannedStart struct {
	Start time.Duration
	Node  string
	// Nodes are those of the members of a gang, in the order of these. It is set of the first pending member alone.
	Nodes  []string       `json:",omitempty"`
	Reason Reason         `json:",omitempty"` // of the last decision about it; empty before the first
	Ends   *time.Duration `json:",omitempty"` // when its allocation promises to end if it starts then; nil: it promises no end
}
