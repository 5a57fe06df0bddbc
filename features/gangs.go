package features

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// Columns of gangs: of the table of applications, and of those of asks and of allocations.
var (
	placeholderColumns = []string{"placeholders", "gang style", "placeholder timeout", "gang disruption"}
	atomicColumns      = []string{"gang", "gang min", "gang timeout", "gang fallback", "gang disruption", "gang repair", "gang max", "gang set", "topology required", "topology preferred", "topology slice"}
)

// addGang submits an application that makes a gang by placeholders.
func (w *world) addGang(id, queue, placeholders, timeout string) error {
	gang, err := placeholdersOf(row{"placeholders": placeholders, "placeholder timeout": timeout})
	if err != nil {
		return err
	}
	w.apply(core.Input{Event: &core.AddApp{ID: id, Queue: queue, Placeholders: gang}})
	return nil
}

// placeholdersOf reads the placeholders of an application from its row; nil: it is no gang.
func placeholdersOf(r row) (*core.Placeholders, error) {
	var gang core.Placeholders
	var err error
	if gang.Ask, err = resourcesOf(r["placeholders"]); err != nil {
		return nil, err
	}
	switch style := r["gang style"]; style {
	case "", "Soft":
	case "Hard":
		gang.Hard = true
	default:
		return nil, fmt.Errorf("gang style: expected Soft or Hard, found %q", style)
	}
	if gang.Timeout, err = timeoutOf(r["placeholder timeout"]); err != nil {
		return nil, fmt.Errorf("placeholder timeout: %w", err)
	}
	switch of := r["gang disruption"]; of {
	case "", "member":
	case "unit":
		gang.Unit = true
	default:
		return nil, fmt.Errorf("gang disruption: expected unit or member, found %q", of)
	}
	if r["placeholders"] == "" {
		if gang.Hard || gang.Timeout != 0 || gang.Unit {
			return nil, errors.New("placeholders: expected their sum, which a style, a timeout or a disruption needs, found nothing")
		}
		return nil, nil
	}
	return &gang, nil
}

// sliceOf reads the slices of a gang, as in "4 rack".
func sliceOf(text string) (core.Slice, error) {
	if text == "" {
		return core.Slice{}, nil
	}
	number, level, _ := strings.Cut(text, " ")
	size, err := strconv.Atoi(number)
	if err != nil || size < 1 || level == "" {
		return core.Slice{}, fmt.Errorf("expected a size from 1 and a level, found %q", text)
	}
	return core.Slice{Level: level, Size: size}, nil
}

func timeoutOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	return time.ParseDuration(text)
}

// gangOf reads the atomic gang of an ask from its row; nil: none.
func gangOf(r row) (*core.Gang, error) {
	if r["gang"] == "" {
		for _, setting := range []string{"gang min", "gang timeout", "gang fallback", "gang disruption", "gang repair", "gang max", "gang set", "topology slice"} {
			if r[setting] != "" {
				return nil, fmt.Errorf("gang: expected a name, which %s needs, found nothing", setting)
			}
		}
		return nil, nil
	}
	least, err := strconv.Atoi(r["gang min"])
	if err != nil || least < 1 {
		return nil, fmt.Errorf("gang min: expected a number from 1, found %q", r["gang min"])
	}
	timeout, err := timeoutOf(r["gang timeout"])
	if err != nil {
		return nil, fmt.Errorf("gang timeout: %w", err)
	}
	gang := &core.Gang{ID: r["gang"], Min: least, Timeout: timeout}
	switch fallback := r["gang fallback"]; fallback {
	case "":
	case "members":
		gang.Fallback = true
	default:
		return nil, fmt.Errorf("gang fallback: expected members, found %q", fallback)
	}
	switch of := core.Disruption(r["gang disruption"]); of {
	case "", "unit":
	case core.DisruptWhole, core.DisruptMember:
		gang.Disruption = of
	default:
		return nil, fmt.Errorf("gang disruption: expected unit, whole or member, found %q", of)
	}
	if within := r["gang repair"]; within != "" {
		d, err := time.ParseDuration(within)
		if err != nil || d < 0 {
			return nil, fmt.Errorf("gang repair: expected a duration from 0s, found %q", within)
		}
		gang.Repair = core.Repair{Bounded: true, Within: d}
	}
	if most := r["gang max"]; most != "" {
		if gang.Max, err = strconv.Atoi(most); err != nil || gang.Max < least {
			return nil, fmt.Errorf("gang max: expected a number from gang min, found %q", most)
		}
	}
	if set := r["gang set"]; set != "" {
		name, number, _ := strings.Cut(set, " ")
		if gang.SetMin, err = strconv.Atoi(number); err != nil || gang.SetMin < 1 || name == "" {
			return nil, fmt.Errorf("gang set: expected a name and a number from 1, found %q", set)
		}
		gang.Set = name
	}
	return gang, nil
}

// succeededOf reads how many members of gangs had succeeded before, as in "workers 2, drivers 1".
func succeededOf(text string) (map[string]int, error) {
	if text == "" {
		return nil, nil
	}
	counts := map[string]int{}
	for _, part := range listOf(text) {
		id, number, _ := strings.Cut(part, " ")
		count, err := strconv.Atoi(number)
		if err != nil || count < 1 {
			return nil, fmt.Errorf("succeeded: expected a gang and a number from 1, found %q", part)
		}
		counts[id] = count
	}
	return counts, nil
}

// askPlaceholders sends one placeholder for each name, all alike.
func (w *world) askPlaceholders(app, names, group, resources, priority string) error {
	return w.askEach(names, row{"application": app, "task group": group, "placeholder": "yes", "resources": resources, "priority": priority})
}

// askTasks sends one real ask of a task group for each name.
func (w *world) askTasks(app, names, group, resources, priority string) error {
	return w.askEach(names, row{"application": app, "task group": group, "resources": resources, "priority": priority})
}

// askMembers sends one member of an atomic gang for each name.
func (w *world) askMembers(app, names, gang, least, resources, priority string) error {
	return w.askEach(names, row{"application": app, "gang": gang, "gang min": least, "resources": resources, "priority": priority})
}

func (w *world) askEach(names string, r row) error {
	for _, id := range namesOf(names) {
		r["ask"] = id
		if err := w.askRow(r); err != nil {
			return err
		}
	}
	return nil
}

// replaced expects that a placeholder was told to leave for an ask since the last When began.
func (w *world) replaced(placeholder, ask, node string) error {
	for _, d := range w.recentOf(core.Replaced) {
		if d.ID != placeholder {
			continue
		}
		if d.For != ask {
			return fmt.Errorf("placeholder %q: expected to be replaced by %s, found %s", placeholder, ask, d.For)
		}
		if node != "" && d.Node != node {
			return fmt.Errorf("ask %q in the place of %s: expected node %s, found %s", ask, placeholder, node, d.Node)
		}
		return nil
	}
	return fmt.Errorf("placeholder %q is not replaced", placeholder)
}
