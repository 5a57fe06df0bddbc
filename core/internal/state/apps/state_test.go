package apps

import (
	"slices"
	"testing"
)

// transitions are all transitions that the life of an application permits.
var transitions = map[State]string{
	StateNew:        "Accepted Resuming Failing Completed",
	StateAccepted:   "Starting Running Resuming Completing Failing Completed",
	StateStarting:   "Running Resuming Completing Failing Completed",
	StateRunning:    "Resuming Completing Failing Completed",
	StateResuming:   "Accepted Resuming Completing Failing Completed",
	StateCompleting: "Accepted Running Resuming Failing Completed",
	StateFailing:    "Resuming Completing Failing Completed Failed",
	StateCompleted:  "",
	StateFailed:     "",
}

func TestState_HasTheTransitionsOfTheTable(t *testing.T) {
	for from := range states {
		text := ""
		for to := range states {
			if from.MayBecome(to) {
				text += " " + to.String()
			}
		}
		if want := transitions[from]; len(text) > 0 && text[1:] != want || text == "" && want != "" {
			t.Errorf("%s may become%s, expected %s", from, text, want)
		}
	}
}

func TestState_ReachesAnEnd(t *testing.T) {
	for from := range states {
		if ends := len(next[from]) == 0; ends != from.Terminal() {
			t.Errorf("%s ends: %v, expected %v", from, ends, from.Terminal())
		}
		if !from.Terminal() && !slices.Contains(next[from], StateCompleted) {
			t.Errorf("a %s application cannot be removed", from)
		}
	}
}

func TestState_IsReachable(t *testing.T) {
	reached, todo := map[State]bool{StateNew: true}, []State{StateNew}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		for _, to := range next[s] {
			if !reached[to] {
				reached[to] = true
				todo = append(todo, to)
			}
		}
	}
	if len(reached) != int(states) {
		t.Errorf("from New, only %v are reached", reached)
	}
}

func TestLive_FindsLiveStatesByName(t *testing.T) {
	for s := range states {
		if found, live := Live(s.String()); live == s.Terminal() || live && found != s {
			t.Errorf("%s was found as %s, %v", s, found, live)
		}
	}
	if _, live := Live("Rejected"); live {
		t.Error("Rejected counts as live")
	}
}
