package apps

import "github.com/quern-project/quern/core"

// State is the state of an application.
type State uint8

// The states. Terminal ones come last.
const (
	StateNew State = iota
	StateAccepted
	StateStarting
	StateRunning
	StateResuming
	StateCompleting
	StateFailing
	StateCompleted
	StateFailed
	states
)

var names = [states]string{
	StateNew: core.StateNew, StateAccepted: core.StateAccepted, StateStarting: core.StateStarting, StateRunning: core.StateRunning, StateResuming: core.StateResuming,
	StateCompleting: core.StateCompleting, StateFailing: core.StateFailing, StateCompleted: core.StateCompleted, StateFailed: core.StateFailed,
}

// next lists the states that may follow each state. Any live application may be removed, which completes it, and the timeout of its
// placeholders may end in any live state.
var next = [states][]State{
	StateNew:        {StateAccepted, StateResuming, StateFailing, StateCompleted},
	StateAccepted:   {StateStarting, StateRunning, StateResuming, StateCompleting, StateFailing, StateCompleted},
	StateStarting:   {StateRunning, StateResuming, StateCompleting, StateFailing, StateCompleted},
	StateRunning:    {StateResuming, StateCompleting, StateFailing, StateCompleted},
	StateResuming:   {StateAccepted, StateResuming, StateCompleting, StateFailing, StateCompleted},
	StateCompleting: {StateAccepted, StateRunning, StateResuming, StateFailing, StateCompleted},
	StateFailing:    {StateResuming, StateCompleting, StateFailing, StateCompleted, StateFailed}, // StateCompleting only if a snapshot has a failing application without placeholders
}

// String returns the name of the state, as in decisions.
func (s State) String() string { return names[s] }

// Live returns the state with a name, and whether there is one that is not terminal.
func Live(name string) (State, bool) {
	for s := range StateCompleted {
		if names[s] == name {
			return s, true
		}
	}
	return StateNew, false
}

// Terminal reports whether an application in this state has ended.
func (s State) Terminal() bool { return s >= StateCompleted }

// Started reports whether an application in this state is past StateAccepted: it counts under maxapplications, or did.
func (s State) Started() bool { return s != StateNew && s != StateAccepted }

// Paused reports whether nothing is allocated to an application in this state although it has started.
func (s State) Paused() bool { return s == StateResuming || s == StateCompleting }

// MayBecome reports whether another state may follow this one.
func (s State) MayBecome(to State) bool {
	for _, follower := range next[s] {
		if follower == to {
			return true
		}
	}
	return false
}
