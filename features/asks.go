package features

import (
	"errors"
	"fmt"
	"strconv"

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
func (w *world) askAlone(names, queue, resources, priority string) error {
	for _, id := range namesOf(names) {
		r := row{"ask": id, "queue": queue, "resources": resources, "priority": priority}
		if err := w.askRow(r); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) asks(table *godog.Table) error {
	rows, err := itemsOf(table, "ask", "application", "queue", "resources", "priority", "node", "constraints",
		"predicate", "task group", "placeholder", "count")
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
	app := r["application"]
	if app == "" {
		app = r["ask"]
	}
	in, err := askOf(r)
	if err != nil {
		return err
	}
	in.App = app
	if queue := r["queue"]; queue != "" && !w.brought[app] {
		w.brought[app] = true
		w.apply(core.Input{Type: core.AppAdd, ID: app, Queue: queue})
	}
	if r["count"] == "" {
		w.apply(in)
		return nil
	}
	count, err := strconv.Atoi(r["count"])
	if err != nil || count < 1 {
		return fmt.Errorf("count: expected a number from 1, found %q", r["count"])
	}
	for i := range count {
		one := in
		one.ID = in.ID + "-" + strconv.Itoa(i+1)
		w.apply(one)
	}
	return nil
}

func askOf(r row) (in core.Input, err error) {
	in = core.Input{Type: core.AskAdd, ID: r["ask"]}
	if in.Resources, err = resourcesOf(r["resources"]); err != nil {
		return in, err
	}
	in.Ask = core.Ask{Node: r["node"], Predicate: r["predicate"], TaskGroup: r["task group"]}
	if in.Ask.Constraints, err = constraintsOf(r["constraints"]); err != nil {
		return in, err
	}
	if r["priority"] != "" {
		if in.Ask.Priority, err = priorityOf(r["priority"]); err != nil {
			return in, err
		}
	}
	if r["placeholder"] != "" {
		in.Ask.Placeholder, err = boolOf(r["placeholder"])
	}
	return in, err
}

// restoreAllocations tells the scheduler of allocations that exist already.
func (w *world) restoreAllocations(app, names, resources, node, priority string) error {
	for _, id := range namesOf(names) {
		in, err := askOf(row{"ask": id, "resources": resources, "priority": priority})
		if err != nil {
			return err
		}
		in.Type, in.App, in.PlacedOn = core.AllocationRestore, app, node
		w.apply(in)
	}
	return nil
}

// updateAsk changes what is said of a pending ask; an empty text leaves that part as it is.
func (w *world) updateAsk(id, resources, priority string) error {
	if resources == "" && priority == "" {
		return errors.New("an update changes something")
	}
	in := core.Input{Type: core.AskUpdate, ID: id}
	var err error
	if resources != "" {
		if in.Resources, err = resourcesOf(resources); err != nil {
			return err
		}
	}
	if priority != "" {
		in.HasPriority = true
		if in.Ask.Priority, err = priorityOf(priority); err != nil {
			return err
		}
	}
	w.apply(in)
	return nil
}
