package hold

import "testing"

// next holds the state after each event; impossible if the event panics.
type next struct{ reserve, require, unreserve, claim, unclaim State }

const impossible State = 255

func TestState_Transitions(t *testing.T) {
	table := map[State]next{
		None:            {Reserved, Required, impossible, Claimed, impossible},
		Reserved:        {impossible, impossible, None, ClaimedReserved, impossible},
		Required:        {impossible, impossible, None, ClaimedRequired, impossible},
		Claimed:         {ClaimedReserved, ClaimedRequired, impossible, Claimed, None},
		ClaimedReserved: {impossible, impossible, Claimed, ClaimedReserved, Reserved},
		ClaimedRequired: {impossible, impossible, Claimed, ClaimedRequired, Required},
	}
	for s, want := range table {
		found := next{
			after(func() State { return s.Reserve(false) }), after(func() State { return s.Reserve(true) }), after(s.Unreserve),
			after(s.Claim), after(s.Unclaim),
		}
		if found != want {
			t.Errorf("state %d: reserved, required, unreserved, claimed, unclaimed: %v, expected %v", s, found, want)
		}
	}
}

func TestState_Questions(t *testing.T) {
	table := map[State][3]bool{ // reserved, required, claimed
		None: {}, Reserved: {true, false, false}, Required: {true, true, false},
		Claimed: {false, false, true}, ClaimedReserved: {true, false, true}, ClaimedRequired: {true, true, true},
	}
	for s, want := range table {
		if found := [3]bool{s.IsReserved(), s.IsRequired(), s.IsClaimed()}; found != want {
			t.Errorf("state %d is reserved, required, claimed: %v, expected %v", s, found, want)
		}
	}
}

func after(event func() State) (s State) {
	defer func() {
		if recover() != nil {
			s = impossible
		}
	}()
	return event()
}
