package ledger

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// GangOutcome is how the wait of a gang ended.
type GangOutcome string

// The outcomes.
const (
	GangWaits     GangOutcome = "waiting"
	GangFormed    GangOutcome = "formed"    // its allocated placeholders added up to placeholder_ask, or its members were placed
	GangTimedOut  GangOutcome = "timed out" // it did not form in time
	GangWithdrawn GangOutcome = "withdrawn" // it ended for another reason before it formed
)

// Gang is an application with placeholders, or an atomic gang of asks in one.
type Gang struct {
	App      string
	Name     string // of an atomic gang, within its application
	Queue    string // in shown form, at its start
	Since    time.Duration
	Wait     time.Duration // until its outcome
	Min      int           // of an atomic gang, the number of members that are placed together; 0 for a gang with placeholders
	Outcome  GangOutcome
	Replaced int           // placeholders that tasks replaced
	Ended    int           // placeholders that ended for another reason
	Service  time.Duration // for how long it was whole, in all

	counts bool      // it formed during the run
	whole  stopwatch // runs while it is whole
	course           // as a job
}

// GangTotals counts the gangs of one kind by outcome.
type GangTotals struct {
	Formed, TimedOut, Withdrawn int
	Replaced, Ended             int // placeholders, as in Gang

	waits    Waits // of the formed gangs
	services Waits // of those that have ended
	JobEnds        // of those that started
}

// mostGangs is the number of gangs that are remembered: those that waited longest.
const mostGangs = 20

// gangs holds the gangs that have an outcome. It is nil before the first.
type gangs struct {
	holding, atomic GangTotals
	longest         []*Gang // in descending order of wait
}

// appGangs are the gangs of an application.
type appGangs struct {
	holding *Gang // nil if it has no placeholders
	atomic  map[string]*atomicGang
}

// newApp records what the decision about a new application does not tell: its user, and that it is a gang with placeholders.
func (l *Ledger) newApp(in *core.AddApp) {
	p := l.apps[in.ID]
	if p == nil {
		return // a journal that begins with a state: the state follows
	}
	p.user, p.userName = l.userOf(in.User), in.User
	if in.Placeholders == nil || in.Placeholders.Ask.IsZero() {
		return
	}
	p.gangs = &appGangs{holding: &Gang{App: p.id, Queue: p.queue.Path, Since: l.Now, Outcome: GangWaits}}
}

// endGang records the end of a gang, and for how long it was whole.
func (l *Ledger) endGang(p *app, g *Gang) {
	g.whole.stop(l.Now)
	if g.counts {
		l.gangBooks().of(g).services.Add(g.whole.total)
	}
	if g.started && !g.earlier {
		l.gangBooks().of(g).end(g.Since, &g.course)
		l.jobsOf(p).end(g.Since, &g.course)
	}
}

// resume records that an application has allocations again, and pause that it has none: a gang with placeholders is whole while there are some.
func (g *appGangs) resume(now time.Duration) {
	if g.holding != nil && g.holding.Outcome == GangFormed {
		g.holding.whole.start(now)
	}
}

func (g *appGangs) pause(now time.Duration) {
	if g.holding != nil {
		g.holding.whole.stop(now)
	}
}

// gangState records the outcome of a gang from a change of state of its application.
func (l *Ledger) gangState(g *Gang, d *core.Decision) {
	switch {
	case d.Reason == core.ReasonGangTimeout:
		l.settle(g, GangTimedOut)
	case d.Reason == core.ReasonGangFormed, d.Reason == core.ReasonFirstAllocation:
		l.settle(g, GangFormed)
	case d.To == core.StateCompleted, d.To == core.StateFailed:
		l.settle(g, GangWithdrawn)
	}
}

// gangBooks returns the records of gangs, and makes them if necessary.
func (l *Ledger) gangBooks() *gangs {
	if l.gangs == nil {
		l.gangs = &gangs{}
	}
	return l.gangs
}

