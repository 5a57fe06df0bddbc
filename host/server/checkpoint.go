package server

import "github.com/quern-project/quern/core"

// copyStep is how many asks or nodes are copied at once, so that the view is held for less than a millisecond.
const copyStep = 500

// checkpoint copies the state of the scheduler step by step, so that nobody has to wait for it long. At the moment that the copy is of,
// also reads what else is wanted.
func (v *View) checkpoint(also func(f *follower)) *core.Checkpoint {
	v.copying.Lock() // one at a time
	defer v.copying.Unlock()
	var c *core.Copying
	v.Read(func(s *core.Scheduler) { c = s.Copying(copyStep) })
	for done := false; !done; {
		v.Read(func(*core.Scheduler) {
			if done = c.Step(); done {
				also(v.follower)
			}
		})
	}
	return c.Checkpoint()
}
