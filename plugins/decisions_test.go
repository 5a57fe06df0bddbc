package plugins_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

const mostShare = 1<<53 - 1

// mean is what the scheduler's own orders go by, in numbers without bounds: the sum of thousandths * share over the sum of
// thousandths, rounded down, without shares below 0.
func mean(shares []float64, thousandths []int64) float64 {
	sum, weights := new(big.Int), new(big.Int)
	for i, s := range shares {
		if s >= 0 && thousandths[i] > 0 {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(s)), big.NewInt(thousandths[i])))
			weights.Add(weights, big.NewInt(thousandths[i]))
		}
	}
	if weights.Sign() == 0 {
		return 0
	}
	return float64(sum.Div(sum, weights).Int64())
}

// cluster is nodes as a frame of node.score shows them, and weights for some of the types.
type cluster struct {
	types       []string
	thousandths []int64
	shares      [][]float64 // by type
}

var limits = []float64{0, 1, 1 << 20, 1 << 30, 1<<32 - 1, 1 << 32, 1 << 33, mostShare}

func generate(r *rand.Rand, rows int) cluster {
	var c cluster
	for i := range 1 + r.IntN(12) {
		c.types = append(c.types, fmt.Sprintf("type-%c/ü<%d>", 'a'+i, i))
		weight := []int64{0, 1, 500, 1000, 1 + r.Int64N(1_000_000_000), 1_000_000_000}[r.IntN(6)]
		c.thousandths = append(c.thousandths, weight)
		limit := limits[r.IntN(len(limits))]
		var shares []float64
		for range rows {
			share := math.Floor(r.Float64() * limit)
			switch r.IntN(6) {
			case 0:
				share = -1
			case 1:
				share = limit
			}
			shares = append(shares, share)
		}
		c.shares = append(c.shares, shares)
	}
	return c
}

// weights is the parameter, with a type that no node has.
func (c *cluster) weights(t testing.TB) string {
	t.Helper()
	table := map[string]float64{"none": 7}
	for i, name := range c.types {
		if c.thousandths[i] > 0 {
			table[name] = float64(c.thousandths[i]) / 1000
		}
	}
	text, err := json.Marshal(map[string]any{"weights": table})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// frame shows every type; the code of type i is i+2. Of the rows there are, only those in asked are.
func (c *cluster) frame(t testing.TB, asked []int) *frame {
	t.Helper()
	rows := len(c.shares[0])
	s := abi.Shape{Rows: rows, Asked: len(asked), Keys: 1}
	for i := range c.types {
		s.Columns = append(s.Columns, abi.Column{ID: 6, Arg: uint32(i + 2)})
	}
	f := newFrame(t, s, 0)
	for i, row := range asked {
		f.ask(i, row)
	}
	for i, shares := range c.shares {
		for row, v := range shares {
			f.set(i, row, v)
		}
	}
	return f
}

func (c *cluster) row(row int) []float64 {
	var out []float64
	for _, shares := range c.shares {
		out = append(out, shares[row])
	}
	return out
}

func TestNodeScoresAreTheBuiltInsToTheByte(t *testing.T) {
	const rows = 40
	for _, p := range []struct {
		name string
		sign float64
	}{{"fair", -1}, {"binpacking", 1}} {
		for _, language := range languages {
			t.Run(p.name+"-"+language, func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, 7))
				for range 40 {
					c := generate(r, rows)
					m := load(t, "policies", p.name+"-"+language)
					m.must(m.configure(c.weights(t)))
					m.must(m.dictionary(abi.Texts(1, append([]string{"none"}, c.types...))))
					asked := r.Perm(rows)[:r.IntN(rows)]
					f := c.frame(t, asked)
					rc, after := m.ask("node_score", f.bytes)
					m.must(rc)
					for row := range rows {
						want := 0.0 // what was not asked about stays
						if slices.Contains(asked, row) {
							want = p.sign * mean(c.row(row), c.thousandths)
						}
						if found := f.answered(t, after, row, 0); bits(found) != bits(want) {
							t.Fatalf("shares %v with weights %v: expected %v, found %v", c.row(row), c.thousandths, want, found)
						}
					}
				}
			})
		}
	}
}

func TestFairAppsAndQueuesGoByTheirShares(t *testing.T) {
	apps := abi.Shape{Rows: 3, Asked: 3, Keys: 8}
	for range 8 {
		apps.Columns = append(apps.Columns, abi.Column{ID: 5})
	}
	queues := abi.Shape{Rows: 3, Asked: 3, Keys: 2, Columns: []abi.Column{{ID: 3}, {ID: 4}}}
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			m := load(t, "policies", "fair-"+language)
			m.must(m.configure(`{"weights":{"memory":1,"vcore":1}}`))
			answers := func(export string, s abi.Shape, sign func(key int) float64) {
				f := newFrame(t, s, abi.Dense)
				for key := range s.Columns {
					for row := range s.Rows {
						f.set(key, row, float64(100*key+row)*1e9)
					}
				}
				rc, after := m.ask(export, f.bytes)
				m.must(rc)
				for key := range s.Columns {
					for row := range s.Rows {
						want := sign(key) * float64(100*key+row) * 1e9
						if found := f.answered(t, after, row, key); bits(found) != bits(want) {
							t.Errorf("%s: row %d, key %d: expected %v, found %v", export, row, key, want, found)
						}
					}
				}
			}
			answers("app_order", apps, func(int) float64 { return 1 })
			answers("queue_order", queues, func(key int) float64 { return float64(1 - 2*key) })
		})
	}
}

func TestWeights_ImpossibleOnesRefused(t *testing.T) {
	many := map[string]float64{}
	for i := range 65 {
		many[fmt.Sprint(i)] = 1
	}
	text, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	for _, weights := range []string{`{"vcore":-1}`, `{"vcore":2e6}`, string(text)} {
		for _, language := range languages {
			t.Run(language, func(t *testing.T) {
				m := load(t, "policies", "binpacking-"+language)
				if rc := m.configure(`{"weights":` + weights + `}`); rc != abi.BadConfig {
					t.Errorf("%s: expected code %d, found %d", weights, abi.BadConfig, rc)
				}
				if m.text(m.call(abi.ExportError)) == "" {
					t.Error("expected a text")
				}
			})
		}
	}
}

// Texts come as they come up; types may be among later ones.
func TestTypesAreKnownByTheirTextsWhereverTheseComeUp(t *testing.T) {
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			m := load(t, "policies", "binpacking-"+language)
			m.must(m.configure(`{"weights":{"memory":1,"vcore":3}}`))
			m.must(m.dictionary(abi.Texts(1, []string{"vcor", "vcores", "", "memory"})))
			m.must(m.dictionary(abi.Texts(5, []string{"vcore"})))
			f := newFrame(t, abi.Shape{Rows: 1, Asked: 1, Keys: 1, Columns: []abi.Column{{ID: 6, Arg: 1}, {ID: 6, Arg: 4}, {ID: 6, Arg: 5}}}, abi.Dense)
			for column, share := range []float64{1e9, 400, 800} {
				f.set(column, 0, share)
			}
			rc, after := m.ask("node_score", f.bytes)
			m.must(rc)
			if found := f.answered(t, after, 0, 0); found != 700 {
				t.Errorf("expected (400 + 3*800) / 4 = 700, found %v", found)
			}
		})
	}
}
