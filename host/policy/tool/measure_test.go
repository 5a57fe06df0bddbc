package tool

import (
	"bytes"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/policy"
)

func TestAMeasurementReadsSo(t *testing.T) {
	r := &Measurement{Policy: "biggest", Calls: []CallTime{
		{Point: "node.score", Rows: 1000, Changed: 1000, Builtin: "fair", NS: 13.84, Native: 7.91, Ratio: 1.75},
		{Point: "node.score", Rows: 10_000, Changed: 1, Builtin: "fair", NS: 122.1, Native: 13.5, Ratio: 9.04},
		{Point: "app.order", Rows: 100_000, Changed: 100_000, Builtin: "fifo", Failed: "it used up its fuel"},
	}, Starts: []StartTime{{"compile", 26_626.2}}}
	var b bytes.Buffer
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	want := `       point     rows  changed  ns an item     native  ratio
  node.score    1,000      all        13.8   fair 7.9    1.8
  node.score   10,000        1       122.1  fair 13.5    9.0
   app.order  100,000      all      failed          –      –

compile                    26,626 us

app.order, 100,000 rows: it used up its fuel
`
	if b.String() != want {
		t.Errorf("expected\n%s\nfound\n%s", want, b.String())
	}
}

// counting counts what it is asked.
type counting struct{ calls, rows int }

// Eval answers nothing.
func (c *counting) Eval(b *policy.Batch) error {
	c.calls++
	c.rows += len(b.Rows)
	return nil
}

func TestOnlyWhatChangedIsAskedAboutAfterTheFirstTime(t *testing.T) {
	for _, x := range []struct {
		depends policy.Dependence
		rows    int
	}{{policy.OnRow, 1}, {policy.OnSiblings, 50}} {
		e := &counting{}
		spec := policy.PointSpec{Columns: []policy.Column{{Kind: policy.PendingShare}}, Keys: 1, Depends: x.depends}
		c := timedCaller{e, syntheticBatch(policy.QueueOrder, &spec, 50)}
		if err := c.begin(1); err != nil || e.rows != 50 {
			t.Fatalf("expected 50 rows at first, found %d, %v", e.rows, err)
		}
		if _, err := c.turn(); err != nil {
			t.Fatal(err)
		}
		if asked := (e.rows - 50) / (e.calls - 1); asked != x.rows {
			t.Errorf("%s: expected %d rows a call, found %d", x.depends, x.rows, asked)
		}
	}
}

func TestEveryPointHasABuiltinToCompareWith(t *testing.T) {
	for _, p := range policy.Points() {
		for _, fallback := range []string{"", "fair", "fifo", "binpacking"} {
			m := builtinFor(p, fallback)
			b := syntheticBatch(p, m.Points[p], 3)
			if err := m.Eval(b); err != nil {
				t.Errorf("%s, %q: %v", p, fallback, err)
			}
			if fallback == "binpacking" && p == policy.NodeScore && !strings.Contains(m.Name, fallback) {
				t.Errorf("expected %s, found %s", fallback, m.Name)
			}
		}
	}
}
