package guest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/policy"
)

// pair is the same module twice: with shared memory and with copied memory.
type pair struct {
	here, there         *fake
	evalHere, evalThere *Evaluator
}

func newPair(t interface{ Fatal(...any) }, set func(*fake)) *pair {
	p := &pair{here: newFake(false), there: newFake(true)}
	for _, m := range []*fake{p.here, p.there} {
		set(m)
		in, err := NewInstance(m, Limits{}, 1)
		if err == nil {
			err = in.Configure(Limits{}, []byte(`{"weight":2}`))
		}
		if err != nil {
			t.Fatal(err)
		}
		e := NewEvaluator(in, func() (*Instance, error) { return in, nil })
		if m.copies {
			p.evalThere = e
		} else {
			p.evalHere = e
		}
	}
	return p
}

// TestAMemoryThatLiesApartHoldsTheSameBytes: after any calls about any tables, what the module sees and what it answers is
// the same, even where it writes over what it was given.
func TestAMemoryThatLiesApartHoldsTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moves, scrawl := rapid.Bool().Draw(t, "moves"), rapid.Bool().Draw(t, "scrawl")
		p := newPair(t, func(m *fake) { m.moves, m.scrawl = moves, scrawl })
		var tables []*tabled
		for range rapid.IntRange(1, 3).Draw(t, "tables") {
			tables = append(tables, newTabled(t))
		}
		texts := []string{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "text") {
				texts = append(texts, rapid.StringN(0, 40, 200).Draw(t, "words"))
			}
			one := rapid.SampledFrom(tables).Draw(t, "table")
			one.change(t, texts)
			here, there := one.batches()
			errHere, errThere := p.evalHere.acting.Eval(here), p.evalThere.acting.Eval(there)
			if fmt.Sprint(errHere) != fmt.Sprint(errThere) {
				t.Fatalf("expected the same error, found %v and %v", errHere, errThere)
			}
			if !slices.Equal(here.Out, there.Out) || !bytes.Equal(p.here.memory, p.there.memory) {
				t.Fatalf("expected the same answers and the same memory, found %v and %v", here.Out, there.Out)
			}
			if !slices.Equal(p.here.texts, p.there.texts) {
				t.Fatalf("expected the same texts, found %q and %q", p.here.texts, p.there.texts)
			}
		}
	})
}

// tabled is a table, as two modules are asked about it.
type tabled struct {
	here, there policy.Batch
	rows        int
}

func newTabled(t *rapid.T) *tabled {
	b := policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Depends: rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings, policy.OnAsk}).Draw(t, "depends")}
	if rapid.Bool().Draw(t, "orders") {
		b.Point, b.Keys, b.Depends = policy.QueueOrder, 2, rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings}).Draw(t, "depends")
	}
	for range rapid.IntRange(0, 3).Draw(t, "columns") {
		kind := rapid.SampledFrom([]policy.ColumnKind{policy.Free, policy.Asked}).Draw(t, "kind") // an ask is one number for all nodes
		b.Columns = append(b.Columns, policy.Column{Kind: kind, Arg: "vcore"})
	}
	b.Cols = make([][]float64, len(b.Columns))
	return &tabled{here: b, there: b}
}

