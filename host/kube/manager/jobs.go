package manager

import "sync"

// jobs runs functions beside the loop: those of one key one after the other, and a number of keys at a time.
type jobs struct {
	mu      sync.Mutex
	queues  map[string][]func() // behind the one that runs, or is ready; a key is there as long as it has one
	ready   []job
	running int
	most    int
	ended   sync.WaitGroup
}

type job struct {
	key string
	run func()
}

func newJobs(most int) *jobs { return &jobs{queues: map[string][]func(){}, most: most} }

// do has a function run once those of its key before it are over.
func (j *jobs) do(key string, run func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if queue, busy := j.queues[key]; busy {
		j.queues[key] = append(queue, run)
		return
	}
	j.queues[key] = nil
	j.ready = append(j.ready, job{key, run})
	if j.running < j.most {
		j.running++
		j.ended.Go(j.work)
	}
}

// work runs what is ready, until nothing is.
func (j *jobs) work() {
	for {
		next, ok := j.next()
		if !ok {
			return
		}
		next.run()
		j.over(next.key)
	}
}

func (j *jobs) next() (job, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.ready) == 0 {
		j.running--
		return job{}, false
	}
	next := j.ready[0]
	j.ready[0] = job{}
	j.ready = j.ready[1:]
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
	j.ready = append(j.ready, job{key, queue[0]})
}

// wait waits until all functions are over.
func (j *jobs) wait() { j.ended.Wait() }
