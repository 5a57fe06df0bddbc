package manager

import "testing"

func TestAppState_EveryPair(t *testing.T) {
	a, l, r, f := appAbsent, appLive, appRefused, appFailing
	for e, want := range map[appEvent][appStates]appState{
		appSubmitted:  {l, l, l, f},
		appRejected:   {r, r, r, r},
		appReadmitted: {a, l, a, f},
		appFails:      {a, f, r, f},
		appEnded:      {a, a, r, a},
		appMissing:    {a, a, r, f},
	} {
		for s := range appStates {
			if got := s.after(e); got != want[s] {
				t.Errorf("state %d, event %d: found state %d, expected %d", s, e, got, want[s])
			}
		}
	}
}

// The scheduler has an application only once it was submitted, and asks of no pod are held for good.
func TestAppState_BeginsAndEnds(t *testing.T) {
	for s := range appStates {
		for e := range appEvents {
			if next := s.after(e); !s.known() && next.known() && e != appSubmitted {
				t.Errorf("state %d, event %d: the scheduler has the application", s, e)
			}
		}
		if next := s.after(appEnded).after(appReadmitted); next != appAbsent {
			t.Errorf("state %d: after its end and a pause, the state is %d", s, next)
		}
	}
}
