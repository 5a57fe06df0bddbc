package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Workload is a configuration and the inputs that follow it, all at time 0.
type Workload struct {
	Config string // YAML
	Inputs []core.Input
}

// Memory is the type of memory.
const Memory = "memory"

// appAsks is how many asks an application has where a workload does not say otherwise.
const appAsks = 50

// random returns the source of one workload. Each mixes in a number of its own, so that equal seeds do not correlate.
func random(seed, workload uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, workload)) }

// ConfigSet returns the input that sets a configuration.
func ConfigSet(config string) core.Input {
	return core.Input{Event: &core.SetConfig{Config: config, Format: "yaml"}}
}

// All returns the configuration as an input, and then the inputs.
func (w *Workload) All() []core.Input {
	return append([]core.Input{ConfigSet(w.Config)}, w.Inputs...)
}

func (w *Workload) add(in core.Input) { w.Inputs = append(w.Inputs, in) }

func (w *Workload) addApps(n int, queues []string) {
	for i := range n {
		w.add(core.Input{Event: &core.AddApp{ID: appID(i), Queue: queues[i%len(queues)]}})
	}
}

func appID(i int) string { return "app-" + strconv.Itoa(i) }

func nodeID(i int) string { return fmt.Sprintf("node-%06d", i) }

func askID(i int) string { return "ask-" + strconv.Itoa(i) }

// size returns a set of vcore, in thousandths, and memory.
func size(milliVcore, bytes int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: milliVcore}, resource.Quantity{Type: Memory, Value: bytes})
}

// ceil divides, rounding up.
func ceil(a, b int) int { return (a + b - 1) / b }
