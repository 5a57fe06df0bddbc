package features

import (
	"errors"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
)

// walltimeColumns are those of walltimes, of the tables of asks and of allocations.
var walltimeColumns = []string{"walltime", "overrun", "min runtime"}

// walltimeCells reads the walltime of an ask from its row.
func walltimeCells(r row, ask *core.Ask) (err error) {
	if ask.Walltime, err = walltimeOf(r["walltime"]); err != nil {
		return fmt.Errorf("walltime: %w", err)
	}
	if ask.MinRuntime, err = walltimeOf(r["min runtime"]); err != nil {
		return fmt.Errorf("min runtime: %w", err)
	}
	ask.Overrun = core.Overrun(r["overrun"])
	switch ask.Overrun {
	case core.OverrunInQueue, core.OverrunEnd, core.OverrunAllow:
		return nil
	}
	return fmt.Errorf("overrun: expected end or allow, found %q", r["overrun"])
}

func walltimeOf(text string) (time.Duration, error) {
	d, err := timeoutOf(text)
	if err == nil && (d < 0 || d == 0 && text != "") {
		err = errors.New("expected a duration above zero")
	}
	return d, err
}

// sinceOf reads when an allocation was made; nil: now.
func sinceOf(text string) (*time.Duration, error) {
	if text == "" {
		return nil, nil
	}
	at, err := time.ParseDuration(text)
	return &at, err
}

// setWalltime changes how long asks may run, pending or allocated.
func (w *world) setWalltime(names, _, walltime string) error {
	d, err := walltimeOf(walltime)
	if err != nil {
		return err
	}
	for _, id := range namesOf(names) {
		w.apply(core.Input{Event: &core.UpdateAsk{ID: id, Walltime: d}})
	}
	return nil
}

// durationText is empty for 0, so that the word none matches.
func durationText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func endText(at *time.Duration) string {
	if at == nil {
		return ""
	}
	return at.String()
}

// asDurationOrNone reads a duration, or that there is none.
func asDurationOrNone(cell string) (string, error) {
	if cell == none {
		return "", nil
	}
	return asDuration(cell)
}
