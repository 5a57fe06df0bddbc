package podstate

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/transitions.txt")

const golden = "testdata/transitions.txt"

// walk says of every pair of state and event what happens.
func walk() string {
	var b strings.Builder
	for s := range states {
		fmt.Fprintf(&b, "%v:\n", s)
		for e := range events {
			next, ok := s.After(e)
			result := next.String()
			switch {
			case !ok:
				result = "impossible, reported"
			case next == s:
				result = "no change"
			}
			fmt.Fprintf(&b, "  %-21s %s\n", e.String(), result)
		}
	}
	return b.String()
}

func TestTransitions_EveryPair(t *testing.T) {
	got := walk()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the transitions differ from %s; -update rewrites it\n%s", golden, got)
	}
}

func TestTransitions_ImpossiblePairKeepsTheState(t *testing.T) {
	for s := range states {
		for e := range events {
			if next, ok := s.After(e); !ok && next != s {
				t.Errorf("%v, %v: the state becomes %v", s, e, next)
			}
		}
	}
	if next, ok := states.After(AskSent); ok || next != states {
		t.Error("a state that does not exist has a transition")
	}
	if next, ok := Absent.After(events); ok || next != Absent {
		t.Error("an event that does not exist has a transition")
	}
}

// From every state, a pod can leave the scheduler and ask again; every state can be reached.
func TestStates_ReachableAndLeft(t *testing.T) {
	reach := func(from State) map[State]bool {
		found, next := map[State]bool{from: true}, []State{from}
		for len(next) > 0 {
			s := next[0]
			next = next[1:]
			for e := range events {
				if to, ok := s.After(e); ok && !found[to] {
					found[to] = true
					next = append(next, to)
				}
			}
		}
		return found
	}
	for s := range states {
		if !reach(Absent)[s] {
			t.Errorf("%v cannot be reached", s)
		}
		if !reach(s)[Asking] {
			t.Errorf("a pod that is %v never asks again", s)
		}
	}
}

// What the scheduler has of a pod only begins with what was sent, and only ends with what was sent, released or refused.
func TestEvents_BeginAndEndWhatIsKnown(t *testing.T) {
	begins := map[Event]bool{AskSent: true, AllocationSent: true}
	ends := map[Event]bool{Withdrawn: true, Released: true, Refused: true}
	for s := range states {
		for e := range events {
			next, _ := s.After(e)
			if !s.Known() && next.Known() && !begins[e] {
				t.Errorf("%v, %v: the scheduler has the pod", s, e)
			}
			if s.Known() && !next.Known() && !ends[e] {
				t.Errorf("%v, %v: the scheduler has lost the pod", s, e)
			}
			if s.Known() && ends[e] && next.Known() {
				t.Errorf("%v, %v: the scheduler still has the pod", s, e)
			}
		}
	}
}

func TestNames_AllDiffer(t *testing.T) {
	seen := map[string]bool{"": true}
	for s := range states + 1 {
		if seen[s.String()] {
			t.Errorf("state %d is named %q", s, s)
		}
		seen[s.String()] = true
	}
	for e := range events + 1 {
		if seen[e.String()] {
			t.Errorf("event %d is named %q", e, e)
		}
		seen[e.String()] = true
	}
}
