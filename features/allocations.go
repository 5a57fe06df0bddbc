package features

import (
	"fmt"
	"slices"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core"
)

// restoreAllocations tells the scheduler of allocations that exist already.
func (w *world) restoreAllocations(app, names, resources, node, priority string) error {
	for _, id := range namesOf(names) {
		in, err := askOf(row{"ask": id, "resources": resources, "priority": priority})
		if err != nil {
			return err
		}
		in.App = app
		w.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: in, PlacedOn: node}})
	}
	return nil
}

// allocations tells of them by a table.
func (w *world) allocations(table *godog.Table) error {
	others := []string{"application", "queue", "user", "groups", "partition", "priority", "required node", "task group", "placeholder",
		"originator", "preemptable", "movable", "since", "count"}
	rows, err := itemsOf(table, []string{"allocation", "resources", "on"}, slices.Concat(others, atomicColumns, walltimeColumns, deviceColumns, []string{"placed devices"})...)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := w.allocationRow(r); err != nil {
			return fmt.Errorf("allocation %s: %w", r["allocation"], err)
		}
	}
	return nil
}

// allocationRow reads the row as that of the ask which was placed there.
func (w *world) allocationRow(r row) error {
	r["ask"] = r["allocation"]
	if r["required node"] != "" {
		required, err := boolOf(r["required node"])
		if err != nil {
			return fmt.Errorf("required node: %w", err)
		}
		if required {
			r["node"] = r["on"]
		}
	}
	in, err := askOf(r)
	if err != nil {
		return err
	}
	since, err := sinceOf(r["since"])
	if err != nil {
		return fmt.Errorf("since: %w", err)
	}
	return w.send(r, in, r["on"], since)
}
