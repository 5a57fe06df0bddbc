package explain_test

import (
	"testing"

	"github.com/quern-project/quern/core/explain"
)

func TestSentence_OfARunningGangSaysWhatMayBePreempted(t *testing.T) {
	kept := func(has int64) []explain.Kept { return []explain.Kept{{Type: "vcore", Has: has, Min: 3000}} }
	for _, test := range []struct {
		gang explain.RunningGang
		want string
	}{
		{explain.RunningGang{ID: "g", Running: 4, Min: 3, Surplus: 1},
			"It belongs to gang g, of which 4 members run and 3 are needed: 1 of them may be preempted, and the others only with the whole gang."},
		{explain.RunningGang{ID: "g", Running: 3, Min: 3}, "It belongs to gang g, of which 3 members run and 3 are needed: it can be preempted only as a whole."},
		{explain.RunningGang{ID: "g", Running: 1, Min: 3},
			"It belongs to gang g, of which 1 member runs and 3 are needed: it is broken, and can be preempted only as a whole."},
		{explain.RunningGang{ID: "g", Running: 2, Min: 2, ByMember: true},
			"It belongs to gang g, of which 2 members run and 2 are needed; each of them may be preempted by itself."},
		{explain.RunningGang{Running: 4, Keeps: kept(4000)},
			"Its application is a gang with placeholders, of which 4 members run: they may be preempted as long as the others keep 3 vcore of 4, and otherwise only together."},
		{explain.RunningGang{Running: 2, Keeps: kept(2000)},
			"Its application is a gang with placeholders, of which 2 members run: they have less than their placeholders declared (3 vcore of 2), so they can be preempted only together."},
		{explain.RunningGang{Running: 2, ByMember: true, Keeps: kept(2000)},
			"Its application is a gang with placeholders, of which 2 members run; each of them may be preempted by itself."},
	} {
		if got := test.gang.Sentence(); got != test.want {
			t.Errorf("expected\n%s\nfound\n%s", test.want, got)
		}
	}
}

func TestWithText_SaysThatTheGangOfAVictimEnds(t *testing.T) {
	for members, want := range map[int]string{0: "", 8: "Its gang of 8 ends with it."} {
		e := explain.VictimExplanation{Victim: explain.Victim{ID: "v", EndsWith: members}}
		if got := e.WithText(); got.GangText != want || e.GangText != "" {
			t.Errorf("expected %q, found %q and %q", want, got.GangText, e.GangText)
		}
	}
}