// settle records the outcome of a gang, unless it already has one.
func (l *Ledger) settle(g *Gang, outcome GangOutcome) {
	if g.Outcome != GangWaits {
		return
	}
	g.Outcome, g.Wait = outcome, instant.Sub(l.Now, g.Since)
	books := l.gangBooks()
	totals := books.of(g)
	switch outcome {
	case GangFormed:
		totals.Formed++
		totals.waits.Add(g.Wait)
		g.counts = true
		l.startJob(l.apps[g.App], &g.course, g.Since)
		g.whole.start(l.Now)
	case GangTimedOut:
		totals.TimedOut++
	default:
		totals.Withdrawn++
	}
	books.longest = append(books.longest, g)
	if len(books.longest) >= 2*mostGangs {
		books.longest = longestGangs(books.longest)
	}
}

func (b *gangs) of(g *Gang) *GangTotals {
	if g.Min > 0 {
		return &b.atomic
	}
	return &b.holding
}

// replaced counts a placeholder that leaves for a task.
func (l *Ledger) replaced(d *core.Decision) {
	g := l.ask(d.ID).app.gangs.holding
	g.Replaced++
	l.gangBooks().holding.Replaced++
}

// placeholderEnded counts a placeholder that ends without a task.
func (l *Ledger) placeholderEnded(app string) {
	l.apps[app].gangs.holding.Ended++
	l.gangBooks().holding.Ended++
}

// longestGangs sorts gangs by descending wait, and returns the first mostGangs.
func longestGangs(list []*Gang) []*Gang {
	slices.SortStableFunc(list, func(a, b *Gang) int {
		return cmp.Or(cmp.Compare(b.Wait, a.Wait), cmp.Compare(a.Since, b.Since), cmp.Compare(a.App, b.App), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), mostGangs)]
}

// GangSummary is the result of the gangs of one kind.
type GangSummary struct {
	GangTotals
	Atomic  bool
	Waiting int
	Waits   Waits // of the formed gangs

	Services Waits // of the formed gangs, so far
}

// summary copies the records, which go on.
func (t *GangTotals) summary() GangSummary {
	s := GangSummary{GangTotals: GangTotals{Formed: t.Formed, TimedOut: t.TimedOut, Withdrawn: t.Withdrawn, Replaced: t.Replaced, Ended: t.Ended}}
	s.Waits.merge(&t.waits)
	s.Services.merge(&t.services)
	s.JobEnds.merge(&t.JobEnds)
	return s
}

// Gangs returns the total number.
func (s *GangSummary) Gangs() int { return s.Formed + s.TimedOut + s.Withdrawn + s.Waiting }

// gangSummaries sums up the kinds of gangs that occurred, with placeholders first, and lists the gangs that waited longest.
func (l *Ledger) gangSummaries() (kinds []GangSummary, longest []Gang) {
	books := l.gangs
	if books == nil {
		books = &gangs{}
	}
	holding, atomic := books.holding.summary(), books.atomic.summary()
	atomic.Atomic = true
	all := slices.Clone(books.longest)
	add := func(g *Gang, kind *GangSummary) {
		switch {
		case g == nil:
		case g.counts:
			kind.Services.Add(g.whole.read(l.Now))
		case g.Outcome == GangWaits:
			kind.Waiting++
			still := *g
			still.Wait = instant.Sub(l.Now, g.Since)
			all = append(all, &still)
		}
	}
	for _, p := range l.apps {
		if p.gangs == nil {
			continue
		}
		add(p.gangs.holding, &holding)
		if p.isOver() {
			holding.end(p.gangs.holding.Since, &p.gangs.holding.course)
		}
		for _, g := range p.gangs.atomic {
			add(&g.Gang, &atomic)
		}
	}
	for _, kind := range []*GangSummary{&holding, &atomic} {
		if kind.Gangs() > 0 {
			kinds = append(kinds, *kind)
		}
	}
	for _, g := range longestGangs(all) {
		copied := *g
		copied.Service = g.whole.read(l.Now)
		longest = append(longest, copied)
	}
	return kinds, longest
}
