package ledger

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Bounds of RunTimes: what is kept of each group of alike allocations, and how many groups are kept.
const (
	runsOfAGroup = 100
	groupsOfRuns = 4096
)

// RunTimes keeps how long allocations ran that have ended by themselves or at their promised end: the last 100 of each series of
// applications (core.SeriesOf) of a user, of each user, and of equal amounts in each queue. Victims of preemption and members that left with
// their gang do not count, since they would have run on. The memory is bounded; the groups that have ended nothing for the longest time are
// forgotten first. Memory and Recall carry it over a restart.
type RunTimes struct {
	apps   map[string]submitter // of those that are not terminal
	groups map[runGroup]*runs
	ended  uint64 // number of ends so far
}

// submitter is who submitted an application, and where.
type submitter struct{ user, partition string }

// Alike is what groups allocations.
type Alike struct {
	User, App string
	Queue     string // in shown form
	Resources resource.Set
}

// Runs are run times of a group, shortest first.
type Runs struct {
	Of    string // the group, for people: ann/train, ann, or 4 vcore in root.batch
	Ended int    // how many of the group have ended, with those that were forgotten
	Times []time.Duration
}

// runGroup is a series of a user, a user, or equal amounts in a queue.
type runGroup struct{ kind, owner, name string }

func (g *runGroup) text() string {
	switch {
	case g.kind == ofAmounts:
		return g.name + " in " + g.owner
	case g.kind == ofUser:
		return g.owner
	}
	return g.owner + "/" + g.name
}

// The kinds of groups.
const (
	ofSeries  = "series"
	ofUser    = "user"
	ofAmounts = "amounts"
)

// runs are the last run times of a group.
type runs struct {
	times  []time.Duration // a ring, once there are runsOfAGroup
	ended  int
	latest uint64          // RunTimes.ended at the last end
	sorted []time.Duration // nil: not sorted since the last end
}

// NewRunTimes makes one that has seen nothing end.
func NewRunTimes() *RunTimes {
	return &RunTimes{apps: map[string]submitter{}, groups: map[runGroup]*runs{}}
}

// Resume makes known an application that was submitted before the first Step.
func (r *RunTimes) Resume(app, user, partition string) { r.apps[app] = submitter{user, partition} }

// Step records an input with the result of Apply, and decisions. in is nil for the decisions of timers and cycles.
func (r *RunTimes) Step(in *core.Input, refused core.Reason, decisions []core.Decision) {
	if in != nil && refused == core.Accepted {
		if e, ok := in.Event.(*core.AddApp); ok {
			r.apps[e.ID] = submitter{user: e.User}
		}
	}
	for i := range decisions {
		switch d := &decisions[i]; d.Type {
		case core.AppAccepted:
			r.apps[d.ID] = submitter{r.apps[d.ID].user, d.Partition}
		case core.Release:
			r.released(d)
		case core.AppState:
			if d.To == core.StateCompleted || d.To == core.StateFailed || d.To == core.StateRejected {
				delete(r.apps, d.ID)
			}
		default:
		}
	}
}

// released records the run time of an allocation, unless it was ended early.
func (r *RunTimes) released(d *core.Decision) {
	if d.Resources == nil || d.Reason != core.ReasonFinished && d.Reason != core.ReasonTimeout {
		return
	}
	r.ended++
	ran := max(0, instant.Sub(d.At, d.Began))
	by := r.apps[d.App]
	for _, g := range groupsOf(&Alike{User: by.user, App: d.App, Queue: core.ShownPath(by.partition, d.Queue), Resources: d.Resources}) {
		of := r.groups[g]
		if of == nil {
			r.makeRoom()
			of = &runs{}
			r.groups[g] = of
		}
		of.add(ran, r.ended)
	}
}

// groupsOf returns the groups of an allocation, the most alike first.
func groupsOf(a *Alike) [3]runGroup {
	return [3]runGroup{{ofSeries, a.User, core.SeriesOf(a.App)}, {ofUser, a.User, ""}, {ofAmounts, a.Queue, a.Resources.Readable()}}
}

func (g *runs) add(ran time.Duration, latest uint64) {
	if len(g.times) < runsOfAGroup {
		g.times = append(g.times, ran)
	} else {
		g.times[g.ended%runsOfAGroup] = ran
	}
	g.ended++
	g.latest, g.sorted = latest, nil
}

// makeRoom forgets a quarter of the groups if there are as many as may be: those that have ended nothing for the longest time.
func (r *RunTimes) makeRoom() {
	if len(r.groups) < groupsOfRuns {
		return
	}
	latest := make([]uint64, 0, len(r.groups))
	for _, g := range r.groups {
		latest = append(latest, g.latest)
	}
	slices.Sort(latest)
	oldest := latest[len(latest)/4]
	for k, g := range r.groups {
		if g.latest <= oldest {
			delete(r.groups, k)
		}
	}
}

// enough is how many run times a group has to have before a wider one is not asked.
const enough = 5

// Longer returns the run times longer than an age of the most alike group that has some: of the narrowest group with at least five, else of
// the narrowest with any. ok is false if there are none.
func (r *RunTimes) Longer(a *Alike, age time.Duration) (found Runs, ok bool) {
	for _, k := range groupsOf(a) {
		g := r.groups[k]
		if g == nil {
			continue
		}
		if g.sorted == nil {
			g.sorted = slices.Sorted(slices.Values(g.times))
		}
		first, at := slices.BinarySearch(g.sorted, age)
		for at && first < len(g.sorted) && g.sorted[first] == age {
			first++
		}
		times := g.sorted[first:]
		if len(times) >= enough {
			return Runs{k.text(), g.ended, times}, true
		}
		if !ok && len(times) > 0 {
			found, ok = Runs{k.text(), g.ended, times}, true
		}
	}
	return found, ok
}
