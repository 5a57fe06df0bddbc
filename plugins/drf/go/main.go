// Command go is the policy drf as a WebAssembly module: dominant resource fairness with weights. README.md has the
// formula.
package main

import (
	wasm "github.com/quern-project/quern/sdk/go"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/policy"
)

func init() {
	wasm.Serve(&policy.Policy{
		Manifest: abi.Manifest{
			Name:        "drf",
			Version:     "1.0.0",
			Description: "Dominant resource fairness with weights: the smallest dominant share for each unit of weight first",
			Points: map[string]abi.Spec{
				"app.order":   {Columns: []string{"tag:weight=1", "share:*"}, Keys: 1, Depends: "row", Fallback: "fair"},
				"queue.order": {Columns: []string{"property:weight=1", "pending_share", "share:*"}, Keys: 2, Depends: "row", Fallback: "fair"},
			},
		},
		Points: map[string]func(*abi.Frame) error{"app.order": apps, "queue.order": queues},
	})
}

func main() {}

// apps leaves ties to the order of submission, which the scheduler ends them by.
func apps(f *abi.Frame) error {
	weight := f.Column(0)
	for i := range f.Asked {
		row := f.Row(i)
		f.Answer(row, 0, dominant(f, 1, row)/weightOf(weight.At(row)))
	}
	return nil
}

// queues puts the one with more pending first, of equals.
func queues(f *abi.Frame) error {
	weight, pending := f.Column(0), f.Column(1)
	for i := range f.Asked {
		row := f.Row(i)
		f.Answer(row, 0, dominant(f, 2, row)/weightOf(weight.At(row)))
		f.Answer(row, 1, -amount(pending.At(row)))
	}
	return nil
}

// dominant is the largest share of a type; the shares are in the columns from first on.
func dominant(f *abi.Frame, first, row int) float64 {
	most := 0.0
	for c := first; c < len(f.Columns); c++ {
		if s := f.Value(c, row); s > most {
			most = s
		}
	}
	return amount(most)
}

// mostShare bounds what counts as a number.
const mostShare = 1 << 53

// amount makes 0 of what is no number, and of what is below it.
func amount(v float64) float64 {
	switch {
	case v > mostShare:
		return mostShare
	case v > 0:
		return v
	}
	return 0
}

// weightOf makes 1 of what no weight can be.
func weightOf(v float64) float64 {
	if v > 0 && v <= mostShare {
		return v
	}
	return 1
}
