package policy_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

func TestAManifestSaysWhatIsWrongWithIt(t *testing.T) {
	point := func(p, spec string) string { return `{"name":"p","points":{"` + p + `":` + spec + `}}` }
	for text, expected := range map[string]string{
		``:                          "EOF",
		`{"name":"p","round":-1}`:   "round: expected 1 or more, found -1",
		`{}`:                        "name: expected the policy's name, found none",
		`[]`:                        "cannot unmarshal",
		`{"name":"p"}`:              "points: expected at least one, found none",
		`{"name":"p","points":{}}`:  "points: expected at least one, found none",
		`{"name":"p","colour":"x"}`: `unknown field "colour"`,
		`{"name":7}`:                "cannot unmarshal number",
		`{"name":"p","points":{"queue.order":{"keys":1,"depends":"row"}}} {}`:             "expected one JSON object, found more after it",
		`{"name":"p","points":{"queue.order":{"keys":1,"depends":"row"}}} x`:              "expected one JSON object, found more after it",
		point("app.less", `{"keys":1,"depends":"row"}`):                                   `found "app.less"`,
		point("app.order", `{"keys":0,"depends":"row"}`):                                  "keys: expected 1 to 8",
		point("app.order", `{"keys":9,"depends":"row"}`):                                  "keys: expected 1 to 8",
		point("node.score", `{"keys":2,"depends":"row"}`):                                 "1 for node.score and node.filter",
		point("node.filter", `{"keys":2,"depends":"ask"}`):                                "1 for node.score and node.filter",
		point("app.order", `{"keys":1}`):                                                  "depends: expected row, siblings or, for nodes, ask",
		point("app.order", `{"keys":1,"depends":"ask"}`):                                  `found "ask"`,
		point("node.score", `{"keys":1,"depends":"moon"}`):                                `found "moon"`,
		point("app.order", `{"keys":1,"depends":"row","columns":["colour"]}`):             "colour",
		point("app.order", `{"keys":1,"depends":"row","columns":[""]}`):                   "column",
		point("app.order", `{"keys":1,"depends":"row","columns":["fair_share"]}`):         "fair_share",
		point("app.order", `{"keys":1,"depends":"row","columns":["used"]}`):               "used",
		point("app.order", `{"keys":1,"depends":"row","columns":["submitted:x"]}`):        "submitted:x",
		point("app.order", `{"keys":1,"depends":"row","columns":["tag:a=b"]}`):            `expected a finite number after =, found "b"`,
		point("app.order", `{"keys":1,"depends":"row","columns":[1]}`):                    "column",
		point("node.score", `{"keys":1,"depends":"row","columns":["ask:vcore"]}`):         "needs depends: ask",
		point("node.score", `{"keys":1,"depends":"row","columns":["domain_fits"]}`):       "needs depends: ask",
		point("node.score", `{"keys":1,"depends":"row","columns":["domain_free:rack"]}`):  "expected a level and a resource type",
		point("node.score", `{"keys":1,"depends":"row","columns":["domain_free:rack:"]}`): "expected a level and a resource type",
		point("node.score", `{"keys":1,"depends":"row","columns":["domain_free::gpu"]}`):  "expected a level and a resource type",
		point("node.score", `{"keys":1,"depends":"row","columns":["domain:*"]}`):          "stands for resource types",
		point("node.score", `{"keys":1,"depends":"row","columns":["domain_free:*"]}`):     "expected a level and a resource type",
		point("app.order", `{"keys":1,"depends":"row","columns":["gang_surplus"]}`):       "is not a column of this point",
		point("ask.order", `{"keys":1,"depends":"row","columns":["aged:vcore"]}`):         "is not a column of this point",
		point("queue.order", `{"keys":1,"depends":"row","columns":["aged"]}`):             "expected an argument",
		point("victim.rank", `{"keys":1,"depends":"row","columns":["submitted_at"]}`):     "is not a column of this point",
		point("app.order", `{"keys":1,"depends":"row","columns":["tag:a=1e999"]}`):        "1e999",
		point("app.order", `{"keys":1,"depends":"row","columns":["tag:a=NaN"]}`):          "NaN",
		point("app.order", `{"keys":1,"depends":"row","columns":["tag:a=-inf"]}`):         "-inf",
		point("queue.order", `{"keys":1,"depends":"row","columns":["attribute:zone"]}`):   "attribute",
		`{"name":"p","points":{"app.order":null}}`:                                        "app.order",
	} {
		m, err := policy.ParseManifest(text)
		if err == nil {
			t.Errorf("%s: taken as %+v", text, m)
		} else if !strings.Contains(err.Error(), expected) || !strings.HasPrefix(err.Error(), "manifest: ") {
			t.Errorf("%s: expected %q, found %q", text, expected, err)
		}
	}
}

