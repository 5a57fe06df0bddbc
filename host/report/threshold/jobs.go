package threshold

import (
	"fmt"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/report/summary"
)

// spreads are the figures of a sketch.
func spreads(name string, k kind, of func(s *subject) *ledger.Sketch, scopes ...scope) (all []figure) {
	for _, v := range []struct {
		name string
		of   func(*ledger.Sketch) int64
	}{{"mean", (*ledger.Sketch).Mean}, {"p50", rank(50)}, {"p90", rank(90)}, {"p95", rank(95)}, {"p99", rank(99)}, {"max", (*ledger.Sketch).Max}} {
		f := figure{name: name + "." + v.name, kind: k}
		value := func(s *subject) int64 { return v.of(of(s)) }
		for _, in := range scopes {
			switch in {
			case ofQueue:
				f.queue = value
			case ofUser:
				f.user = value
			default:
				f.run = value
			}
		}
		all = append(all, f)
	}
	return all
}

func rank(p int) func(*ledger.Sketch) int64 {
	return func(s *ledger.Sketch) int64 { return s.Percentile(p) }
}

// jobFigures are those of jobs, in every scope but that of priorities.
func jobFigures() []figure {
	scopes := []scope{ofRun, ofQueue, ofUser}
	interrupted := number(func(s *subject) int { return s.jobs.Interrupted })
	all := spreads("job.wait", aSpan, func(s *subject) *ledger.Sketch { return &s.jobs.Wait }, scopes...)
	all = append(all, spreads("job.turnaround", aSpan, func(s *subject) *ledger.Sketch { return &s.jobs.Turnaround }, scopes...)...)
	all = append(all, spreads("job.slowdown", aCount, func(s *subject) *ledger.Sketch { return &s.jobs.Slowdown }, scopes...)...)
	return append(all, figure{name: "job.interrupted", run: interrupted, queue: interrupted, user: interrupted})
}

// ends are the figures of gangs or applications that have ended.
func ends(name string, of func(s *summary.Summary) *ledger.JobEnds) []figure {
	all := spreads(name+".turnaround", aSpan, func(s *subject) *ledger.Sketch { return &of(s.summary).Turnaround }, ofRun)
	return append(all, spreads(name+".slowdown", aCount, func(s *subject) *ledger.Sketch { return &of(s.summary).Slowdown }, ofRun)...)
}

// users looks at the jobs of a user.
func (c *Condition) users(s *summary.Summary) (string, error) {
	w, found, others := worst{c: c, more: "users"}, false, false
	var names []string
	for i := range s.Users {
		u := &s.Users[i]
		others = others || u.Others
		if u.Others || c.name != every && c.name != u.User {
			names = append(names, u.User)
			continue
		}
		found = true
		w.try("user "+u.User, &subject{summary: s, jobs: &u.Jobs})
	}
	if found || c.name == every {
		return w.text(), nil
	}
	if others {
		return "", fmt.Errorf("there are too many users: user %s is not counted by itself", c.name)
	}
	err := fmt.Errorf("no job of user %s has started", c.name)
	if near := similar(c.name, names); near != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return "", err
}
