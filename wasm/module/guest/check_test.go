package guest

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// employed is an evaluator of fakes, and how many it has made.
type employed struct {
	*Evaluator
	made []*fake
}

// employ makes an evaluator whose instances are fakes that set has a hand in.
func employ(set func(nth int, m *fake)) *employed {
	e := &employed{}
	e.Evaluator = NewEvaluator(nil, func() (*Instance, error) {
		m := newFake(false)
		set(len(e.made), m)
		e.made = append(e.made, m)
		in, err := NewInstance(m, Limits{}, 1)
		if err != nil {
			return nil, err
		}
		return in, in.Configure(Limits{}, nil)
	})
	return e
}

// one is a batch about one row of one column.
func one(value float64) *policy.Batch {
	return &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.Free, Arg: "vcore"}},
		Cols: [][]float64{{value}}, Out: []float64{0}, Rows: []int32{0}, Changed: []int32{0}}
}

// failEvery has every nth call of a point fail, as a module does that leaks.
func failEvery(n int) func(int, *fake) {
	return func(_ int, m *fake) {
		calls := 0
		m.fails = func(f Function, _ int) error {
			if f < firstPoint {
				return nil
			}
			if calls++; calls%n == 0 {
				return errors.New("unreachable")
			}
			return nil
		}
	}
}

func TestCalls_MadeTwiceCountedTooManyAFault(t *testing.T) {
	for _, c := range []struct{ every, calls, faultAt int }{{2, 100, 12}, {90, 1000, 980}, {200, 3000, 0}} {
		e := employ(failEvery(c.every))
		for n := 1; n <= c.calls; n++ {
			err := e.Eval(one(1))
			if err != nil {
				if n != c.faultAt || !errors.Is(err, policy.ErrUnstable) {
					t.Errorf("every %d: expected a fault in call %d, found %v in call %d", c.every, c.faultAt, err, n)
				}
				c.faultAt = 0
				break
			}
		}
		if c.faultAt != 0 || e.Repeated() == 0 {
			t.Errorf("every %d: expected a fault in call %d, found none, and %d calls made twice", c.every, c.faultAt, e.Repeated())
		}
	}
}

func TestAModuleThatAnswersOneCallInTwoWaysIsFoundOut(t *testing.T) {
	e := employ(func(_ int, m *fake) { m.counts = true })
	for n := 1; n <= firstCheck; n++ {
		err := e.Eval(one(1))
		if n < firstCheck && err != nil {
			t.Fatalf("call %d: %v", n, err)
		}
		if n == firstCheck && (!errors.Is(err, policy.ErrImpure) || err.Error() != "impure: expected the answer 8 for item 0 again, found 2") {
			t.Errorf("expected it to be found out, found %v", err)
		}
	}
	for _, m := range e.made {
		if !m.closed {
			t.Error("an instance of an impure module goes on")
		}
	}
}

// TestTheCheckOfPurityChangesNoAnswer: whatever is asked, a pure module is never found impure, and answers what the columns say.
func TestTheCheckOfPurityChangesNoAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fails := rapid.IntRange(100, 400).Draw(t, "fails")
		e := employ(failEvery(fails))
		var tables []*policy.Batch
		for range rapid.IntRange(1, 3).Draw(t, "tables") {
			b := one(1)
			b.Depends = rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings}).Draw(t, "depends")
			b.Cols, b.Out = [][]float64{make([]float64, 8)}, make([]float64, 8)
			tables = append(tables, b)
		}
		live := map[*policy.Batch]map[int32]bool{}
		for range rapid.IntRange(1, 400).Draw(t, "calls") {
			b := rapid.SampledFrom(tables).Draw(t, "table")
			row := int32(rapid.IntRange(0, 7).Draw(t, "row"))
			if live[b] == nil {
				live[b] = map[int32]bool{}
			}
			live[b][row] = true
			b.Cols[0][row], b.Changed, b.Rows = float64(rapid.IntRange(0, 9).Draw(t, "value")), []int32{row}, []int32{row}
			if b.Depends == policy.OnSiblings {
				b.Rows = nil
				for r := range int32(8) {
					if live[b][r] {
						b.Rows = append(b.Rows, r)
					}
				}
			}
			if err := e.Eval(b); err != nil {
				t.Fatal(err)
			}
			for _, r := range b.Rows {
				if b.Out[r] != b.Cols[0][r] {
					t.Fatalf("row %d: expected %v, found %v", r, b.Cols[0][r], b.Out[r])
				}
			}
		}
		if n := len(e.made) - e.Repeated(); n > 2 {
			t.Fatalf("expected an instance and a spare one, and one more for each call made twice, found %d of %d", len(e.made), e.Repeated())
		}
	})
}

// count adds to an answer how often the module was asked.
func (m *fake) count(frame []byte) {
	at := binary.LittleEndian.Uint32(frame[abi.OffAnswers:])
	v := math.Float64frombits(binary.LittleEndian.Uint64(frame[at:]))
	m.asked++
	binary.LittleEndian.PutUint64(frame[at:], math.Float64bits(v+float64(m.asked)))
}
