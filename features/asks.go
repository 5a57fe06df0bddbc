package features

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core"
)

// ask sends one ask for each name, all alike.
func (w *world) ask(app, names, resources, priority string) error {
	for _, id := range namesOf(names) {
		r := row{"ask": id, "application": app, "resources": resources, "priority": priority}
		if err := w.askRow(r); err != nil {
			return err
		}
	}
	return nil
}

// askAlone sends, for each name, an application and its only ask, both of that name.
func (w *world) askAlone(names, queue, user, resources, priority string) error {
	for _, id := range namesOf(names) {
		r := row{"ask": id, "queue": queue, "user": user, "resources": resources, "priority": priority}
		if err := w.askRow(r); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) asks(table *godog.Table) error {
	others := []string{"application", "queue", "user", "groups", "partition", "priority", "node", "constraints", "predicate", "task group",
		"placeholder", "originator", "preempts others", "preemptable", "movable", "count"}
	rows, err := itemsOf(table, []string{"ask", "resources"}, slices.Concat(others, atomicColumns, walltimeColumns, deviceColumns)...)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := w.askRow(r); err != nil {
			return fmt.Errorf("ask %s: %w", r["ask"], err)
		}
	}
	return nil
}

// askRow sends what a row says: its application first, where the row names a queue and no earlier row brought it.
func (w *world) askRow(r row) error {
	in, err := askOf(r)
	if err != nil {
		return err
	}
	return w.send(r, in, "", nil)
}

// send applies the ask of a row, once or as often as its count says: as an allocation on a node, made at some time, unless the node is empty.
func (w *world) send(r row, in core.AddAsk, node string, since *time.Duration) error {
	in.App = cmp.Or(r["application"], in.ID)
	if queue := r["queue"]; queue != "" && !w.brought[in.App] {
		w.brought[in.App] = true
		w.apply(core.Input{Event: &core.AddApp{ID: in.App, Partition: r["partition"], Queue: strings.Trim(queue, `"`), User: r["user"], Groups: listOf(r["groups"])}})
	}
	placed, err := placedDevices(r["placed devices"])
	if err != nil {
		return err
	}
	if r["count"] == "" {
		w.applyAsk(in, node, since, placed)
		return nil
	}
	count, err := strconv.Atoi(r["count"])
	if err != nil || count < 1 {
		return fmt.Errorf("count: expected a number from 1, found %q", r["count"])
	}
	for i := range count {
		one := in
		one.ID += "-" + strconv.Itoa(i+1)
		w.applyAsk(one, node, since, placed)
	}
	return nil
}

func (w *world) applyAsk(in core.AddAsk, node string, since *time.Duration, placed []core.PlacedDevices) {
	if node == "" {
		w.apply(core.Input{Event: &in})
		return
	}
	w.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: in, PlacedOn: node, Since: since, PlacedDevices: placed}})
}

func askOf(r row) (in core.AddAsk, err error) {
	in = core.AddAsk{ID: r["ask"]}
	if in.Resources, err = resourcesOf(r["resources"]); err != nil {
		return in, err
	}
	in.Ask = core.Ask{Node: r["node"], Predicate: r["predicate"], TaskGroup: r["task group"],
		Topology: core.Topology{Required: r["topology required"], Preferred: r["topology preferred"]}}
	if in.Ask.Constraints, err = constraintsOf(r["constraints"]); err != nil {
		return in, err
	}
	if in.Ask.Devices, err = askDevices(r["devices"]); err != nil {
		return in, err
	}
	if in.Ask.Gang, err = gangOf(r); err != nil {
		return in, err
	}
	if in.Ask.Topology.Slice, err = sliceOf(r["topology slice"]); err != nil {
		return in, fmt.Errorf("topology slice: %w", err)
	}
	if err = walltimeCells(r, &in.Ask); err != nil {
		return in, err
	}
	if r["priority"] != "" {
		if in.Ask.Priority, err = priorityOf(r["priority"]); err != nil {
			return in, err
		}
	}
	return in, flagsOf(r, &in.Ask)
}

// flagsOf reads the cells that say yes or no; an empty one leaves what goes without saying.
func flagsOf(r row, ask *core.Ask) error {
	for _, f := range []struct {
		column string
		flag   *bool
		says   bool // what yes means for the flag
	}{
		{"placeholder", &ask.Placeholder, true},
		{"originator", &ask.Originator, true},
		{"preempts others", &ask.NoPreemptOthers, false},
		{"preemptable", &ask.NotPreemptable, false},
		{"movable", &ask.Movable, true},
	} {
		if r[f.column] == "" {
			continue
		}
		yes, err := boolOf(r[f.column])
		if err != nil {
			return fmt.Errorf("%s: %w", f.column, err)
		}
		*f.flag = yes == f.says
	}
	return nil
}

// protect says of an ask or an allocation whether it asks not to be preempted.
func (w *world) protect(id string, yes bool) error {
	w.apply(core.Input{Event: &core.UpdateAsk{ID: id, Preemptable: new(!yes)}})
	return nil
}

// ending says that allocations leave by themselves.
func (w *world) ending(names, _ string) error {
	for _, id := range namesOf(names) {
		w.apply(core.Input{Event: &core.UpdateAsk{ID: id, Leaving: true}})
	}
	return nil
}

// updateAsk changes what is said of a pending ask; an empty text leaves that part as it is.
func (w *world) updateAsk(id, resources, priority string) error {
	if resources == "" && priority == "" {
		return errors.New("an update changes something")
	}
	in := &core.UpdateAsk{ID: id}
	var err error
	if resources != "" {
		if in.Resources, err = resourcesOf(resources); err != nil {
			return err
		}
	}
	if priority != "" {
		in.Priority = new(int32)
		if *in.Priority, err = priorityOf(priority); err != nil {
			return err
		}
	}
	w.apply(core.Input{Event: in})
	return nil
}
