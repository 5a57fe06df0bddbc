// Package filewatch reports changes of a file: it was written, an editor or a tool put another file in its place, or a link on the way to
// it leads elsewhere, as where a folder is mounted that is exchanged as a whole. What happens to other files in its folder is no change.
//
// It also watches folders, in which every event counts.
package filewatch

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is for how long nothing may happen before a change is reported: a file that is being written is not read half.
const quiet = 100 * time.Millisecond

// patience is for how long a folder in which something happens all the time may put off a change.
const patience = 2 * time.Second

// mostLinks bounds the links that are followed to a file.
const mostLinks = 40

// Watcher watches files and folders. Close it.
type Watcher struct {
	mu      sync.Mutex
	files   map[string]state // by path: when a change was last reported
	folders []string
	events  *fsnotify.Watcher

	rechecked func(changed bool) // is called after each look at what is watched
	changes   chan struct{}
	ended     chan struct{}
}

// New watches a file. It may be missing, but its folder must exist. A change counts from now on: read the file after this, not before.
func New(path string) (*Watcher, error) { return newFile(path, func(bool) {}) }

// newFile watches a file, and calls a function with the result of each look at it.
func newFile(path string, rechecked func(changed bool)) (*Watcher, error) {
	now := stateOf(path) // before events come: a change in between differs from it
	w, err := watch(path, path)
	if err != nil {
		return nil, err
	}
	w.files[path], w.rechecked = now, rechecked
	go w.run()
	return w, nil
}

// NewFolder watches a folder, without the folders in it.
func NewFolder(folder string) (*Watcher, error) {
	w, err := watch(folder, within(folder))
	if err != nil {
		return nil, err
	}
	w.folders = []string{folder}
	go w.run()
	return w, nil
}

// within is the path of a file in a folder: watching it watches the folder, and the links that lead there.
func within(folder string) string { return filepath.Join(folder, "*") }

// watch makes a watcher of what is named so, for the events of a path. It is not running yet.
func watch(name, path string) (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be watched: %w", name, err)
	}
	w := &Watcher{files: map[string]state{}, rechecked: func(bool) {}, events: events, changes: make(chan struct{}, 1), ended: make(chan struct{})}
	if err := w.watchFolders(path); err != nil {
		_ = events.Close() // nothing is watched
		return nil, fmt.Errorf("%s cannot be watched: %w", name, err)
	}
	return w, nil
}

// AddFolder watches one more folder, as NewFolder does.
func (w *Watcher) AddFolder(folder string) error {
	if err := w.watchFolders(within(folder)); err != nil {
		return fmt.Errorf("%s cannot be watched: %w", folder, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.folders = append(w.folders, folder)
	return nil
}

// Changes has a value when a file has changed, or when something has happened in a folder. It is closed when nothing is watched any more.
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

// recheck watches what paths lead through now, and reports whether there is a change. The folders themselves are watched as long as they
// exist.
func (w *Watcher) recheck() (changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, before := range w.files {
		_ = w.watchFolders(path) // as in watchFolders; before the file is looked at: a change after that has an event
		now := stateOf(path)
		changed = changed || !now.same(before)
		w.files[path] = now
	}
	for _, folder := range w.folders {
		_ = w.watchFolders(within(folder)) // as in watchFolders
	}
	return changed || len(w.folders) > 0
}

// run reports changes until the watcher is closed.
func (w *Watcher) run() {
	defer close(w.ended)
	defer close(w.changes)
	settled := time.NewTimer(quiet)
	settled.Stop()
	defer settled.Stop()
	var first time.Time // of the events since the last look; zero: there are none
	for {
		open := true
		select {
		case _, open = <-w.events.Events:
		case _, open = <-w.events.Errors: // events may have been lost: the file is looked at
		case <-settled.C:
			first = time.Time{}
			changed := w.recheck()
			w.rechecked(changed)
			if !changed {
				continue
			}
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
