package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/workload"
)

// decided replays a day of the demonstration, and returns the decisions.
func decided(t *testing.T, day string, story *replay.Story) (lines []string) {
	t.Helper()
	var out strings.Builder
	e := journal.NewEncoder(&out, journal.Relative)
	_, err := replay.Run(scheduler.New(core.Options{}), replay.Options{
		Source: journal.NewDecoder(strings.NewReader(day), "day", nil), Books: ledger.New(), Story: story, Decisions: e.Decision,
	})
	if err == nil {
		err = e.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(out.String(), "\n")
}

func TestAStoryChangesNoDecision(t *testing.T) {
	var day strings.Builder
	if err := workload.Demo(&day, 1); err != nil {
		t.Fatal(err)
	}
	want := decided(t, day.String(), nil)
	for _, id := range []string{"adhoc-193.query-6", "language-28.worker-1", "etl-00-4.extract-1"} {
		story := &replay.Story{ID: id}
		if found := decided(t, day.String(), story); !slices.Equal(found, want) {
			t.Errorf("%s: the first run decides otherwise", id)
		}
		if !story.Told() {
			continue
		}
		story.Restate()
		if found := decided(t, day.String(), story); !slices.Equal(found, want) {
			t.Errorf("%s: the second run decides otherwise", id)
		}
		if b := story.Before; b.ID != id || !b.Pending || b.Fits > 0 && !slices.ContainsFunc(b.Candidates, func(c explain.Candidate) bool { return c.Fits && c.Node == story.Node }) {
			t.Errorf("%s went to %s; before that %+v", id, story.Node, b)
		}
	}
}
