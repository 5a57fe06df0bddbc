// Command slow is a policy process that scores nodes by what is free, and dawdles where exactly 7 vcore are.
package main

import (
	"time"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin"
	"github.com/quern-project/quern/sdk/policy"
)

func main() {
	goplugin.Serve(&policy.Policy{
		Manifest: abi.Manifest{Name: "slow", Version: "1.0.0", Points: map[string]abi.Spec{
			"node.score": {Columns: []string{"free:vcore"}, Keys: 1, Depends: "row", Fallback: "binpacking"},
		}},
		Points: map[string]func(*abi.Frame) error{"node.score": score},
	})
}

func score(f *abi.Frame) error {
	free := f.Column(0)
	for i := range f.Asked {
		row := f.Row(i)
		if free.At(row) == 7000 {
			time.Sleep(time.Minute)
		}
		f.Answer(row, 0, free.At(row))
	}
	return nil
}
