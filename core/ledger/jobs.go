package ledger

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// JobFigures measure jobs. A job is an ask that is in no gang, or a gang as a whole: an atomic gang, or an application with placeholders.
// A job waits from its submission until it starts, when the ask is allocated or the gang forms; a gang that did not form in time starts
// with its next allocation. It ends when its last allocation ends. A job that started before the run does not count.
//
// A job is interrupted if that last allocation was preempted, lost its node or left with its broken gang. Interrupted jobs have a wait and
// use resources, but count neither in Turnaround nor in Slowdown, since they have not done their work.
type JobFigures struct {
	Wait Sketch // nanoseconds, of the jobs that started
	JobEnds
	Used []Area // by index of Summary.Types: what allocations used over time, placeholders included
}

// JobEnds measure jobs that have ended.
type JobEnds struct {
	Turnaround  Sketch // nanoseconds from submission to end
	Slowdown    Sketch // thousandths: the bounded slowdown, turnaround / max(run time, 10 s), at least 1
	Interrupted int    // these count neither in Turnaround nor in Slowdown
}

// UserSummary has the jobs of a user.
type UserSummary struct {
	User   string // empty for applications that name none
	Others bool   // it stands for all users that are not listed by themselves
	Jobs   JobFigures
}

// mostUsers is the maximum number of users with figures of their own. Later ones share one.
const mostUsers = 1000

// jobKey identifies the jobs of a user in a queue.
type jobKey struct{ queue, user int }

// leastRun is the run time below which jobs count as this long in slowdowns, so that very short ones do not outweigh all others.
const leastRun = 10 * time.Second

// slowdown returns the bounded slowdown of a job in thousandths, rounded down: the turnaround divided by the run time, both of which are
// not negative.
func slowdown(wait, run time.Duration) int64 {
	hi, lo := bits.Mul64(uint64(instant.Add(wait, run)), milli)
	least := uint64(max(run, leastRun))
	if hi >= least {
		return math.MaxInt64
	}
	quotient, _ := bits.Div64(hi, lo, least)
	return int64(max(milli, min(quotient, math.MaxInt64)))
}

// end records the end of a job.
func (e *JobEnds) end(submitted time.Duration, c *course) {
	if c.cut {
		e.Interrupted++
		return
	}
	wait, run := instant.Sub(c.began, submitted), instant.Sub(c.left, c.began)
	e.Turnaround.Add(int64(instant.Add(wait, run)))
	e.Slowdown.Add(slowdown(wait, run))
}

// use records that amounts were used for some time.
func (f *JobFigures) use(amounts Amounts, over time.Duration) {
	f.Used = grown(f.Used, len(amounts)-1)
	for i, amount := range amounts {
		f.Used[i].add(amount, over)
	}
}

func (f *JobFigures) merge(other *JobFigures) {
	f.Wait.merge(&other.Wait)
	f.JobEnds.merge(&other.JobEnds)
	f.Used = grown(f.Used, len(other.Used)-1)
	for i, area := range other.Used {
		f.Used[i].plus(area)
	}
}

func (e *JobEnds) merge(other *JobEnds) {
	e.Turnaround.merge(&other.Turnaround)
	e.Slowdown.merge(&other.Slowdown)
	e.Interrupted += other.Interrupted
}

// course is how a job or an application went.
type course struct {
	started bool
	earlier bool // it started before the run, so it does not count
	began   time.Duration
	left    time.Duration // when its last allocation so far ended
	cut     bool          // that one was interrupted
}

func (c *course) begin(at time.Duration) { c.started, c.began = true, at }

func (c *course) leave(at time.Duration, reason core.Reason) {
	c.left, c.cut = at, interrupts(reason)
}

// interrupts reports whether an allocation that ended for a reason was interrupted.
func interrupts(reason core.Reason) bool {
	return reason == core.ReasonPreempted || reason == core.ReasonNodeRemoved || reason == core.ReasonGangBroken
}

// userOf numbers a user from 1. Number 0 stands for the users without figures of their own.
func (l *Ledger) userOf(name string) int {
	if number, known := l.userNumbers[name]; known || len(l.userNumbers) == mostUsers {
		return number
	}
	l.userNumbers[name] = len(l.userNumbers) + 1
	return len(l.userNumbers)
}

