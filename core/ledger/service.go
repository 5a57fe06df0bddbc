package ledger

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// stopwatch measures for how long something was the case, in all.
type stopwatch struct {
	total time.Duration // of the times that are over
	since time.Duration // if it runs
	runs  bool
}

func (s *stopwatch) start(at time.Duration) {
	if !s.runs {
		s.since, s.runs = at, true
	}
}

func (s *stopwatch) stop(at time.Duration) {
	s.total, s.runs = s.read(at), false
}

// read returns the time up to now.
func (s *stopwatch) read(now time.Duration) time.Duration {
	if !s.runs {
		return s.total
	}
	return instant.Add(s.total, instant.Sub(now, s.since))
}

// JobSummary sums up the applications that asked for something.
type JobSummary struct {
	Started   int   // they had an allocation that is no placeholder
	Waiting   int   // they have not started
	Withdrawn int   // they ended without having started
	Waits     Waits // of the started ones, from the first ask to the first such allocation
	Services  Waits // of the started ones, so far: how long they had such allocations
}

// service measures an application.
type service struct {
	asked     bool
	first     time.Duration // submission of the first ask
	started   bool
	before    bool // it started before the run, so it does not count
	placed    int  // allocations
	tasks     int  // of placed, those that are no placeholders
	stopwatch      // runs while there are tasks
}

// ask records the submission of an ask.
func (s *service) ask(at time.Duration) {
	if !s.asked {
		s.asked, s.first = true, at
	}
}

// serve records an allocation.
func (l *Ledger) serve(a *Ask) {
	p := a.app
	if p.placed++; p.placed == 1 && p.gangs != nil {
		p.gangs.resume(l.Now)
	}
	if a.gang != nil {
		a.gang.land(l.Now)
	}
	if a.Placeholder {
		return
	}
	if p.tasks++; p.tasks > 1 {
		return
	}
	p.start(l.Now)
	if p.started {
		return
	}
	if p.started, p.before = true, a.Restored; !p.before {
		l.jobs.Started++
		l.jobs.Waits.Add(instant.Sub(l.Now, p.first))
	}
}

// unserve records the end of an allocation.
func (l *Ledger) unserve(a *Ask) {
	p := a.app
	if p.placed--; p.placed == 0 && p.gangs != nil {
		p.gangs.pause(l.Now)
	}
	if a.gang != nil {
		a.gang.leave(l.Now)
	}
	if a.Placeholder {
		return
	}
	if p.tasks--; p.tasks == 0 {
		p.stop(l.Now)
	}
}

// endJob forgets an application that has ended.
func (l *Ledger) endJob(id string) {
	p := l.apps[id]
	delete(l.apps, id)
	switch {
	case p == nil:
		return
	case p.started && !p.before:
		l.jobs.Services.Add(p.read(l.Now))
	case !p.started && p.asked:
		l.jobs.Withdrawn++
	}
	if p.gangs != nil && p.gangs.holding != nil {
		l.endGang(p.gangs.holding)
	}
}

// jobSummary adds the applications that have not ended.
func (l *Ledger) jobSummary() JobSummary {
	s := JobSummary{Started: l.jobs.Started, Withdrawn: l.jobs.Withdrawn}
	s.Waits.merge(&l.jobs.Waits)
	s.Services.merge(&l.jobs.Services)
	for _, p := range l.apps {
		switch {
		case p.started && !p.before:
			s.Services.Add(p.read(l.Now))
		case !p.started && p.asked:
			s.Waiting++
		}
	}
	return s
}
