package main

import (
	"container/heap"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
)

// Deadlines are derived: the trace has none. A pod runs as long as it did, from when it is placed, and is due after so
// many times that, in turn, and ten minutes.
var slacks = []time.Duration{2, 4, 16}

const (
	leastSlack = 10 * time.Minute
	longest    = 6 * time.Hour // pods that ran for longer are services, and left out
	fewNodes   = 1             // with 8 GPUs each, that the jobs get: the whole cluster never has a queue
	hurry      = 2             // jobs come so many times as fast as in the trace
)

// job is a pod that has to be done in time.
type job struct {
	pod
	due time.Duration
}

func (g *gallery) jobs() []job {
	var jobs []job
	for _, p := range g.lists.pods {
		if p.lasts <= 0 || p.lasts > longest {
			continue
		}
		p.created /= hurry
		j := job{p, p.created + slacks[len(jobs)%len(slacks)]*p.lasts + leastSlack}
		j.app.Queue = "root.be"
		j.app.Tags = map[string]string{
			"deadline": strconv.Itoa(int(j.due.Seconds())), "duration": strconv.Itoa(int(p.lasts.Seconds())),
		}
		j.ask.Priority, j.ask.Constraints = 0, nil // any node will do: there are few
		jobs = append(jobs, j)
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return int(a.created - b.created) })
	return jobs
}

// ending is that a job is done.
type ending struct {
	at  time.Duration
	job int
}

// endings is a heap: the next one first, ties in the order of the list.
type endings []ending

func (e endings) Len() int { return len(e) }
func (e endings) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].job < e[j].job
}
func (e endings) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push and Pop are for package heap.
func (e *endings) Push(x any) { *e = append(*e, x.(ending)) }

// Pop takes the last one.
func (e *endings) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// late runs the jobs on a part of the nodes and returns by how much each was late, or early where below 0, in the order of
// the list. Jobs that fit no node are left out.
func (g *gallery) late(ctx context.Context, apps string) ([]time.Duration, error) {
	fmt.Fprintf(g.out, "  jobs by %s\n", apps)
	nodes := slices.DeleteFunc(slices.Clone(g.lists.nodes), func(n core.AddNode) bool { return amountsOf(n.Capacity).gpu != 8*wholeGPU })[:fewNodes]
	c, err := g.newCluster(ctx, setup{apps: apps}, nodes)
	if err != nil {
		return nil, err
	}
	jobs := slices.DeleteFunc(g.jobs(), func(j job) bool {
		return !slices.ContainsFunc(nodes, func(n core.AddNode) bool { return j.wants.fits(amountsOf(n.Capacity)) })
	})
	r := &shop{cluster: c, jobs: jobs, number: map[string]int{}, late: map[int]time.Duration{}}
	c.told = r.started
	if err := r.run(); err != nil {
		return nil, err
	}
	out := make([]time.Duration, 0, len(jobs))
	for _, i := range slices.Sorted(maps.Keys(r.late)) {
		out = append(out, r.late[i])
	}
	return out, nil
}

// shop runs jobs.
type shop struct {
	*cluster
	jobs    []job
	number  map[string]int // by name
	endings endings
	late    map[int]time.Duration
}

func (r *shop) started(ask, _ string) {
	i := r.number[ask]
	j := &r.jobs[i]
	at := r.Now() + j.lasts
	r.late[i] = at - j.due
	heap.Push(&r.endings, ending{at, i})
}

func (r *shop) run() error {
	for next := 0; next < len(r.jobs) || len(r.endings) > 0; {
		coming := next < len(r.jobs) && (len(r.endings) == 0 || r.jobs[next].created < r.endings[0].at)
		if coming {
			if err := r.goTo(r.jobs[next].created); err != nil {
				return err
			}
			r.number[r.jobs[next].ask.ID] = next
			r.submit(r.jobs[next].pod)
			next++
		} else {
			done := heap.Pop(&r.endings).(ending)
			if err := r.goTo(done.at); err != nil {
				return err
			}
			r.Apply(&core.Input{At: r.Now(), Event: &core.RemoveApp{ID: r.jobs[done.job].app.ID}})
		}
		if err := r.decide(); err != nil {
			return err
		}
	}
	return nil
}

// goTo lets time pass, and stops at every deadline of the scheduler on the way.
func (c *cluster) goTo(to time.Duration) error {
	for {
		at, ok := c.Deadline()
		if !ok || at >= to {
			c.Advance(to)
			return c.enter(c.Take())
		}
		c.Advance(max(at, c.Now()))
		if err := c.decide(); err != nil {
			return err
		}
	}
}
