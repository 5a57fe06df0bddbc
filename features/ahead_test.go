package features_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/features"
)

// ahead lists the files of the folder of that name. Their scenarios state rules that the oracle follows and the scheduler
// cannot follow yet, so they do not ship. A file that passes on the scheduler moves into this folder and leaves the list.
var ahead = []string{
	"gangs-moved.feature",
}

// judgedAhead are the tags of what a fullJudge can be asked.
const judgedAhead = "not (@explain or @policies)"

// fullJudge drives an oracle that refuses nothing for the sake of comparison.
type fullJudge struct{ judge }

func newFullJudge() (features.Driver, error) { return fullJudge{judge{oracle.New()}}, nil }

// Restored goes on with the same oracle: what a scenario expects after a snapshot is what it would expect without one.
func (j fullJudge) Restored() (features.Driver, error) { return j, nil }

func TestTheOracleDoesWhatTheFilesAheadSay(t *testing.T) {
	for _, name := range ahead {
		t.Run(name, func(t *testing.T) {
			run(t, features.Options{Paths: []string{filepath.Join("ahead", name)}, NewDriver: newFullJudge, Tags: judgedAhead})
		})
	}
}

func TestNoFileAheadPassesOnTheScheduler(t *testing.T) {
	for _, name := range ahead {
		var out bytes.Buffer
		path := filepath.Join("ahead", name)
		switch features.Run(t.Context(), features.Options{Paths: []string{path}, Out: &out, Err: &out, Concurrency: 4}) {
		case features.Passed:
			t.Errorf("%s passes: move it here by `git mv features/%s features/`, and delete its line from the list", path, path)
		case features.BadInput:
			t.Errorf("%s cannot be run: %s", path, out.String())
		}
	}
}

func TestTheFolderAheadHoldsTheListedFiles(t *testing.T) {
	paths, err := filepath.Glob("ahead/*.feature")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range paths {
		found = append(found, filepath.Base(path))
	}
	if listed := slices.Sorted(slices.Values(ahead)); !slices.Equal(listed, found) {
		t.Errorf("the list has %v, the folder %v", listed, found)
	}
}
