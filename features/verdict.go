package features

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// verdict is the result of the last configuration sent.
func (w *world) verdict() (core.Decision, error) {
	for i := len(w.log) - 1; i >= 0; i-- {
		if t := w.log[i].Type; t == core.ConfigAccepted || t == core.ConfigRejected {
			return w.log[i], nil
		}
	}
	return core.Decision{}, errors.New("no configuration was sent")
}

// configAccepted wants the last configuration accepted without a warning.
func (w *world) configAccepted() error {
	d, err := w.verdict()
	switch {
	case err != nil:
		return err
	case d.Type == core.ConfigRejected:
		return fmt.Errorf("it was refused:\n%s", strings.Join(d.Errors, "\n"))
	case len(d.Warnings) > 0:
		return fmt.Errorf("it was accepted with warnings:\n%s", strings.Join(config.Grouped(d.Warnings), "\n"))
	}
	return nil
}

// configWarned wants exactly the warnings of a table, by the queue and the key that they name.
func (w *world) configWarned(table *godog.Table) error {
	rows, err := rowsOf(table, "queue", "key")
	if err != nil {
		return err
	}
	d, err := w.verdict()
	if err != nil {
		return err
	}
	if d.Type != core.ConfigAccepted || len(d.Warnings) != len(rows) {
		return fmt.Errorf("expected %d warnings, found %d\n%s", len(rows), len(d.Warnings), strings.Join(d.Warnings, "\n"))
	}
	for i, r := range rows {
		if !strings.Contains(d.Warnings[i], r["queue"]) || !strings.Contains(d.Warnings[i], r["key"]) {
			return fmt.Errorf("line %d: expected a warning on %s of %s, found %q", i+1, r["key"], r["queue"], d.Warnings[i])
		}
	}
	return nil
}

// configError takes the line apart that every error of a configuration is: `file:line:column: queue: key: expected …`.
// What only the scheduler knows, such as that a queue is in use, has no place in the text and no key.
var configError = regexp.MustCompile(`(?s)^(?:.*?:(\d+):\d+: )?(\S+): (?:([^ ]+): )?(.*)$`)

// configRefused wants exactly the errors of a table.
func (w *world) configRefused(table *godog.Table) error {
	rows, err := rowsOf(table, "line", "queue", "key", "expected", "found")
	if err != nil {
		return err
	}
	d, err := w.verdict()
	if err != nil {
		return err
	}
	text := strings.Join(d.Errors, "\n")
	found := strings.Split(text, "\n")
	if d.Type != core.ConfigRejected || len(found) != len(rows) {
		return fmt.Errorf("expected %d errors, found %d\n%s", len(rows), len(found), text)
	}
	for i, r := range rows {
		if err := errorNames(found[i], r); err != nil {
			return fmt.Errorf("line %d of the table: %w", i+1, err)
		}
	}
	return nil
}

func errorNames(text string, r row) error {
	m := configError.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("expected file:line:column: queue: key: …, found %q", text)
	}
	found := row{"line": m[1], "queue": m[2], "key": m[3]}
	for _, name := range []string{"line", "queue", "key"} {
		if r[name] != "" && r[name] != found[name] {
			return fmt.Errorf("%s: expected %s, found %s in %q", name, r[name], found[name], text)
		}
	}
	for _, name := range []string{"expected", "found"} {
		if r[name] != "" && !strings.Contains(m[4], r[name]) {
			return fmt.Errorf("%s: expected to be told %q, found %q", name, r[name], text)
		}
	}
	return nil
}
