// Package filewatch tells when what is read under a path may have changed: the file was written, an editor or a tool put another file in
// its place, or a link on the way to it leads elsewhere, as where a folder is mounted that is exchanged as a whole.
package filewatch

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is for how long nothing may happen before a change is told: a file that is being written is not read half.
const quiet = 100 * time.Millisecond

// patience is for how long a folder in which something happens all the time may put off a change.
const patience = 2 * time.Second

// mostLinks bounds the links that are followed to a file.
const mostLinks = 40

// Watcher watches one path, or several. Close it.
type Watcher struct {
	mu      sync.Mutex
	paths   []string
	events  *fsnotify.Watcher
	changes chan struct{}
	ended   chan struct{}
}

// New watches a path. There need not be a file, but a folder for it.
func New(path string) (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be watched: %w", path, err)
	}
	w := &Watcher{events: events, changes: make(chan struct{}, 1), ended: make(chan struct{})}
	if err := w.Add(path); err != nil {
		_ = events.Close() // nothing is watched
		return nil, err
	}
	go w.run()
	return w, nil
}

// Add watches one more path, as New does.
func (w *Watcher) Add(path string) error {
	if err := w.watchFolders(path); err != nil {
		return fmt.Errorf("%s cannot be watched: %w", path, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paths = append(w.paths, path)
	return nil
}

// Changes has a value when a file may have changed, and is closed when nothing is watched any more.
func (w *Watcher) Changes() <-chan struct{} { return w.changes }

// Close ends the watching.
func (w *Watcher) Close() error {
	err := w.events.Close()
	<-w.ended
	return err
}

// watchFolders watches the folder of a path, and those of the links that lead to the file. Folders are watched, since a file that takes
// the place of another is not the one that was watched. The error is that of the folder of the path.
func (w *Watcher) watchFolders(path string) error {
	err := w.events.Add(filepath.Dir(path))
	for range mostLinks {
		folder := filepath.Dir(path)
		if real, e := filepath.EvalSymlinks(folder); e == nil && real != folder {
			w.watchLinks(folder)
			_ = w.events.Add(real) // a folder that is gone is watched once the link leads to another
		}
		target, e := os.Readlink(path)
		if e != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(folder, target)
		}
		path = target
		_ = w.events.Add(filepath.Dir(path)) // as above
	}
	return err
}

// watchLinks watches the folders of the links that a path goes through.
func (w *Watcher) watchLinks(path string) {
	for p := path; p != filepath.Dir(p); p = filepath.Dir(p) {
		if info, err := os.Lstat(p); err == nil && info.Mode()&os.ModeSymlink != 0 {
			_ = w.events.Add(filepath.Dir(p)) // as in watchFolders
		}
	}
}

// watchAgain watches what paths lead through now. The folders themselves are watched as long as they exist.
func (w *Watcher) watchAgain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range w.paths {
		_ = w.watchFolders(path) // as in watchFolders
	}
}

// run tells changes until the watcher is closed.
func (w *Watcher) run() {
	defer close(w.ended)
	defer close(w.changes)
	settled := time.NewTimer(quiet)
	settled.Stop()
	defer settled.Stop()
	var first time.Time // of the events that have not been told; zero: there are none
	for {
		open := true
		select {
		case _, open = <-w.events.Events:
		case _, open = <-w.events.Errors: // events may have been lost: the file is looked at
		case <-settled.C:
			first = time.Time{}
			w.watchAgain()
			select {
			case w.changes <- struct{}{}:
			default:
			}
			continue
		}
		if !open {
			return
		}
		if first.IsZero() {
			first = time.Now()
		}
		if time.Since(first) < patience {
			settled.Reset(quiet)
		}
	}
}
