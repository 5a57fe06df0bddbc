package features

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// Modules are policy modules that exist from the start of every scenario, as those of `replay --policies` do. Its
// scenarios must be played one at a time.
type Modules struct {
	Announced []core.PolicyModule
	// Answer makes who answers for the modules in one scenario, and ends whoever did so in the one before.
	Answer func() func(core.Announcement) policy.Evaluator
}

// Driver is the Factory of schedulers that know the modules.
func (m *Modules) Driver() (Driver, error) {
	options := core.Options{Evaluator: m.Answer()}
	s := scheduler.New(options)
	s.Advance(0)
	for i := range m.Announced {
		s.Apply(&core.Input{Event: &core.SetPolicy{PolicyModule: m.Announced[i]}})
	}
	return modular{s, options, m.Announced}, nil
}

// modular drives a scheduler of this very program that asks modules.
type modular struct {
	*scheduler.Scheduler
	options core.Options
	modules []core.PolicyModule
}

func (m modular) announced() []core.PolicyModule { return m.modules }

// Restored takes a snapshot and makes a scheduler of it, which asks the same modules.
func (m modular) Restored() (Driver, error) {
	s, err := scheduler.Restore(m.Snapshot(), m.options)
	if err != nil {
		return nil, err
	}
	return modular{s, m.options, m.modules}, nil
}
