package conformance

import (
	"fmt"
	"math"

	"github.com/quern-project/quern/core/policy"
)

// session is one copy of the policy, with a dictionary of its own.
type session struct {
	suite   *suite
	symbols *policy.SymbolTable
	copy    policy.Evaluator
	guest   *guest // the same copy, where it is a module
	end     func()
}

// open makes a configured copy; config nil: with the values of its settings. Texts get their codes in the order given.
func (s *suite) open(config []byte, texts []string) (*session, error) {
	out := &session{suite: s, symbols: NewSymbolTable(texts...)}
	if config == nil {
		config = s.Announced.Configuration
	}
	if s.Instance == nil {
		var err error
		out.copy, out.end, err = s.Start(config)
		return out, err
	}
	g, err := s.configuredGuest(config)
	if err != nil {
		return nil, err
	}
	out.copy, out.guest, out.end = g, g, g.close
	return out, nil
}

// with runs a check on a fresh copy.
func (s *suite) with(f func(*session) verdict) verdict {
	in, err := s.open(nil, words)
	if err != nil {
		return differs("a copy of it", "%v", err)
	}
	defer in.end()
	return f(in)
}

// batch lays items out: row i holds item ids[i], described by value, and every row is asked about.
func (s *session) batch(p policy.Point, ids []int, value describe) *policy.Batch {
	spec := s.symbols.Resolve(s.suite.Announced.Points[p])
	b := &policy.Batch{Point: p, Epoch: 1, Keys: spec.Keys, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, len(ids)*spec.Keys)}
	for i := range spec.Columns {
		c := &spec.Columns[i]
		column := make([]float64, len(ids))
		for row, id := range ids {
			if constant(p, c) {
				id = 0
			}
			column[row] = value(id, p, c)
		}
		b.Cols = append(b.Cols, column)
	}
	for row := range ids {
		b.Rows = append(b.Rows, int32(row))
	}
	b.Changed, b.Texts = b.Rows, s.symbols.Texts()
	return b
}

// constant reports whether a column is one number for all rows.
func constant(p policy.Point, c *policy.Column) bool {
	return c.Kind == policy.Asked && (p == policy.NodeScore || p == policy.NodeFilter)
}

// answers asks about items and returns the answers in the order of the rows.
func (s *session) answers(p policy.Point, ids []int, value describe) ([]float64, error) {
	b := s.batch(p, ids, value)
	if err := s.copy.Eval(b); err != nil {
		return nil, err
	}
	return b.Out, nil
}

// numbers is answers, held to be numbers.
func (s *session) numbers(p policy.Point, ids []int, value describe) ([]float64, error) {
	out, err := s.answers(p, ids, value)
	if err != nil {
		return nil, err
	}
	keys := s.keys(p)
	for i, v := range out {
		if math.IsNaN(v) {
			return nil, fmt.Errorf("expected a number for row %d, key %d, found NaN", i/keys, i%keys)
		}
	}
	return out, nil
}

func (s *session) keys(p policy.Point) int { return s.suite.Announced.Points[p].Keys }

// compare says where answers about the same items differ: want[i] and got[place[i]] are about one item; place nil: in
// the same order. Slack is how much they may, in relation to their size.
func compare(p policy.Point, keys int, want, got []float64, place []int, slack float64) verdict {
	for i, w := range want {
		row, key := i/keys, i%keys
		if place != nil {
			row = place[row]
		}
		g := got[row*keys+key]
		if w != g && !(math.Abs(w-g) <= slack*math.Abs(w)) {
			return differs("equal answers", "%s: item %d, key %d: %v at first, then %v", p, i/keys, key, w, g)
		}
	}
	return fine
}
