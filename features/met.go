package features

import (
	"fmt"

	messages "github.com/cucumber/messages/go/v21"
	"github.com/quern-project/quern/core"
)

// thing is what a name stands for.
type thing struct{ kind, id string }

// meet notes what an input brings.
func (w *world) meet(in *core.Input) {
	switch in.Type() {
	case core.NodeAdd:
		w.met[thing{"node", in.ID()}] = true
	case core.AppAdd:
		w.met[thing{"application", in.ID()}] = true
	case core.AskAdd, core.AllocationRestore:
		w.met[thing{"ask", in.ID()}] = true
	case core.ConfigSet:
		for _, q := range w.driver.Dump().Queues {
			w.met[thing{"queue", pathText(q.Partition, q.Path)}] = true
		}
	}
}

// givenHolds returns an error if an input of a Given was refused or ignored.
func (w *world) givenHolds() error {
	if w.group != messages.PickleStepType_CONTEXT || len(w.refused) == 0 {
		return nil
	}
	return fmt.Errorf("expected the Given to be accepted, found: %s", decisionText(w.refused[0]))
}
