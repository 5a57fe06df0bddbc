package oracle_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// job is a job of a log, which runs on processors of one machine. Times are in seconds.
type job struct{ submitted, processors, run, requested int }

// drawLog makes a log as parallel machines have them: jobs come in bursts, take mostly powers of two of the processors, and run for
// times of all magnitudes, most of them for much less than was requested. The load is the part of the machine that they would use.
func drawLog(seed uint64, jobs, processors int, load float64) []job {
	random := rand.New(rand.NewPCG(seed, 1))
	var log []job
	var work float64
	for range jobs {
		size := 1 << random.IntN(int(math.Log2(float64(processors)))+1)
		if random.IntN(4) == 0 {
			size = 1 + random.IntN(processors)
		}
		run := int(math.Exp(random.Float64() * math.Log(40_000)))
		requested := run
		if random.IntN(5) > 0 {
			requested = int(float64(run) * math.Exp(random.Float64()*3))
		}
		if random.IntN(2) == 0 { // people ask for round times
			requested = (requested/900 + 1) * 900
		}
		if random.IntN(20) == 0 { // and some jobs would run longer
			run = requested + random.IntN(600)
		}
		log = append(log, job{processors: size, run: max(1, run), requested: max(1, requested)})
		work += float64(size * min(max(1, run), max(1, requested)))
	}
	gap, at := work/load/float64(processors)/float64(jobs), 0.0
	for i := range log {
		if random.IntN(3) > 0 { // others come in the same instant
			at += random.ExpFloat64() * gap * 1.5
		}
		log[i].submitted = int(at)
	}
	return log
}

// running is a job that runs: since when, until when, and until when it may.
type running struct{ job, from, ends, promised int }

// simulator is the state of the simulators: one queue in order of submission, one machine.
type simulator struct {
	log        []job
	processors int
	starts     []int // by job; -1 if it has not started
	queue      []int
	running    []running
	reserved   map[int]int // start by job
	arrived    int
}

// simulate plays a log until all jobs have started, with a rule that starts jobs of the queue.
func simulate(log []job, processors int, schedule func(s *simulator, now int)) []int {
	s := &simulator{log: log, processors: processors, starts: make([]int, len(log)), reserved: map[int]int{}}
	for s.arrived < len(log) || len(s.queue) > 0 {
		now := math.MaxInt
		if s.arrived < len(log) {
			now = log[s.arrived].submitted
		}
		for _, r := range s.running {
			now = min(now, r.ends)
		}
		s.running = without(s.running, func(r running) bool { return r.ends == now })
		for ; s.arrived < len(log) && log[s.arrived].submitted == now; s.arrived++ {
			s.queue = append(s.queue, s.arrived)
		}
		schedule(s, now)
	}
	return s.starts
}

func without[T any](list []T, gone func(T) bool) (rest []T) {
	for _, x := range list {
		if !gone(x) {
			rest = append(rest, x)
		}
	}
	return rest
}

func (s *simulator) start(i, now int) {
	j := s.log[i]
	s.starts[i] = now
	s.queue = without(s.queue, func(other int) bool { return other == i })
	s.running = append(s.running, running{i, now, now + min(j.run, j.requested), now + j.requested})
	delete(s.reserved, i)
}

// free returns the processors that are free at an instant, if all running jobs run as long as they requested.
func (s *simulator) free(at int) int {
	free := s.processors
	for _, r := range s.running {
		if r.promised > at {
			free -= s.log[r.job].processors
		}
	}
	return free
}

// easy is EASY backfilling: jobs start in order; the first that does not fit gets the shadow time, at which it will, and jobs behind start
// if they have ended by then, or use processors that it leaves.
func easy(s *simulator, now int) {
	for len(s.queue) > 0 && s.log[s.queue[0]].processors <= s.free(now) {
		s.start(s.queue[0], now)
	}
	if len(s.queue) == 0 {
		return
	}
	first, shadow := s.log[s.queue[0]], math.MaxInt
	for _, r := range s.running {
		if r.promised < shadow && s.free(r.promised) >= first.processors {
			shadow = r.promised
		}
	}
	for _, i := range s.queue[1:] {
		j := s.log[i]
		if j.processors <= s.free(now) && (now+j.requested <= shadow || j.processors <= s.free(shadow)-first.processors) {
			s.start(i, now)
		}
	}
}

// conservative is conservative backfilling in which no job moves later: each job in the queue has a reservation, and takes an earlier one
// when it can beside those of all others, in order, until none can.
func conservative(s *simulator, now int) {
	for moved := true; moved; {
		moved = false
		for _, i := range s.queue {
			before, had := s.reserved[i]
			delete(s.reserved, i)
			at := s.earliest(i, now)
			s.reserved[i] = at
			moved = moved || !had || at < before
		}
	}
	for _, i := range s.queue {
		if s.reserved[i] == now {
			s.start(i, now)
		}
	}
}

// earliest returns the first instant from which on the processors of a job are free for as long as it requests, beside all that runs and is
// reserved.
func (s *simulator) earliest(i, now int) int {
	type step struct{ at, change int }
	steps := []step{}
	for _, r := range s.running {
		steps = append(steps, step{now, s.log[r.job].processors}, step{r.promised, -s.log[r.job].processors})
	}
	for other, at := range s.reserved {
		steps = append(steps, step{at, s.log[other].processors}, step{at + s.log[other].requested, -s.log[other].processors})
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	start, used := now, 0
	for n := 0; n < len(steps); {
		at := steps[n].at
		if at >= start+s.log[i].requested {
			break
		}
		for ; n < len(steps) && steps[n].at == at; n++ { // ends and starts of one instant count together
			used += steps[n].change
		}
		if used+s.log[i].processors <= s.processors {
			continue
		}
		if n == len(steps) {
			return math.MaxInt // larger than the machine
		}
		start = steps[n].at
	}
	return start
}
