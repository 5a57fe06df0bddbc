package core

import "time"

// PlannedAsk is a blocked ask with its planned start. The members of a gang have one each, with the same start.
type PlannedAsk struct {
	ID    string
	Node  string
	Start time.Duration  // on the scheduler's clock, at the latest
	Ends  *time.Duration `json:",omitempty"` // when its allocation promises to end if it starts then; nil: it promises no end
}
