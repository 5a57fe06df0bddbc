package features

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core/explain"
)

var placementColumns = []column[explain.PlacementExplanation]{
	{"placed in", func(e explain.PlacementExplanation) string { return shownIn(e.Partition, e.Queue) }, asIs},
	{"rule", func(e explain.PlacementExplanation) string { return ruleNumber(&e) }, asIs},
	{"tried", func(e explain.PlacementExplanation) string { return triedText(&e) }, asIs},
	{"creates", func(e explain.PlacementExplanation) string { return strings.Join(e.Creates, ", ") }, asIs},
	{"reason", func(e explain.PlacementExplanation) string { return string(e.Reason) }, asIs},
}

func shownIn(partition, path string) string {
	if path == "" {
		return ""
	}
	return pathText(partition, path)
}

// ruleNumber is empty where no rule was it, so that the word none matches.
func ruleNumber(e *explain.PlacementExplanation) string {
	if e == nil || e.Rule == 0 {
		return ""
	}
	return strconv.Itoa(e.Rule)
}

// triedText is `1 filter, 2 root.b no-access, 3 root.c.d`: of each rule its number, the queue that it makes, and why it does not match.
func triedText(e *explain.PlacementExplanation) string {
	if e == nil {
		return ""
	}
	parts := make([]string, len(e.Tried))
	for i, t := range e.Tried {
		words := []string{strconv.Itoa(t.Rule)}
		if t.Rule == 0 {
			words[0] = "fallback"
		}
		if t.Parent {
			words = append(words, "parent")
		}
		words = append(words, t.Yield, string(t.Fault), t.At)
		parts[i] = strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
	}
	return strings.Join(parts, ", ")
}

// wouldBePlaced asks of each line of a table where such an application would go.
func (w *world) wouldBePlaced(table *godog.Table) error {
	rows, err := rowsOf(table, slices.Concat([]string{"user", "groups", "queue", "tags", "partition"}, names(placementColumns))...)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return errors.New("table: expected a line below the names of the columns, found none")
	}
	for i, r := range rows {
		in, err := applicationOf(r)
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		e := w.driver.ExplainPlacement(in)
		wrong, err := differences(placementColumns, r, e)
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return fmt.Errorf("line %d: %s\n%s", i+1, strings.Join(wrong, "; "), e.Text)
		}
	}
	return nil
}

var accessColumns = []column[explain.AccessExplanation]{
	{"submit", func(e explain.AccessExplanation) string { return entryText(e.Open, e.Submit, e.SubmitBy) }, asIs},
	{"admin", func(e explain.AccessExplanation) string { return entryText(e.Open, e.Admin, e.AdminBy) }, asIs},
}

// entryText is `root.a adminacl group ops`; empty: the user may not.
func entryText(open, may bool, by explain.AccessEntry) string {
	switch {
	case open:
		return "open"
	case !may:
		return ""
	case by.Group:
		return by.Queue + " " + by.List + " group " + by.Name
	}
	return by.Queue + " " + by.List + " " + by.Name
}

// mayDo asks of each line of a table what a user may do in a queue.
func (w *world) mayDo(table *godog.Table) error {
	rows, err := itemsOf(table, []string{"queue"}, slices.Concat([]string{"user", "groups"}, names(accessColumns))...)
	if err != nil {
		return err
	}
	for i, r := range rows {
		e, ok := w.driver.Access(r["queue"], r["user"], listOf(r["groups"]))
		if !ok {
			return fmt.Errorf("line %d: there is no queue %q", i+1, r["queue"])
		}
		wrong, err := differences(accessColumns, r, e)
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return fmt.Errorf("line %d: %s\n%s", i+1, strings.Join(wrong, "; "), e.Text)
		}
	}
	return nil
}
