package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// latencies are how long requests took.
type latencies struct {
	mu   sync.Mutex
	list []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, d)
}

// take returns quantiles of what was added since the last time; without any they are 0.
func (l *latencies) take() (p50, p99 time.Duration) {
	l.mu.Lock()
	list := l.list
	l.list = nil
	l.mu.Unlock()
	if len(list) == 0 {
		return 0, 0
	}
	slices.Sort(list)
	return list[len(list)/2], list[len(list)*99/100]
}

// sample is how a host stands at one moment.
type sample struct {
	At         time.Duration // since the start
	Heap       float64       // alive after the last collection of garbage, in bytes
	Resident   float64       // bytes
	Goroutines float64
	Files      float64 // open
	Data       float64 // bytes in the data folder
	Bound      float64 // of that
	Written    float64 // bytes of the record, since the start
	Inputs     float64
	Ended      float64 // applications
}

// sampler takes samples of a host.
type sampler struct {
	host    *host
	began   time.Time
	written float64            // at the last sample
	kept    map[string]float64 // what had been written when each snapshot came, or soon before
}

// take takes a sample.
func (t *sampler) take(ctx context.Context) (s sample, err error) {
	m, err := t.host.readMetrics(ctx)
	if err != nil {
		return s, err
	}
	s.At = time.Since(t.began)
	for name, to := range map[string]*float64{
		"go_gc_heap_live_bytes": &s.Heap, "process_resident_memory_bytes": &s.Resident, "go_goroutines": &s.Goroutines, "process_open_fds": &s.Files,
		"quern_record_written_bytes_total": &s.Written, "quern_inputs_total": &s.Inputs,
	} {
		if *to, err = m.get(name); err != nil {
			return s, err
		}
	}
	f, err := t.host.folder()
	s.Data, s.Bound = float64(f.bytes), t.bound(&f, s.Written)
	return s, err
}

// segment is the size of a file of the record in a soak.
const segment = 8 << 20

// bound is what the data folder may take: what was written since the older of two snapshots, the segment that this one lies in, the one that is
// written, the one that is laid out in advance, and the snapshots, of which a third may be under way.
func (t *sampler) bound(f *folder, written float64) float64 {
	for _, name := range f.kept {
		if _, known := t.kept[name]; !known {
			t.kept[name] = t.written
		}
	}
	t.written = written
	since := written
	if len(f.kept) > 1 {
		since -= t.kept[f.kept[len(f.kept)-2]]
	}
	return since + 3*segment + 1.5*float64(f.snapshots) + 1<<20
}