func TestAManifestIsReadAsItIsWritten(t *testing.T) {
	m, err := policy.ParseManifest(`{"name":"p","version":"1.2","abi":"1.0","impure":true,"points":{
"node.score":{"columns":["share:vcore","attribute:a:b","attribute:rank=-1.5","ask:memory"],"keys":1,"depends":"ask","fallback":"binpacking"},
"victim.rank":{"columns":["submitted"],"keys":8,"depends":"siblings"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range m.Points[policy.NodeScore].Columns {
		columns = append(columns, c.String())
	}
	if fmt.Sprint(columns) != "[share:vcore attribute:a:b attribute:rank=-1.5 ask:memory]" || !m.Impure || m.Points[policy.NodeScore].Fallback != "binpacking" {
		t.Errorf("found %+v", m)
	}
	if c := m.Points[policy.NodeScore].Columns[2]; c.Arg != "rank" || c.Default != -1.5 {
		t.Errorf("found %+v", c)
	}
}

func TestAColumnIsReadBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"submitted", "tag:x", "attribute:a:b", "max:nvidia.com/gpu"}).Draw(t, "column")
		if v := rapid.Float64().Draw(t, "default"); v != 0 {
			text += "=" + fmt.Sprint(v)
		}
		c, err := policy.ParseColumn(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := policy.ParseColumn(c.String())
		if err != nil || again.String() != c.String() || again.Default != c.Default {
			t.Fatalf("%s became %s and %s: %v", text, c, again, err)
		}
	})
}

func TestAMeanIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m policy.Mean
		sum, weights := new(big.Int), new(big.Int)
		for range rapid.IntRange(0, 8).Draw(t, "items") {
			share := rapid.OneOf(rapid.Int64Range(0, 2*resource.ShareUnit), rapid.Int64Range(0, resource.ShareCap), rapid.Just(int64(resource.ShareCap))).Draw(t, "share")
			weight := rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, math.MaxInt64/8), rapid.Just(int64(math.MaxInt64/8))).Draw(t, "weight")
			m.Count(share, weight)
			sum.Add(sum, new(big.Int).Mul(big.NewInt(share), big.NewInt(weight)))
			weights.Add(weights, big.NewInt(weight))
		}
		expected := new(big.Int)
		if weights.Sign() > 0 {
			expected.Div(sum, weights)
		}
		if found := m.Value(); found != expected.Int64() {
			t.Fatalf("expected %s, found %d", expected, found)
		}
	})
}

func TestAMeanOfNinetyAndFiftyIsSeventyOrEightyTwo(t *testing.T) {
	for weight, expected := range map[int64]int64{1000: 700_000_000, 4000: 820_000_000} {
		var m policy.Mean
		m.Count(900_000_000, weight)
		m.Count(500_000_000, 1000)
		if m.Value() != expected {
			t.Errorf("expected %d, found %d", expected, m.Value())
		}
	}
}

func TestASortKeyOrdersLikeTheNumber(t *testing.T) {
	ladder := []float64{math.Inf(-1), -math.MaxFloat64, -1 - 1e-15, -1, -math.SmallestNonzeroFloat64 * 2, -math.SmallestNonzeroFloat64, 0,
		math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64 * 2, 0x1p-1022, 1, 1 + 1e-15, 1 << 53, math.MaxFloat64, math.Inf(1)}
	for i := 1; i < len(ladder); i++ {
		if policy.SortKey(ladder[i-1]) >= policy.SortKey(ladder[i]) {
			t.Errorf("%v is not before %v", ladder[i-1], ladder[i])
		}
	}
	if policy.SortKey(math.Copysign(0, -1)) != policy.SortKey(0) {
		t.Error("-0 and 0 are told apart")
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if (a < b) != (policy.SortKey(a) < policy.SortKey(b)) || (a == b) != (policy.SortKey(a) == policy.SortKey(b)) {
			t.Fatalf("%v and %v become %d and %d", a, b, policy.SortKey(a), policy.SortKey(b))
		}
	})
}

// items are rows with one column. They count how often each row is written.
type items struct {
	values  map[int32]float64
	written map[int32]int
}

func (s *items) Name(row int32) string { return fmt.Sprint("row", row) }

func (s *items) Fill(row int32, columns []policy.Column, cols [][]float64) {
	s.written[row]++
	for i := range columns {
		cols[i][row] = s.values[row]
	}
}

// echo answers each row with its column, plus the sum of all rows if answers depend on siblings.
type echo struct {
	asked [][]int32
	fault error
	epoch uint64
}

func (e *echo) Eval(b *policy.Batch) error {
	e.asked = append(e.asked, slices.Clone(b.Rows))
	e.epoch = b.Epoch
	if e.fault != nil {
		return e.fault
	}
	for _, row := range b.Rows {
		for k := range b.Keys {
			b.Out[int(row)*b.Keys+k] = b.Cols[0][row] + float64(k)
		}
	}
	return nil
}

func acting(e policy.Evaluator, keys int, depends policy.Dependence) *policy.Acting {
	spec := &policy.PointSpec{Columns: []policy.Column{{Kind: policy.Used, Arg: "vcore"}}, Keys: keys, Depends: depends}
	return &policy.Acting{Point: policy.NodeScore, Fallback: policy.FairNodes(nil),
		Module: &policy.Module{Manifest: policy.Manifest{Name: "p", Points: map[policy.Point]*policy.PointSpec{policy.NodeScore: spec}}, Evaluator: e}}
}

func TestATableAsksAboutWhatChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depends := rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings}).Draw(t, "depends")
		keys := rapid.IntRange(1, 3).Draw(t, "keys")
		e := &echo{}
		table := policy.NewTable(acting(e, keys, depends))
		src := &items{map[int32]float64{}, map[int32]int{}}
		answers := map[int32]float64{}
		dirty := map[int32]bool{}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			row := int32(rapid.IntRange(0, 12).Draw(t, "row"))
			switch _, live := src.values[row]; rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				src.values[row] = rapid.Float64Range(-9, 9).Draw(t, "value")
				table.Touch(row)
				dirty[row] = true
			case 2:
				table.Drop(row)
				delete(src.values, row)
				delete(dirty, row)
				delete(answers, row)
				if live && depends == policy.OnSiblings {
					for other := range src.values {
						dirty[other] = true
					}
				}
			default:
				e.asked = nil
				if depends == policy.OnSiblings && len(dirty) > 0 {
					for other := range src.values {
						dirty[other] = true
					}
				}
				table.Flush(src, func(row int32, keys []float64) { answers[row] = keys[len(keys)-1] })
				var expected []int32
				for row := range dirty {
					expected = append(expected, row)
				}
				slices.Sort(expected)
				var found []int32
				for _, call := range e.asked {
					found = append(found, call...)
				}
				slices.Sort(found)
				if !slices.Equal(found, expected) || len(e.asked) > 1 {
					t.Fatalf("expected to be asked about %v, found %v", expected, e.asked)
				}
				clear(dirty)
				for row, v := range src.values {
					if answers[row] != v+float64(keys-1) {
						t.Fatalf("row %d: expected %v, found %v", row, v, answers[row])
					}
				}
			}
		}
	})
}

func TestFault_ReportedOnceFallbackAnswersAllRows(t *testing.T) {
	for name, e := range map[string]*echo{"error": {fault: errors.New("no")}, "NaN": {}} {
		t.Run(name, func(t *testing.T) {
			a := acting(e, 1, policy.OnRow)
			var faults []error
			a.OnFault = func(a *policy.Acting, fault error) { faults = append(faults, fault); a.Fail() }
			table := policy.NewTable(a)
			src := &items{map[int32]float64{0: 1, 1: 2, 2: 3}, map[int32]int{}}
			fault := e.fault
			e.fault = nil
			for row := range int32(3) {
				table.Touch(row)
			}
			answered := map[int32]float64{}
			flush := func() { table.Flush(src, func(row int32, keys []float64) { answered[row] = keys[0] }) }
			flush()
			before := e.epoch
			e.fault = fault
			if fault == nil {
				src.values[1] = math.NaN()
			}
			table.Touch(1)
			clear(answered)
			flush()
			if len(faults) != 1 || errors.Is(faults[0], policy.ErrAnswer) != (fault == nil) || !a.Failing() || a.Current() != a.Fallback {
				t.Fatalf("found %v", faults)
			}
			if len(answered) != 3 || answered[0] != 0 {
				t.Errorf("the fallback answered %v", answered)
			}
			e.fault, src.values[1] = nil, 5
			a.Recover()
			clear(answered)
			flush()
			if len(answered) != 3 || answered[1] != 5 || e.epoch <= before || table.Stale() {
				t.Errorf("back in force it answered %v in epoch %d after %d", answered, e.epoch, before)
			}
		})
	}
}

func TestTheBuiltInFiltersPassAllOrNone(t *testing.T) {
	for m, expected := range map[*policy.Module]float64{policy.PassAll(): 0, policy.RefuseAll(): 1} {
		b := &policy.Batch{Keys: 1, Rows: []int32{0, 2}, Out: []float64{9, 9, 9}}
		if err := m.Eval(b); err != nil || b.Out[0] != expected || b.Out[1] != 9 || b.Out[2] != expected {
			t.Errorf("%s: found %v, %v", m.Name, b.Out, err)
		}
	}
}

func TestUtilisation_WithoutWeightOrCapacity(t *testing.T) {
	weights := []policy.Weight{{Type: "gpu", Thousandths: 0}, {Type: "memory", Thousandths: 1000}, {Type: "vcore", Thousandths: 3000}}
	for _, m := range []*policy.Module{policy.FairNodes(weights), policy.PackedNodes(weights)} {
		spec := m.Points[policy.NodeScore]
		if len(spec.Columns) != 2 {
			t.Fatalf("%s reads %v", m.Name, spec.Columns)
		}
		b := &policy.Batch{Keys: 1, Rows: []int32{0, 1, 2}, Out: make([]float64, 3), Cols: [][]float64{{500, -1, -1}, {100, 100, -1}}}
		if err := m.Eval(b); err != nil {
			t.Fatal(err)
		}
		sign := map[string]float64{"fair": -1, "binpacking": 1}[m.Name]
		if found := fmt.Sprint(sign*b.Out[0], sign*b.Out[1], sign*b.Out[2]+0); found != "200 100 0" {
			t.Errorf("%s: found %s", m.Name, found)
		}
	}
}

func TestTheAnswersOfARoundHoldUntilTheNext(t *testing.T) {
	e := &echo{}
	types := resource.NewTypes()
	a := acting(e, 1, policy.OnRow)
	a.Symbols = policy.NewSymbolTable(types)
	a.Module.Round = 3
	table := policy.NewTable(a)
	src := &items{map[int32]float64{0: 1, 1: 2}, map[int32]int{}}
	answers := map[int32]float64{}
	set := func(row int32, v float64) {
		src.values[row] = v
		table.Touch(row)
	}
	flush := func(asked string, expected ...float64) {
		t.Helper()
		e.asked = nil
		table.Flush(src, func(row int32, keys []float64) { answers[row] = keys[0] })
		if found := fmt.Sprint(e.asked); found != asked {
			t.Fatalf("expected to be asked about %s, found %s", asked, found)
		}
		for row, v := range expected {
			if answers[int32(row)] != v {
				t.Fatalf("expected %v, found %v", expected, answers)
			}
		}
	}
	set(0, 1)
	set(1, 2)
	flush("[[0 1]]", 1, 2)
	a.Symbols.Made = 1
	set(0, 5)
	flush("[]", 1, 2)
	a.Symbols.Made = 2
	set(1, 6)
	set(0, 7)
	flush("[]", 1, 2)
	a.Symbols.Made = 3
	set(1, 8)
	flush("[[1 0]]", 7, 8)
	set(0, 9)
	set(2, 3) // there is no earlier answer about row 2
	flush("[[0 2]]", 9, 8, 3)
	set(1, 4)
	flush("[]", 9, 8, 3)
	table.Drop(1)
	delete(answers, 1)
	a.Symbols.Made = 9
	set(0, 2)
	flush("[[0]]", 2)
	a.Fail()
	set(0, 1)
	flush("[]", 0)
	a.Recover()
	set(2, 5)
	flush("[[2 0]]", 1)
}
