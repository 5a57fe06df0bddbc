package registry

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/policy"
)

// life is a table with a shadow, and a source that does not forgive a question about an item that is gone.
type life struct {
	table   *policy.Table
	acting  *policy.Acting
	behind  *shadowRunner
	rows    rowsOf
	alike   bool // items have one number twice, so that the shadow chooses alike
	failing bool // the acting module, in its next call
}

// newLife makes a table that is ordered by the first number of each item.
func newLife(t *rapid.T, shadow scorer, room int) *life {
	l := &life{rows: rowsOf{}}
	acting := scorer{of: first, fail: func() error {
		if l.failing {
			return errors.New("no")
		}
		return nil
	}}
	table, h := pairWith(t, acting, shadow, rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings}).Draw(t, "depends"), room)
	l.table, l.acting, l.behind = table, table.Acting(), h
	l.acting.Fallback = &policy.Module{Manifest: policy.Manifest{Name: "fallback", Points: scoring(policy.OnRow)}, Evaluator: scorer{of: func([]float64) float64 { return 0 }}}
	l.acting.OnFault = func(a *policy.Acting, _ error) { a.Fail() }
	return l
}

// first is what a module says of an item that looks at the first of its columns.
func first(cols []float64) float64 { return cols[0] }

func (l *life) flush() { l.table.Flush(l.rows, func(int32, []float64) {}) }

// step has something happen: an item comes, changes or goes, the acting module fails or returns from quarantine.
func (l *life) step(t *rapid.T) {
	row := int32(rapid.IntRange(0, 5).Draw(t, "row"))
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0, 1, 2:
		l.table.Drop(row)
		delete(l.rows, row)
	case 3:
		l.failing = true
	case 4:
		l.failing = false
		l.acting.Recover()
	case 5, 6:
		l.flush()
	default:
		v := float64(rapid.IntRange(0, 9).Draw(t, "value"))
		l.rows[row] = [2]float64{v, v}
		if !l.alike {
			l.rows[row] = [2]float64{v, float64(rapid.IntRange(0, 9).Draw(t, "other"))}
		}
		l.table.Touch(row)
	}
}

func TestAShadowThatLagsNeverTakesTheSchedulerDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hold := make(chan struct{})
		l := newLife(t, scorer{of: first, hold: hold}, rapid.IntRange(0, 4).Draw(t, "room"))
		l.alike = true
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			l.step(t)
		}
		close(hold)
		l.failing = false
		l.acting.Recover()
		l.behind.catchUp()
		l.rows[9] = [2]float64{3, 3}
		l.table.Touch(9)
		l.flush()
		l.behind.close()
		for _, s := range l.behind.reports("acting") {
			if s.Differing > 0 || s.Faults > 0 {
				t.Fatalf("it would choose alike, but %+v", s)
			}
		}
	})
}

// best lists the items with the largest of their numbers in a place.
func (l *life) best(place int) []string {
	var names []string
	most := -1.0
	for _, row := range slices.Sorted(maps.Keys(l.rows)) {
		v := l.rows[row][place]
		if v > most {
			names, most = nil, v
		}
		if v == most {
			names = append(names, l.rows.Name(row))
		}
	}
	return names
}

func TestShadow_ComparedOnExistingItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		failing, calls := rapid.SliceOfN(rapid.Bool(), 1, 40).Draw(t, "failing"), 0
		l := newLife(t, scorer{of: first, fail: func() error {
			calls++
			if calls <= len(failing) && failing[calls-1] {
				return errors.New("no")
			}
			return nil
		}}, 1)
		l.behind.waits = true
		rounds, otherwise, faults := 0, 0, 0
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			l.step(t)
			before := calls
			l.flush()
			l.behind.catchUp()
			if calls == before {
				continue
			}
			if calls <= len(failing) && failing[calls-1] {
				faults++
				continue
			}
			rounds++
			a, s := l.best(0), l.best(1)
			if slices.ContainsFunc(a, func(name string) bool { return slices.Contains(s, name) }) {
				continue
			}
			otherwise++
			if first := l.behind.reports("acting")[0].First; otherwise <= maxDifferences && (first[otherwise-1].Acting != a[0] || first[otherwise-1].Shadow != s[0]) {
				t.Fatalf("expected %s and %s, found %+v", a[0], s[0], first[otherwise-1])
			}
		}
		l.behind.close()
		if got := l.behind.reports("acting"); len(got) > 0 && (got[0].Rounds != rounds || got[0].Differing != otherwise || got[0].Faults != faults) {
			t.Fatalf("expected %d otherwise of %d rounds and %d faults, found %+v", otherwise, rounds, faults, got[0])
		}
	})
}

func TestAShadowThatPanicsIsAskedNoMore(t *testing.T) {
	calls := 0
	table, h := pairOf(t, scorer{of: first}, scorer{fail: func() error { calls++; panic("a mistake") }}, policy.OnRow)
	rows := rowsOf{}
	for row := range int32(2 * maxLag) {
		rows[row] = [2]float64{1, 1}
		table.Touch(row)
		table.Flush(rows, func(int32, []float64) {})
	}
	h.close()
	if got := h.reports("acting"); calls != 1 || len(got) != 1 || got[0].Faults != 1 || got[0].Fault != "it is no longer called: a mistake" {
		t.Errorf("expected one call and its fault, found %d and %+v", calls, got)
	}
}

func TestAShadowThatIsWaitedForSeesEveryRound(t *testing.T) {
	table, h := pairOf(t, scorer{of: first}, scorer{of: first}, policy.OnRow)
	h.waits = true
	rows := rowsOf{}
	for n := range 8 * maxLag {
		rows[0] = [2]float64{float64(n), 1}
		table.Touch(0)
		table.Flush(rows, func(int32, []float64) {})
	}
	h.close()
	if got := h.reports("acting"); got[0].Rounds != 8*maxLag {
		t.Errorf("expected %d rounds, found %+v", 8*maxLag, got)
	}
}
