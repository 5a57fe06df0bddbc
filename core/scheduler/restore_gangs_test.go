package scheduler_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// gangs returns a scheduler with a formed gang x, in which task t1 waits for placeholder h1, and t2 is allocated next, since h2 has
// left. h3 was asked to leave for a task that has ended. The gang y has not formed.
func gangs(t testing.TB) *scheduler.Scheduler {
	t.Helper()
	c := newCluster(t, core.Options{}, ", queues: [{name: a}]")
	c.node("n", 9)
	gang := func(id string, size int64) {
		c.say(core.Input{Event: &core.AddApp{ID: id, Queue: "root.a", Placeholders: &core.Placeholders{Ask: vcores(size), Timeout: time.Minute}}})
	}
	member := func(id, app string, placeholder bool) {
		c.askWith(id, app, 1, core.Ask{TaskGroup: "g", Placeholder: placeholder})
	}
	gang("x", 3)
	gang("y", 2)
	for _, id := range []string{"h1", "h2", "h3"} {
		member(id, "x", true)
	}
	member("h4", "y", true)
	c.cycle()
	for _, id := range []string{"t1", "t2", "t3"} {
		member(id, "x", false)
	}
	member("t4", "y", false)
	c.cycle()
	c.say(core.Input{Event: &core.RemoveAsk{ID: "t3"}})
	c.release("h2")
	return c.Scheduler
}

func TestAGangSnapshotRestoresToItself(t *testing.T) {
	snapshot := gangs(t).Snapshot()
	for _, part := range []string{`"Placeholder":"h1"`, `"Replaces":{"Node":"n"}`, `"For":"t3"`, `"Formed":true`, `"Timed":true`} {
		if !strings.Contains(string(snapshot), part) {
			t.Errorf("the snapshot lacks %s, and so shows nothing about it", part)
		}
	}
	s, err := scheduler.Restore(snapshot, core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again := s.Snapshot(); !bytes.Equal(again, snapshot) {
		t.Errorf("expected\n%s\nfound\n%s", snapshot, again)
	}
}

func TestAGangSnapshotThatContradictsItselfIsRefused(t *testing.T) {
	snapshot := gangs(t).Snapshot()
	for _, tc := range []struct {
		what  string
		value any
		path  []any
	}{
		{"a gang of nothing", 0, []any{"Apps", "x", "Gang", "Ask", 0, "Value"}},
		{"a gang of less than nothing", -1, []any{"Apps", "x", "Gang", "Ask", 0, "Value"}},
		{"no time for placeholders", 0, []any{"Apps", "x", "Gang", "Timeout"}},
		{"placeholders that were allocated later than now", yetToCome, []any{"Apps", "x", "Gang", "Since"}},
		{"placeholders without a gang", nil, []any{"Apps", "x", "Gang"}},
		{"placeholders that are told to leave before any was allocated", true, []any{"Apps", "fresh", "Gang", "Expired"}},
		{"a placeholder without a task group", "", []any{"Asks", "h1", "Ask", "TaskGroup"}},
		{"a placeholder that gave another up", true, []any{"Asks", "h1", "GaveUp"}},
		{"a notice without a reason", "", []any{"Asks", "h1", "Told", "Reason"}},
		{"a notice for another task", "t2", []any{"Asks", "h1", "Told", "For"}},
		{"a notice to a pending placeholder", "", []any{"Asks", "h1", "PlacedOn"}},
		{"a notice to a task", false, []any{"Asks", "h1", "Ask", "Placeholder"}},
		{"a task that waits for no placeholder", "h9", []any{"Asks", "t1", "Replaces", "Placeholder"}},
		{"a task that waits for a placeholder that stays", "h4", []any{"Asks", "t1", "Replaces", "Placeholder"}},
		{"two tasks that wait for one placeholder", "h1", []any{"Asks", "t2", "Replaces", "Placeholder"}},
		{"a task that lands on no node", "n9", []any{"Asks", "t1", "Replaces", "Node"}},
		{"a pending ask of an application that fails", "Failing", []any{"Apps", "x", "State"}},
	} {
		t.Run(tc.what, func(t *testing.T) {
			path := tc.path
			if path[1] == "fresh" {
				path[1] = "y"
				snapshot = edit(t, snapshot, false, "Apps", "y", "Gang", "Timed")
			}
			if _, err := scheduler.Restore(edit(t, snapshot, tc.value, path...), core.Options{}); err == nil {
				t.Error("it is taken")
			} else if !strings.HasPrefix(err.Error(), "snapshot: ") {
				t.Error(err)
			}
		})
	}
}
