package manager

import "testing"

// Each pair of a state and an event keeps these rules.
func TestAppState_EveryPair(t *testing.T) {
	for s := range appStates {
		for e := range appEvents {
			next := s.after(e)
			for rule, kept := range map[string]bool{
				"only submitting makes it known":                            s.known() || !next.known() || e == appSubmitted,
				"only a rejection refuses it":                               s == appRefused || next != appRefused || e == appRejected,
				"a rejection refuses it":                                    e != appRejected || next == appRefused,
				"what is refused waits until it is submitted or readmitted": s != appRefused || next == appRefused || e == appSubmitted || e == appReadmitted,
				"only a known one begins to fail":                           s == appFailing || next != appFailing || s == appLive && e == appFails,
				"a failing one fails until it has ended or is rejected":     s != appFailing || next == appFailing || e == appEnded || e == appRejected,
				"a live one stays until it ends, is missing, rejected or fails": s != appLive || next == appLive ||
					e == appEnded || e == appMissing || e == appRejected || e == appFails,
				"submitting makes it known":            e != appSubmitted || next.known(),
				"an end makes it unknown":              e != appEnded || !next.known(),
				"a live one that is missing is absent": s != appLive || e != appMissing || next == appAbsent,
				"a live one that fails is failing":     s != appLive || e != appFails || next == appFailing,
				"a readmitted one is not refused":      e != appReadmitted || next != appRefused,
			} {
				if !kept {
					t.Errorf("state %d, event %d: state %d follows, although %s", s, e, next, rule)
				}
			}
		}
	}
}

// Pods of no application are held for good.
func TestAppState_AbsentAfterItsEndAndAPause(t *testing.T) {
	for s := range appStates {
		if next := s.after(appEnded).after(appReadmitted); next != appAbsent {
			t.Errorf("state %d: after its end and a pause, the state is %d", s, next)
		}
	}
}
