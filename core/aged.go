package core

import "time"

// Aged is the usage by which an order with a half-life compares a queue with its siblings, or a user with others in a leaf.
type Aged struct {
	HalfLife  time.Duration `json:",omitempty"` // 0: only current usage counts
	LookAhead time.Duration `json:",omitempty"`
	Types     []AgedAmount  `json:",omitempty"` // those above 0, by type
	Share     int64         // the largest share of the compared usage, in billionths
	// BelowGuaranteed is set for a queue that comes before all siblings without it: its current usage is below its guarantees.
	BelowGuaranteed bool `json:",omitempty"`
}

// AgedAmount is the usage of a type.
type AgedAmount struct {
	Type     string
	Used     int64
	Aged     Fraction // now; 0 without a half-life
	Compared Fraction // of aged usage at the last multiple of the period, and of current usage, each with its weight
}

// Fraction is an amount that need not be whole.
type Fraction struct {
	Units int64
	Part  uint32 // in 2^-32 of a unit
}

// AgedUser is a user in a leaf that compares users.
type AgedUser struct {
	User string
	Aged
}
