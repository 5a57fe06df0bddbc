package summary

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// jobsObject has the figures of jobs as programs read them.
type jobsObject struct {
	Started    int                    `json:"started"`
	Ended      int                    `json:"ended"`
	Wait       spreadObject           `json:"wait_seconds"`
	Turnaround spreadObject           `json:"turnaround_seconds"`
	Slowdown   spreadObject           `json:"slowdown"`
	Cut        int                    `json:"interrupted"`
	Used       map[string]json.Number `json:"resource_seconds"`
}

// endsObject has the figures of ended gangs or applications.
type endsObject struct {
	Turnaround spreadObject `json:"turnaround_seconds"`
	Slowdown   spreadObject `json:"slowdown"`
	Cut        int          `json:"interrupted"`
}

type spreadObject struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// spreadOf divides the values of a sketch by a unit.
func spreadOf(s *ledger.Sketch, unit int64) spreadObject {
	v := func(x int64) float64 { return float64(x) / float64(unit) }
	return spreadObject{v(s.Mean()), v(s.Percentile(50)), v(s.Percentile(90)), v(s.Percentile(95)), v(s.Percentile(99)), v(s.Max())}
}

// thousand is the unit of slowdowns.
const thousand = 1000

func endsOf(e *ledger.JobEnds) endsObject {
	return endsObject{spreadOf(&e.Turnaround, int64(time.Second)), spreadOf(&e.Slowdown, thousand), e.Interrupted}
}

// jobsOf is nil without jobs.
func (s *Summary) jobsOf(f *ledger.JobFigures) *jobsObject {
	if f.Wait.Total() == 0 && len(f.Used) == 0 {
		return nil
	}
	e := endsOf(&f.JobEnds)
	o := &jobsObject{f.Wait.Total(), f.Turnaround.Total(), spreadOf(&f.Wait, int64(time.Second)), e.Turnaround, e.Slowdown, e.Cut, map[string]json.Number{}}
	for i, area := range f.Used {
		name := s.Types[i]
		if name == resource.VCore && !slices.Contains(s.Types, vcoreMilli) {
			name = vcoreMilli
		}
		if text := area.Seconds(); text != "0" {
			o.Used[name] = json.Number(text)
		}
	}
	return o
}

// usersObject has the jobs by user, and those of all further users. It is nil if no application names a user.
func (s *Summary) usersObject() (users map[string]*jobsObject, others *jobsObject) {
	for i := range s.Users {
		u := &s.Users[i]
		switch {
		case u.Others:
			others = s.jobsOf(&u.Jobs)
		case u.User != "" || len(s.Users) > 1:
			if users == nil {
				users = map[string]*jobsObject{}
			}
			users[u.User] = s.jobsOf(&u.Jobs)
		}
	}
	return users, others
}
