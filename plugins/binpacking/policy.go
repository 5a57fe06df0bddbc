// Package binpacking is the policy that fills nodes up one after the other, so that others stay empty. It decides as the
// scheduler's own binpacking order does.
package binpacking

import (
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/policy"
)

// Policy is the policy under a name.
func Policy(name string) *policy.Policy {
	used := &policy.WeightedMean{}
	none := 0.0
	return &policy.Policy{
		Manifest: abi.Manifest{
			Name:        name,
			Version:     "1.0.0",
			Description: "The most utilised node first",
			Parameters: map[string]abi.Parameter{"weights": {Type: abi.Weights, Default: map[string]float64{"memory": 1, "vcore": 1},
				Min: &none, Description: "how much each type counts in the utilisation of a node, in thousandths at the finest"}},
			Points: map[string]abi.Spec{
				"node.score": {Columns: []string{"share:*"}, Keys: 1, Depends: "row", Fallback: "binpacking"},
			},
		},
		Configure: func(p policy.Parameters) error { return used.Configure(p.Weights("weights")) },
		Texts:     used.Texts,
		Points: map[string]func(*abi.Frame) error{"node.score": func(f *abi.Frame) error {
			used.Open(f, 0)
			for i := range f.Asked {
				row := f.Row(i)
				f.Answer(row, 0, used.At(row))
			}
			return nil
		}},
	}
}
