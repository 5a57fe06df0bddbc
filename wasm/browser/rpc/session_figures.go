package rpc

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/ledger"
)

// figures are the ledger of a session from its start, and its meter.
type figures struct {
	books *ledger.Ledger
	meter *ledger.Meter
}

// at returns the ledger at a time. The first call makes it, when the session knows its base.
func (f *figures) at(now, base time.Duration) *ledger.Ledger {
	if f.books == nil {
		f.books = ledger.New()
		f.meter = ledger.Measure(f.books, ledger.Detail{Curves: true, Stranded: true})
		f.books.Advance(base)
	}
	f.books.Advance(now)
	return f.books
}

// figuresAnswer has the results of the run up to the session's time. Times are in seconds since its start. Used and Stranded are shares of
// the capacity, by the index of the type. In a curve, each value is the mean since the previous time.
type figuresAnswer struct {
	Decisions, Allocated, Pending, Preempted int
	Faults                                   int    // number of policy faults
	Refused                                  string // the first error of the first refused configuration; empty if none was refused

	WaitMean, WaitP50, WaitP95, WaitP99, WaitMax float64 // of the allocated asks
	Makespan                                     float64 // from the start to the last change of an allocation
	Fairness                                     float64 // 1 if every leaf queue got the same share of its demand
	Types                                        []string
	Used, Stranded                               []float64 // means over time; stranded room is free where no pending ask fits

	Times, PendingCurve        []float64
	UsedCurves, StrandedCurves [][]float64
	WaitCurve                  [][]float64 // pairs of a wait, in ascending order, and the share of waits that do not exceed it

	Jobs jobsAnswer
}

// jobsAnswer has the figures of jobs: of asks that are in no gang, and of gangs as a whole.
type jobsAnswer struct {
	Ended            int          // those that were not interrupted
	Wait, Turnaround spreadAnswer // in seconds; of those that started, and of those that ended
	Slowdown         spreadAnswer // bounded
}

type spreadAnswer struct{ Mean, P95, Max float64 }

// spreadOf divides the values of a sketch by a unit.
func spreadOf(s *ledger.Sketch, unit time.Duration) spreadAnswer {
	v := func(x int64) float64 { return float64(x) / float64(unit) }
	return spreadAnswer{v(s.Mean()), v(s.Percentile(95)), v(s.Max())}
}

func (server *Server) sessionFigures(h *idHead, _ []byte) (*figuresAnswer, []byte, error) {
	s, err := server.open(h.ID)
	if err != nil {
		return nil, nil, err
	}
	if s.figures == nil {
		return nil, nil, badKey("id", "a session that was made with figures and has not gone back to a mark", h.ID)
	}
	s.figures.at(s.clock, s.base)
	return s.figures.answer(s.clock), nil, nil
}

func (f *figures) answer(end time.Duration) *figuresAnswer {
	totals, measured := &f.books.Totals, f.meter.Figures(end)
	a := &figuresAnswer{
		Decisions: measured.Decisions, Allocated: totals.Allocated, Pending: f.books.Pending, Preempted: totals.Preempted,
		Faults: totals.PolicyFaults(), Refused: measured.Refused,
		Makespan: measured.Makespan.Seconds(), Fairness: measured.Fairness, Types: f.books.Types,
	}
	a.waits(f.books.Waits())
	a.jobs(f.books.Jobs())
	for _, name := range a.Types {
		t := measured.Type(name)
		a.Used, a.Stranded = append(a.Used, t.Used), append(a.Stranded, t.Stranded)
	}
	a.curves(f.meter.Curves(end, end), max(end, f.books.Now))
	return a
}

// thousand is the unit of slowdowns.
const thousand = 1000

func (a *figuresAnswer) jobs(of ledger.JobFigures) {
	a.Jobs = jobsAnswer{of.Turnaround.Total(), spreadOf(&of.Wait, time.Second), spreadOf(&of.Turnaround, time.Second), spreadOf(&of.Slowdown, thousand)}
}

// mostWaits is the maximum number of points of the curve of waits.
const mostWaits = 400

func (a *figuresAnswer) waits(all ledger.Waits) {
	a.WaitMean = all.Mean().Seconds()
	a.WaitP50, a.WaitP95 = all.Percentile(50).Seconds(), all.Percentile(95).Seconds()
	a.WaitP99, a.WaitMax = all.Percentile(99).Seconds(), all.Max().Seconds()
	passed, counts := 0, all.Counts()
	every := (len(counts) + mostWaits - 1) / mostWaits
	for i, c := range counts {
		passed += c.Times
		if (len(counts)-1-i)%every == 0 {
			a.WaitCurve = append(a.WaitCurve, []float64{c.Value.Seconds(), float64(passed) / float64(all.Total())})
		}
	}
}

// curves divides amounts by the capacity of the same time.
func (a *figuresAnswer) curves(c *ledger.Curves, end time.Duration) {
	a.PendingCurve = c.Pending
	for i := range c.Points {
		at := min(instant.Add(c.Start, time.Duration(i+1)*c.Width), end)
		a.Times = append(a.Times, instant.Sub(at, c.Start).Seconds())
	}
	for _, name := range a.Types {
		a.UsedCurves = append(a.UsedCurves, shares(c.Used[name], c.Capacity[name]))
		a.StrandedCurves = append(a.StrandedCurves, shares(c.Stranded[name], c.Capacity[name]))
	}
}

func shares(parts, wholes []float64) []float64 {
	all := make([]float64, len(parts))
	for i, whole := range wholes {
		if whole > 0 {
			all[i] = parts[i] / whole
		}
	}
	return all
}
