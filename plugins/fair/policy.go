// Package fair is the policy that gives first to those who use least. It decides as the scheduler's own fair orders do.
package fair

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
			Description: "Least used first: queues and applications by their shares, nodes by their utilisation",
			Parameters: map[string]abi.Parameter{"weights": {Type: abi.Weights, Default: map[string]float64{"memory": 1, "vcore": 1},
				Min: &none, Description: "how much each type counts in the utilisation of a node, in thousandths at the finest"}},
			Points: map[string]abi.Spec{
				"node.score":  {Columns: []string{"share:*"}, Keys: 1, Depends: "row", Fallback: "fair"},
				"app.order":   {Columns: topShares(), Keys: abi.MaxKeys, Depends: "row", Fallback: "fair"},
				"queue.order": {Columns: []string{"fair_share", "pending_share"}, Keys: 2, Depends: "row", Fallback: "fair"},
			},
		},
		Configure: func(p policy.Parameters) error { return used.Configure(p.Weights("weights")) },
		Texts:     used.Texts,
		Points: map[string]func(*abi.Frame) error{
			"node.score": func(f *abi.Frame) error {
				used.Open(f, 0)
				for i := range f.Asked {
					row := f.Row(i)
					f.Answer(row, 0, -used.At(row))
				}
				return nil
			},
			"app.order":   apps,
			"queue.order": queues,
		},
	}
}

func topShares() []string {
	var columns []string
	for rank := range abi.MaxKeys {
		columns = append(columns, "top_share:"+string(rune('1'+rank)))
	}
	return columns
}

// apps compares the largest share first, then the next.
func apps(f *abi.Frame) error {
	for j := range abi.MaxKeys {
		share := f.Column(j)
		for i := range f.Asked {
			row := f.Row(i)
			f.Answer(row, j, share.At(row))
		}
	}
	return nil
}

// queues puts the least used first, and of equals the one with more pending.
func queues(f *abi.Frame) error {
	share, pending := f.Column(0), f.Column(1)
	for i := range f.Asked {
		row := f.Row(i)
		f.Answer(row, 0, share.At(row))
		f.Answer(row, 1, -pending.At(row))
	}
	return nil
}
