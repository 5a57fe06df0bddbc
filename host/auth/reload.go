package auth

import (
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/host/observe/logging"
)

// lookAgain is how often files are looked at.
const lookAgain = time.Second

// settled is the age from which on a file that has the same size and time is taken to be the same: clocks of file systems tick.
const settled = 2 * time.Second

// reloading is a value that stands in files. It is read again when one of them has changed; where that fails the value stays.
type reloading[T any] struct {
	files []string
	read  func() (T, error)
	log   *slog.Logger
	now   func() time.Time

	mu     sync.Mutex
	value  T
	stamps []stamp
	looked time.Time
	fresh  bool // a file was so young when it was read that it may have changed since

	trouble logging.Trouble // with the files
	failed  bool            // what was read last could not be used
}

// stamp is what tells a file from what it was.
type stamp struct {
	info fs.FileInfo
	err  string
}

func (s stamp) is(o stamp) bool {
	if s.info == nil || o.info == nil {
		return s.info == nil && o.info == nil && s.err == o.err
	}
	return os.SameFile(s.info, o.info) && s.info.Size() == o.info.Size() && s.info.ModTime().Equal(o.info.ModTime()) && s.info.Mode() == o.info.Mode()
}

// newReloading reads a value for the first time.
func newReloading[T any](files []string, read func() (T, error), log *slog.Logger, now func() time.Time) (*reloading[T], error) {
	r := &reloading[T]{files: files, read: read, log: log, now: now}
	r.looked = now()
	r.look()
	var err error
	r.value, err = read()
	return r, err
}

// get returns the value.
func (r *reloading[T]) get() T {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if now.Sub(r.looked) < lookAgain {
		return r.value
	}
	r.looked = now
	young := r.fresh
	if changed := r.look(); changed || young || r.failed {
		r.reload(changed)
	}
	return r.value
}

// reload reads the value again. The same error is logged once.
func (r *reloading[T]) reload(changed bool) {
	value, err := r.read()
	if r.failed = err != nil; r.failed {
		r.trouble.Report(r.log, err, "a changed file cannot be used; its previous contents still apply", "")
		return
	}
	r.value = value
	if r.trouble.End() || changed {
		r.log.Info("a changed file has been loaded", "file", r.files[0])
	}
}

// look notes how the files are, and reports whether that differs from before.
func (r *reloading[T]) look() (changed bool) {
	stamps := make([]stamp, len(r.files))
	r.fresh = false
	for i, name := range r.files {
		info, err := os.Stat(name)
		if err != nil {
			stamps[i].err = err.Error()
			continue
		}
		stamps[i].info = info
		r.fresh = r.fresh || r.now().Sub(info.ModTime()) < settled
	}
	changed = !slices.EqualFunc(r.stamps, stamps, stamp.is)
	r.stamps = stamps
	return changed
}
