package manager

import "sync"

// jobs runs functions beside the loop: those of one key one after the other, and a number of keys at a time. Lanes have numbers of their own,
// so that functions which take long do not keep others from running.
type jobs struct {
	mu     sync.Mutex
	queues map[string][]job // behind the one that runs, or is ready; a key is there as long as it has one
	lanes  []*lane
	ended  sync.WaitGroup
}

type lane struct {
	ready   []job
	running int
	most    int
}

type job struct {
	key  string
	lane *lane
	run  func()
}

// newJobs makes jobs with one lane for each number of keys at a time.
func newJobs(most ...int) *jobs {
	j := &jobs{queues: map[string][]job{}}
	for _, m := range most {
		j.lanes = append(j.lanes, &lane{most: m})
	}
	return j
}

// do runs a function in the first lane, after all earlier ones of its key.
func (j *jobs) do(key string, run func()) { j.doIn(0, key, run) }

// doIn is do in another lane.
func (j *jobs) doIn(lane int, key string, run func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	next := job{key, j.lanes[lane], run}
	if queue, busy := j.queues[key]; busy {
		j.queues[key] = append(queue, next)
		return
	}
	j.queues[key] = nil
	j.start(next)
}

// start makes a job ready.
func (j *jobs) start(next job) {
	l := next.lane
	l.ready = append(l.ready, next)
	if l.running < l.most {
		l.running++
		j.ended.Go(func() { j.work(l) })
	}
}

// busy reports whether jobs of a lane wait for their turn.
func (j *jobs) busy(lane int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.lanes[lane].ready) > 0
}

// work runs what is ready in a lane, until nothing is.
func (j *jobs) work(l *lane) {
	for {
		next, ok := j.next(l)
		if !ok {
			return
		}
		next.run()
		j.over(next.key)
	}
}

func (j *jobs) next(l *lane) (job, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(l.ready) == 0 {
		l.running--
		return job{}, false
	}
	next := l.ready[0]
	l.ready[0] = job{}
	l.ready = l.ready[1:]
	return next, true
}

// over makes the next function of a key ready.
func (j *jobs) over(key string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	queue := j.queues[key]
	if len(queue) == 0 {
		delete(j.queues, key)
		return
	}
	j.queues[key] = queue[1:]
	j.start(queue[0])
}

// wait waits until all functions are over.
func (j *jobs) wait() { j.ended.Wait() }
