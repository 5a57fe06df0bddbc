package checkcmd

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/files/filewatch"
)

// testWatch plays scenarios whenever they, or the configuration files that they read, have changed.
type testWatch struct {
	flags   *testFlags
	watcher *filewatch.Watcher
	folders map[string]bool // that are watched

	mu    sync.Mutex
	seen  map[string]content         // of feature files and of what their steps read, when they were last played
	reads map[string]map[string]bool // the files that the steps of a feature file read
}

// content tells one state of a file from another; that of a file which cannot be read is zero.
type content [sha256.Size]byte

func contentOf(name string) content {
	text, err := os.ReadFile(name)
	if err != nil {
		return content{}
	}
	return sha256.Sum256(text)
}

// again plays the scenarios, and again those that change, until Ctrl-C.
func (f *testFlags) again(ctx context.Context, s cli.Streams) error {
	if len(f.Paths) == 0 {
		return cli.Usage(errors.New("--watch: expected the path of a feature file or a folder, since the scenarios that come with quern do not change"))
	}
	for _, path := range f.Paths {
		if _, err := os.Stat(featureFile(path)); err != nil {
			return cli.Usage(fmt.Errorf("--watch: %w", err))
		}
	}
	watcher, err := filewatch.NewFolder(filepath.Dir(featureFile(f.Paths[0])))
	if err != nil {
		return err
	}
	w := &testWatch{flags: f, watcher: watcher, folders: map[string]bool{}, seen: map[string]content{}, reads: map[string]map[string]bool{}}
	return errors.Join(w.run(ctx, s), watcher.Close())
}

func (w *testWatch) run(ctx context.Context, s cli.Streams) error {
	idle := false // it was said that changes are waited for
	for ctx.Err() == nil {
		more, err := w.watchFolders()
		if err != nil {
			return err
		}
		if changed := w.changed(); len(changed) > 0 {
			if err := w.play(ctx, changed); err != nil {
				return err
			}
			idle = false
			continue
		}
		if more {
			continue // what changed before the folder was watched is not told: it is looked at once more
		}
		if !idle {
			idle = true
			if _, err := fmt.Fprintln(s.Err, "waiting for changes (Ctrl-C ends it)"); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
		case <-w.watcher.Changes():
		}
	}
	return nil
}

// play plays what changed. What is wrong with a file is told; it may be in the middle of being written.
func (w *testWatch) play(ctx context.Context, changed []string) error {
	o := w.flags.Options
	o.Paths = changed
	o.Opened = func(feature, file string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.reads[feature] == nil {
			w.reads[feature] = map[string]bool{}
		}
		if !w.reads[feature][file] {
			w.reads[feature][file] = true
			w.seen[file] = contentOf(file) // before it is read: a change in between is one
		}
	}
	features.Run(ctx, o)
	if flusher, ok := o.Out.(interface{ Flush() error }); ok {
		return flusher.Flush()
	}
	return nil
}

// changed are the arguments to play again, and notes how their files are now.
func (w *testWatch) changed() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	there := map[string]bool{}
	fresh := map[string]content{}
	for _, path := range w.flags.Paths {
		for _, arg := range featuresBelow(path) {
			file := featureFile(arg)
			there[file] = true
			stale := w.differs(file, fresh)
			for read := range w.reads[file] {
				stale = w.differs(read, fresh) || stale
			}
			if stale && !slices.Contains(list, arg) {
				list = append(list, arg)
			}
		}
	}
	maps.Copy(w.seen, fresh)
	for file := range w.reads {
		if !there[file] {
			delete(w.reads, file)
			delete(w.seen, file)
		}
	}
	for _, arg := range list {
		delete(w.reads, featureFile(arg)) // it may read others now
	}
	return list
}

// differs says whether a file has changed since it was played, and keeps how it is now.
func (w *testWatch) differs(file string, fresh map[string]content) bool {
	if _, known := fresh[file]; !known {
		fresh[file] = contentOf(file)
	}
	before, known := w.seen[file]
	return !known || before != fresh[file]
}

// watchFolders watches the folders of all files, and says whether there is one that was not watched yet.
func (w *testWatch) watchFolders() (more bool, err error) {
	for _, folder := range w.needed() {
		if w.folders[folder] {
			continue
		}
		if err := w.watcher.AddFolder(folder); errors.Is(err, fs.ErrNotExist) {
			continue // it went away
		} else if err != nil {
			return false, err
		}
		more, w.folders[folder] = true, true
	}
	return more, nil
}

// needed are the folders in which something may change.
func (w *testWatch) needed() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	folders := map[string]bool{}
	for _, path := range w.flags.Paths {
		_ = filepath.WalkDir(featureFile(path), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				folders[name] = true
			}
			return nil // what cannot be read is not watched
		})
		folders[filepath.Dir(featureFile(path))] = true
	}
	for _, files := range w.reads {
		for file := range files {
			folders[filepath.Dir(file)] = true
		}
	}
	return slices.Sorted(maps.Keys(folders))
}

// featureFile is the file or folder of an argument, which may have a line behind it.
func featureFile(path string) string {
	if _, err := os.Stat(path); err != nil {
		if at := strings.LastIndexByte(path, ':'); at > 0 {
			return path[:at]
		}
	}
	return path
}

// featuresBelow are the arguments that stand for a path: the files of a folder, or the path itself, unless it is gone.
func featuresBelow(path string) []string {
	info, err := os.Stat(featureFile(path))
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		return []string{path}
	}
	var list []string
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(name) == ".feature" {
			list = append(list, name)
		}
		return nil // what cannot be read is no feature
	})
	return list
}
