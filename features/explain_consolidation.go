package features

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core/explain"
)

// fitsAfter holds the moves that would make room for an ask against a table, line by line.
func (w *world) fitsAfter(id string, table *godog.Table) error {
	e, ok := w.driver.Consolidate(id)
	if !ok {
		return errors.New("there is no such ask")
	}
	rows, err := itemsOf(table, []string{"allocation"}, "from", "to")
	if err != nil {
		return err
	}
	var want, found []string
	for _, r := range rows {
		want = append(want, fmt.Sprintf("%s from %s to %s", r["allocation"], r["from"], r["to"]))
	}
	for _, m := range e.Moves {
		found = append(found, fmt.Sprintf("%s from %s to %s", m.ID, m.From, m.To))
	}
	if expected := strings.Join(want, ", "); e.Verdict != explain.VerdictMoves || expected != strings.Join(found, ", ") {
		return fmt.Errorf("expected %s\n%s", expected, e.Text)
	}
	return nil
}

func (w *world) fitsAfterNoMoves(id string) error {
	e, ok := w.driver.Consolidate(id)
	if !ok {
		return errors.New("there is no such ask")
	}
	if e.Verdict == explain.VerdictMoves || e.Verdict == explain.VerdictFits {
		return errors.New(e.Text)
	}
	return nil
}
