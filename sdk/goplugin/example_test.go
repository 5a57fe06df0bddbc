package goplugin_test

import (
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin"
	"github.com/quern-project/quern/sdk/policy"
)

// The node with the most free vcore first, as a program of its own.
func Example() {
	goplugin.Serve(&policy.Policy{
		Manifest: abi.Manifest{Name: "biggest", Version: "1.0.0", Points: map[string]abi.Spec{
			"node.score": {Columns: []string{"free:vcore"}, Keys: 1, Depends: "row"},
		}},
		Points: map[string]func(*abi.Frame) error{"node.score": func(f *abi.Frame) error {
			free := f.Column(0)
			for i := range f.Asked {
				row := f.Row(i)
				f.Answer(row, 0, free.At(row))
			}
			return nil
		}},
	})
}