// jobsOf returns the figures of the jobs of an application's user in its queue.
func (l *Ledger) jobsOf(p *app) *JobFigures {
	if p.jobs == nil {
		key := jobKey{p.queue.Index, p.user}
		if p.jobs = l.jobs[key]; p.jobs == nil {
			p.jobs = &JobFigures{}
			l.jobs[key] = p.jobs
		}
	}
	return p.jobs
}

// startJob records that a job has started.
func (l *Ledger) startJob(p *app, c *course, submitted time.Duration) {
	if c.started || c.earlier {
		return
	}
	c.begin(l.Now)
	l.jobsOf(p).Wait.Add(int64(instant.Sub(l.Now, submitted)))
}

// placed records that an ask was allocated, or restored.
func (l *Ledger) placed(a *Ask) {
	a.counted = l.Now
	job := a.job()
	if job == nil {
		a.earlier = a.Restored
		l.startJob(a.app, &a.course, a.Submitted)
		return
	}
	job.earlier = job.earlier || a.Restored && !job.started
	if job.Outcome == GangTimedOut {
		l.startJob(a.app, &job.course, job.Since)
	}
}

// job returns the gang that is the job of an ask, or nil if the ask is a job by itself.
func (a *Ask) job() *Gang {
	switch {
	case a.app.gangs == nil:
		return nil
	case a.app.gangs.holding != nil:
		return a.app.gangs.holding
	case a.gang != nil:
		return &a.gang.Gang
	}
	return nil
}

// left records that an allocation has ended.
func (l *Ledger) left(a *Ask, reason core.Reason) {
	l.spend(a)
	if job := a.job(); job != nil {
		job.leave(l.Now, reason)
		return
	}
	a.course.leave(l.Now, reason)
	if !a.earlier {
		l.jobsOf(a.app).end(a.Submitted, &a.course)
	}
}

// isOver reports whether the job of an application with placeholders has ended, though the application is still Completing.
func (p *app) isOver() bool {
	if p.gangs == nil || p.gangs.holding == nil || p.asks != nil {
		return false
	}
	return p.gangs.holding.started && !p.gangs.holding.earlier
}

// spend records what an allocation used since the last time.
func (l *Ledger) spend(a *Ask) {
	l.jobsOf(a.app).use(a.Shape.Amounts, instant.Sub(l.Now, a.counted))
	a.counted = l.Now
}

// jobSummaries returns the jobs of each queue and its descendants, by index, and those of the users by name.
func (l *Ledger) jobSummaries() (queues []JobFigures, users []UserSummary) {
	queues, users = make([]JobFigures, len(l.Queues)), make([]UserSummary, len(l.userNumbers)+1)
	users[0].Others = true
	for name, number := range l.userNumbers {
		users[number].User = name
	}
	for key, f := range l.jobs {
		queues[key.queue].merge(f)
		users[key.user].Jobs.merge(f)
	}
	for a := range l.asks.all {
		if over := instant.Sub(l.Now, a.counted); a.Node != nil {
			queues[a.Queue.Index].use(a.Shape.Amounts, over)
			users[a.app.user].Jobs.use(a.Shape.Amounts, over)
		}
	}
	for _, p := range l.apps {
		if p.isOver() {
			queues[p.queue.Index].end(p.gangs.holding.Since, &p.gangs.holding.course)
			users[p.user].Jobs.end(p.gangs.holding.Since, &p.gangs.holding.course)
		}
	}
	for i := len(queues) - 1; i >= 0; i-- { // children come before parents
		if parent := l.Queues[i].Parent; parent != nil {
			queues[parent.Index].merge(&queues[i])
		}
	}
	users = slices.DeleteFunc(users, func(u UserSummary) bool { return u.Jobs.Wait.Total() == 0 && len(u.Jobs.Used) == 0 })
	slices.SortFunc(users, func(a, b UserSummary) int {
		if a.Others != b.Others {
			return map[bool]int{false: -1, true: 1}[a.Others]
		}
		return cmp.Compare(a.User, b.User)
	})
	return queues, users
}

// Jobs returns the jobs of all queues.
func (l *Ledger) Jobs() JobFigures {
	queues, _ := l.jobSummaries()
	return l.ofRoots(queues)
}

// ofRoots merges the figures of the roots of all partitions, out of those of each queue and its descendants.
func (l *Ledger) ofRoots(queues []JobFigures) (all JobFigures) {
	for i, q := range l.Queues {
		if q.Parent == nil {
			all.merge(&queues[i])
		}
	}
	return all
}
