package oracle_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// drawSparedShot draws a single search among gangs, with least run times and budgets.
func drawSparedShot(t *rapid.T) *gangShot {
	s := drawGangShot(t)
	for i := range s.steps {
		if s.steps[i].input == nil {
			continue
		}
		own := s.steps[i].input.Clone()
		switch e := own.Event.(type) {
		case *core.RestoreAllocation:
			e.Ask.MinRuntime = drawRuntime(t)
		case *core.SetConfig:
			e.Config = withProperties(t, e.Config, drawRuntimeProperties)
		default:
		}
		s.steps[i].input = &own
	}
	return s
}

// spares reports whether an allocation has not run long enough to be a victim of an ask.
func (o *optimum) spares(k, v *task) bool {
	return v.Allocated+v.MinRuntime > o.dump.Now && (k.said.Node == "" || o.says(v.queue, "preemption.min-runtime.required", "true"))
}

// keepsBudgets reports whether the victims, which are the first of all, stay within the budget of each queue.
func (o *optimum) keepsBudgets() bool {
	if o.members[0].said.Node != "" {
		return true
	}
	for path, q := range o.queues {
		var most int
		if _, err := fmt.Sscanf(q.Properties["preemption.budget"], "%d/", &most); err != nil {
			continue
		}
		count := 0
		for _, v := range o.taken {
			if v.queue == path || strings.HasPrefix(v.queue, path+".") {
				count++
			}
		}
		if count > most {
			return false
		}
	}
	return true
}
