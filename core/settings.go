package core

import "time"

// ConfigSource is the text of the configuration in force.
type ConfigSource struct {
	Text, Format, File string
}

// PolicyUse describes an announced policy and how it is used.
type PolicyUse struct {
	PolicyModule               // as announced
	Calls        uint64        // number since the announcement
	InForce      bool          // the configuration names it, or it serves a point at which all policies are in force
	Impure       bool          // its answers are recorded
	Points       []string      // the points that it serves
	Quarantined  bool          // its fallback answers until Until
	Until        time.Duration // end of the quarantine
}
