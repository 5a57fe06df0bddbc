package features

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// lineOfPath is the line that a path names behind a colon.
var lineOfPath = regexp.MustCompile(`^(.*):(\d+)$`)

// fileOf returns the file or folder of a path, and the line that it names; 0: none.
func fileOf(path string) (file string, line int) {
	if m := lineOfPath.FindStringSubmatch(path); m != nil {
		line, _ = strconv.Atoi(m[2]) // digits; a line beyond all others is none
		return m[1], line
	}
	return path, 0
}

// unusable says in our words why features cannot be read; the error of the library stays where nothing better is known.
func (o Options) unusable(err error) error {
	for _, path := range o.Paths {
		file, _ := fileOf(path)
		info, missing := os.Stat(file)
		switch {
		case missing != nil:
			return fmt.Errorf("%s: %w%s", file, cause(missing), nearest.Hint(nearby(file)))
		case !info.IsDir():
			if wrong := unparsed(file); wrong != nil {
				return wrong
			}
		default:
			if wrong := unparsedBelow(file); wrong != nil {
				return wrong
			}
		}
	}
	return err
}

// unparsed returns all that keeps a file from being a feature, a line each; nil: it is one.
func unparsed(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, cause(err))
	}
	var wrong ParseErrors
	if _, err := Parse(string(text)); !errors.As(err, &wrong) {
		return nil
	}
	var all []error
	for _, e := range wrong {
		all = append(all, fmt.Errorf("%s:%d:%d: %s", file, e.Line, e.Column, e.Message))
	}
	return errors.Join(all...)
}

func unparsedBelow(folder string) error {
	var all []error
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error { // what cannot be listed, the library has refused
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".feature") {
			all = append(all, unparsed(path))
		}
		return nil
	})
	return errors.Join(all...)
}

// nearby lists the files beside a missing one whose names are like its name.
func nearby(file string) (found []string) {
	folder := filepath.Dir(file)
	entries, _ := os.ReadDir(folder) // a missing folder has none
	search := nearest.For(filepath.Base(file))
	for _, e := range entries {
		search.Add(e.Name())
	}
	for _, name := range search.Found() {
		found = append(found, filepath.Join(folder, name))
	}
	return found
}

// cause returns what the system says about a file, without its name.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// nothingToRun says why paths have no scenario. A line selects the scenario that begins there.
func (o Options) nothingToRun() error {
	for _, path := range o.Paths {
		file, line := fileOf(path)
		text, err := os.ReadFile(file)
		if line == 0 || err != nil {
			continue
		}
		list, err := Parse(string(text))
		if err != nil {
			continue
		}
		var begins []string
		for _, p := range list {
			if text := strconv.Itoa(p.Line); !slices.Contains(begins, text) {
				begins = append(begins, text)
			}
		}
		return fmt.Errorf("there is no scenario to run: expected a line of %s where a scenario begins (%s), found line %d", file, strings.Join(begins, ", "), line)
	}
	if len(o.Paths) == 0 {
		return errors.New("there is no scenario to run")
	}
	return fmt.Errorf("there is no scenario to run: expected scenarios in files NAME.feature of %s, found none", strings.Join(o.Paths, ", "))
}
