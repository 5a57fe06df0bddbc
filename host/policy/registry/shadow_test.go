package registry

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// scorer scores a row by its columns; while it is held it does not answer.
type scorer struct {
	of   func(cols []float64) float64
	hold chan struct{}
	fail func() error // asked before each answer; it may panic
}

func (s scorer) Eval(b *policy.Batch) error {
	if s.hold != nil {
		<-s.hold
	}
	if s.fail != nil {
		if err := s.fail(); err != nil {
			return err
		}
	}
	for _, row := range b.Rows {
		cols := make([]float64, len(b.Cols))
		for i := range b.Cols {
			cols[i] = b.Cols[i][row]
		}
		b.Out[row] = s.of(cols)
	}
	return nil
}

// rowsOf describes rows by two numbers each.
type rowsOf map[int32][2]float64

// Name panics for an item that is gone, as the scheduler's lists may.
func (r rowsOf) Name(row int32) string {
	if _, there := r[row]; !there {
		panic("the item is gone")
	}
	return string(rune('a' + row))
}

func (r rowsOf) Fill(row int32, columns []policy.Column, cols [][]float64) {
	for i, c := range columns {
		cols[i][row] = r[row][map[string]int{"vcore": 0, "memory": 1}[c.Arg]]
	}
}

var (
	vcore  = policy.Column{Kind: policy.Free, Arg: "vcore"}
	memory = policy.Column{Kind: policy.Free, Arg: "memory"}
)

func scoring(depends policy.Dependence, columns ...policy.Column) map[policy.Point]*policy.PointSpec {
	return map[policy.Point]*policy.PointSpec{policy.NodeScore: {Keys: 1, Depends: depends, Columns: columns}}
}

// pairOf is a table whose policy reads vcore, with a shadow that reads memory; both are asked with both columns.
func pairOf(t interface{ Fatal(...any) }, acting, shadow scorer, depends policy.Dependence) (*policy.Table, *shadowRunner) {
	return pairWith(t, acting, shadow, depends, maxLag)
}

// pairWith is a pair whose shadow may lag behind by so many rounds.
func pairWith(t interface{ Fatal(...any) }, acting, shadow scorer, depends policy.Dependence, room int) (*policy.Table, *shadowRunner) {
	announced := &policy.Manifest{Name: "acting", Points: scoring(policy.OnRow, vcore, memory)}
	own, err := guest.NewProjections(announced, scoring(policy.OnRow, vcore))
	if err != nil {
		t.Fatal(err)
	}
	views, err := guest.NewProjections(announced, scoring(depends, memory))
	if err != nil {
		t.Fatal(err)
	}
	h := newShadowRunner(&module{candidate: candidate{name: "shadow"}, Resolved: &guest.Resolved{Manifest: &policy.Manifest{Points: scoring(depends, memory)}}}, shadow, false, room)
	e := &shadowed{own.Wrap(acting), h, views, func() time.Duration { return time.Minute }, nil}
	fault := func(_ *policy.Acting, err error) { t.Fatal(err) }
	return policy.NewTable(&policy.Acting{Point: policy.NodeScore, Module: &policy.Module{Manifest: *announced, Evaluator: e}, OnFault: fault}), h
}

func TestShadow_LagReportedAtTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hold := make(chan struct{})
		same := func(cols []float64) float64 { return cols[0] }
		depends := rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings}).Draw(t, "depends")
		table, h := pairOf(t, scorer{of: same}, scorer{of: same, hold: hold}, depends)
		rows := rowsOf{}
		flush := func() { table.Flush(rows, func(int32, []float64) {}) }
		for range rapid.IntRange(maxLag, 2*maxLag).Draw(t, "rounds") {
			row := int32(rapid.IntRange(0, 5).Draw(t, "row"))
			if _, there := rows[row]; there && rapid.IntRange(0, 3).Draw(t, "what") == 0 {
				table.Drop(row)
				delete(rows, row)
				continue
			}
			v := float64(rapid.IntRange(0, 9).Draw(t, "value"))
			rows[row] = [2]float64{v, v}
			table.Touch(row)
			flush()
		}
		close(hold)
		h.catchUp()
		rows[9] = [2]float64{3, 3}
		table.Touch(9)
		flush()
		h.close()
		for _, s := range h.reports("acting") {
			if s.Differing > 0 || s.Faults > 0 || s.Rounds == 0 {
				t.Fatalf("it would choose alike, but %+v", s)
			}
		}
	})
}

func TestAShadowSaysWhereItWouldHaveChosenOtherwise(t *testing.T) {
	first := func(cols []float64) float64 { return cols[0] }
	table, h := pairOf(t, scorer{of: first}, scorer{of: first}, policy.OnRow)
	rows := rowsOf{0: {5, 1}, 1: {3, 2}}
	flush := func(touched ...int32) {
		for _, row := range touched {
			table.Touch(row)
		}
		table.Flush(rows, func(int32, []float64) {})
	}
	flush(0, 1) // a by vcore, b by memory
	rows[1] = [2]float64{5, 2}
	flush(1) // by vcore both are first, and b is so by memory too
	rows[0] = [2]float64{9, 1}
	flush(0) // a, b
	table.Drop(1)
	delete(rows, 1)
	rows[0] = [2]float64{8, 0}
	flush(0) // there is only a
	h.close()
	got := h.reports("acting")
	if len(got) != 1 || got[0].Rounds != 4 || got[0].Differing != 2 || len(got[0].First) != 2 {
		t.Fatalf("found %+v", got)
	}
	if f := got[0].First[0]; f.Acting != "a" || f.Shadow != "b" || f.At != time.Minute || f.Compared != 2 {
		t.Errorf("found %+v", f)
	}
}
