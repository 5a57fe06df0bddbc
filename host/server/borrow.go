package server

import (
	"errors"
	"time"

	"github.com/quern-project/quern/host/server/view"
)

// loanPatience is how long a reader waits for a borrowed scheduler before it gets a fork: about as long as a fork takes to make.
const loanPatience = 10 * time.Millisecond

// borrow gives a reader exclusive use of the replica's follower until it calls back. Other readers get a fork of the same state meanwhile. The follower is
// nil if forks are impossible: under --verify-view, or if policies are in use, whose answers forks lack.
func (v *View) borrow() (f *follower, back func(), err error) {
	if v.verifies {
		return nil, nil, nil
	}
	var loan *view.Loan[*follower]
	var held *view.Held
	bug := v.present(func(present *follower) {
		if len(anew(present.scheduler)) > 0 {
			return
		}
		frozen, failure := present.scheduler.Freeze()
		if err = failure; err == nil {
			held = v.versions.Hold(frozen)
			loan = v.replica.Lend(view.Start{Version: frozen, At: present.at, Open: present.open})
		}
	})
	if bug != nil || err != nil || loan == nil {
		return nil, nil, errors.Join(bug, err)
	}
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
