package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
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

// ApplicationSummary sums up the applications that asked for something.
type ApplicationSummary struct {
	Started   int   // they had an allocation that is no placeholder
	Waiting   int   // they have not started
	Withdrawn int   // they ended without having started
	Waits     Waits // of the started ones, from the first ask to the first such allocation
	Services  Waits // of the started ones, so far: how long they had such allocations

	JobEnds // of those that have ended: from the first ask to the end of the last such allocation
}

// service measures an application.
type service struct {
	asked     bool
	first     time.Duration // submission of the first ask
	course                  // of its allocations that are no placeholders
	placed    int           // allocations
	tasks     int           // of placed, those that are no placeholders
	stopwatch               // runs while there are tasks
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
	p.stopwatch.start(l.Now)
	if p.started {
		return
	}
	p.begin(l.Now)
	if p.earlier = a.Restored; !p.earlier {
		l.finished.Started++
		l.finished.Waits.Add(instant.Sub(l.Now, p.first))
	}
}

// unserve records the end of an allocation.
func (l *Ledger) unserve(a *Ask, reason core.Reason) {
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
	p.leave(l.Now, reason)
	if p.tasks--; p.tasks == 0 {
		p.stop(l.Now)
	}
}

// endApp forgets an application that has ended.
func (l *Ledger) endApp(id string) {
	p := l.apps[id]
	delete(l.apps, id)
	switch {
	case p == nil:
		return
	case p.started && !p.earlier:
		l.finished.Services.Add(p.read(l.Now))
		l.finished.end(p.first, &p.course)
	case !p.started && p.asked:
		l.finished.Withdrawn++
	}
	if p.gangs != nil && p.gangs.holding != nil {
		l.endGang(p, p.gangs.holding)
	}
}

// applications adds the applications that have not ended.
func (l *Ledger) applications() ApplicationSummary {
	s := ApplicationSummary{Started: l.finished.Started, Withdrawn: l.finished.Withdrawn}
	s.Waits.merge(&l.finished.Waits)
	s.Services.merge(&l.finished.Services)
	s.JobEnds.merge(&l.finished.JobEnds)
	for _, p := range l.apps {
		switch {
		case p.started && !p.earlier:
			s.Services.Add(p.read(l.Now))
			if p.asks == nil { // it is Completing
				s.end(p.first, &p.course)
			}
		case !p.started && p.asked:
			s.Waiting++
		}
	}
	return s
}
