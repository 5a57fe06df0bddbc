package server

import (
	"errors"
	"time"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
)

// loanPatience is how long a reader waits for a borrowed scheduler before it gets a fork: about as long as a fork takes to make.
const loanPatience = 10 * time.Millisecond

// Borrow is Read for a question that takes longer than reading a state, such as an explanation: it holds the view only while there are policies,
// whose answers versions lack.
func (v *View) Borrow(show func(s *scheduler.Scheduler)) {
	if err := v.lend(show); err != nil {
		panic(err)
	}
}

// lend is Borrow with the error that ends the view.
func (v *View) lend(show func(s *scheduler.Scheduler)) error {
	f, back, err := v.borrow()
	switch {
	case err != nil:
		return err
	case f == nil:
		return v.show(show)
	}
	defer back()
	show(f.scheduler)
	return nil
}

// borrow gives a reader exclusive use of the replica's follower until it calls back. Other readers get a fork of the same state meanwhile. The follower is
// nil if forks are impossible: under --verify-view, or if policies are in use, whose answers forks lack.
func (v *View) borrow() (f *follower, back func(), err error) {
	if v.verifies {
		return nil, nil, nil
	}
	var loan *view.Loan[*follower]
	bug := v.present(func(present *follower) {
		if len(anew(present.scheduler)) == 0 {
			loan, err = v.replica.Lend()
		}
	})
	if bug != nil || err != nil || loan == nil {
		return nil, nil, errors.Join(bug, err)
	}
	held := v.versions.Hold(loan.Start.Version)
	return loan.Decider, func() { v.giveBack(loan, held, recover()) }, nil
}

// giveBack returns a borrowed scheduler. If bug is not nil, its reader has panicked with that value.
func (v *View) giveBack(loan *view.Loan[*follower], held *view.Held, bug any) {
	held.Release()
	v.mu.Lock()
	defer v.mu.Unlock()
	interrupted := loan.Decider.scheduler.Interrupted
	v.replica.Return(loan, interrupted() == "")
	v.suspect(bug, interrupted)
}

// awaitReturn waits, for a short time, until a borrowed follower is returned. The caller holds v.mu, which is unlocked meanwhile.
func (v *View) awaitReturn() {
	returned := v.replica.Lent()
	if returned == nil {
		return
	}
	late := time.NewTimer(loanPatience)
	defer late.Stop()
	v.mu.Unlock()
	defer v.mu.Lock()
	select {
	case <-returned:
	case <-late.C:
	}
}
