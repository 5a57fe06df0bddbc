package filter

import "sync"

// stale is what has to be asked again.
type stale struct {
	bell chan struct{}

	mu    sync.Mutex
	all   bool
	names map[string]bool // predicates, unless all
}

// Stale has a value after a change that plugins read and that is no input of the scheduler: of volumes, devices, namespaces, labels of pods. The caller
// then has the scheduler ask again about the predicates that TakeStale returns.
func (f *Filters) Stale() <-chan struct{} { return f.stale.bell }

// TakeStale returns which predicates have to be asked again, as of now. The next call leaves them out.
func (f *Filters) TakeStale() (wanted func(predicate string) bool) {
	s := &f.stale
	s.mu.Lock()
	defer s.mu.Unlock()
	all, names := s.all, s.names
	s.all, s.names = false, nil
	return func(predicate string) bool { return names[predicate] || all && Owns(predicate) }
}

// noteStale marks all predicates as stale.
func (f *Filters) noteStale() {
	f.stale.mu.Lock()
	f.stale.all = true
	f.stale.mu.Unlock()
	f.stale.ring()
}

// noteStaleOf marks one predicate as stale.
func (f *Filters) noteStaleOf(predicate string) {
	f.stale.mu.Lock()
	if f.stale.names == nil {
		f.stale.names = map[string]bool{}
	}
	f.stale.names[predicate] = true
	f.stale.mu.Unlock()
	f.stale.ring()
}

func (s *stale) ring() {
	select {
	case s.bell <- struct{}{}:
	default:
	}
}
