package core

import "time"

// ConfigSource is the text that the configuration in force came from.
type ConfigSource struct {
	Text, Format, File string
}

// PolicyUse is how a policy that was announced is used.
type PolicyUse struct {
	PolicyModule               // as it was announced
	Calls        uint64        // since it was announced
	InForce      bool          // the configuration uses it, by its name or since it serves a point at which all act
	Impure       bool          // its answers are recorded
	Points       []string      // that it serves
	Quarantined  bool          // it is in quarantine: its fallback answers
	Until        time.Duration // in quarantine until then
}
