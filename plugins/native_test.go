package plugins_test

import (
	"math/rand/v2"
	"testing"

	"github.com/quern-project/quern/plugins/binpacking"
	"github.com/quern-project/quern/plugins/fair"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/policy"
)

// Processes run the Go sources natively.
func TestProcessesScoreNodesAsTheBuiltInsDo(t *testing.T) {
	const rows = 40
	for _, p := range []struct {
		policy *policy.Policy
		sign   float64
	}{{fair.Policy("fair-process"), -1}, {binpacking.Policy("binpacking-process"), 1}} {
		t.Run(p.policy.Manifest.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 7))
			for range 300 {
				c := generate(r, rows)
				s, err := policy.New(p.policy)
				if err == nil {
					err = s.Configure([]byte(c.weights(t)))
				}
				if err != nil {
					t.Fatal(err)
				}
				s.Texts(1, append([]string{"none"}, c.types...))
				f, err := abi.Read(c.frame(t, r.Perm(rows)).bytes)
				if err == nil {
					err = s.Answer("node.score", f)
				}
				if err != nil {
					t.Fatal(err)
				}
				for row := range rows {
					want := p.sign * mean(c.row(row), c.thousandths)
					if found := f.Answered(row, 0); bits(found) != bits(want) {
						t.Fatalf("shares %v with weights %v: expected %v, found %v", c.row(row), c.thousandths, want, found)
					}
				}
			}
		})
	}
}