// change makes a table larger, or asks about some of it.
func (x *tabled) change(t *rapid.T, texts []string) {
	b := &x.here
	first := x.rows
	x.rows += rapid.SampledFrom([]int{0, 1, 5, 40, 1500}).Draw(t, "more")
	x.rows = max(1, x.rows)
	for i := range b.Cols {
		for len(b.Cols[i]) < x.rows {
			b.Cols[i] = append(b.Cols[i], float64(len(b.Cols[i])))
		}
	}
	b.Changed = nil
	for r := range x.rows {
		if r >= first {
			b.Changed = append(b.Changed, int32(r))
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "changed") {
		if r := int32(rapid.IntRange(0, x.rows-1).Draw(t, "row")); !slices.Contains(b.Changed, r) {
			b.Changed = append(b.Changed, r)
		}
	}
	for i := range b.Cols {
		if len(b.Changed) > 0 {
			b.Cols[i][b.Changed[0]] = rapid.Float64Range(-1e9, 1e9).Draw(t, "value")
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "anew") == 0 {
		b.Epoch++
		b.Changed = all(x.rows)
	}
	b.Rows, b.Texts = b.Changed, texts
	if b.Depends == policy.OnSiblings {
		b.Rows = all(x.rows)
	}
	b.Out = make([]float64, x.rows*b.Keys)
}

// batches are the question, for one module and for the other. They keep their addresses, by which modules know tables.
func (x *tabled) batches() (here, there *policy.Batch) {
	x.there = x.here
	x.there.Out = slices.Clone(x.here.Out)
	return &x.here, &x.there
}

func all(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

func TestADirtyRowIsAllThatGoesOver(t *testing.T) {
	p := newPair(t, func(*fake) {})
	spans := 0
	p.there.fails = func(Function, int) error { return nil }
	b := &policy.Batch{Point: policy.QueueOrder, Epoch: 1, Keys: 1, Depends: policy.OnSiblings, Columns: []policy.Column{{Kind: policy.Used, Arg: "vcore"}, {Kind: policy.Max, Arg: "vcore"}},
		Cols: [][]float64{make([]float64, 100), make([]float64, 100)}, Out: make([]float64, 100), Rows: all(100), Changed: all(100)}
	in := p.evalThere.acting
	if err := in.Eval(b); err != nil {
		t.Fatal(err)
	}
	b.Changed = []int32{50}
	f, err := in.residentFrame(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.call.Written {
		spans += int(s.Size)
	}
	if expected := 4 + 2*8; spans != expected || f.Rows < 100 {
		t.Errorf("expected %d bytes, found %d", expected, spans)
	}
}

func TestACallThatFailsIsMadeOnceMoreOnAFreshInstance(t *testing.T) {
	made := 0
	fresh := func() (*Instance, error) {
		made++
		m, first := newFake(true), made == 1
		m.fails = func(f Function, _ int) error {
			if first && f >= firstPoint {
				return errors.New("unreachable")
			}
			return nil
		}
		in, err := NewInstance(m, Limits{}, 1)
		if err != nil {
			return nil, err
		}
		return in, in.Configure(Limits{}, nil)
	}
	e := NewEvaluator(nil, fresh)
	b := &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Depends: policy.OnRow, Out: []float64{1}, Rows: []int32{0}}
	if err := e.Eval(b); err != nil || made != 2 || b.Out[0] != 0 {
		t.Errorf("expected an answer of the second instance, found %v of instance %d, %v", b.Out, made, err)
	}
}

func TestFailuresSayWhatWasWrong(t *testing.T) {
	for _, c := range []struct {
		err      error
		rows     int
		expected string
	}{
		{ErrFuel, 2, "node_score: it used up its fuel of 1004000"},
		{ErrEnded, 2, "node_score: it ended itself (proc_exit), expected it to return"},
		{errors.New("integer overflow"), 2, "node_score: it trapped: integer overflow"},
		{nil, 13, "node_score: it cannot answer (3): out of luck"},
	} {
		m := newFake(true)
		m.fails = func(f Function, _ int) error {
			if f >= firstPoint {
				return c.err
			}
			return nil
		}
		in, err := NewInstance(m, Limits{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		b := &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Depends: policy.OnRow, Out: make([]float64, c.rows), Rows: all(c.rows)}
		if err := in.Eval(b); err == nil || err.Error() != c.expected {
			t.Errorf("expected %q, found %v", c.expected, err)
		}
	}
}

func TestASetupIsHeldToTheDeclaration(t *testing.T) {
	for _, c := range []struct {
		setup Setup
		key   string
	}{
		{Setup{Parameters: map[string]any{"colour": "red"}}, "parameters.colour"},
		{Setup{Parameters: map[string]any{"weight": "red"}}, "parameters.weight"},
		{Setup{Parameters: map[string]any{"weight": 11.0}}, "parameters.weight"},
		{Setup{Fallback: map[string]string{"app.order": "fifo"}}, "fallback.app.order"},
		{Setup{Bounds: Bounds{Memory: "1GiB"}}, "limits.memory"},
		{Setup{Bounds: Bounds{Fuel: -1}}, "limits.fuel"},
	} {
		_, err := Resolve("m", declared(t), c.setup)
		var blamed *SetupError
		if !errors.As(err, &blamed) || strings.Join(blamed.Key, ".") != c.key {
			t.Errorf("%+v: expected %s to be blamed, found %v", c.setup, c.key, err)
		}
	}
	r, err := Resolve("m", declared(t), Setup{Parameters: map[string]any{"weight": 3.0, "where": "rack"}, Bounds: Bounds{Memory: "4MiB"}})
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Config) != `{"weight":3,"where":"rack"}` || r.Manifest.Points[policy.NodeScore].Columns[0].String() != "attribute_code:rack" {
		t.Errorf("found %s and %v", r.Config, r.Manifest.Points[policy.NodeScore])
	}
	if l, err := LimitsOf(r.Manifest); err != nil || l != (Limits{Pages: 64}) {
		t.Errorf("found %+v, %v", l, err)
	}
}
