package features

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/nearest"
)

func (w *world) addNode(id, capacity string) error {
	set, err := resourcesOf(capacity)
	if err != nil {
		return err
	}
	w.apply(core.Input{Event: &core.AddNode{ID: id, Capacity: set}})
	return nil
}

func (w *world) addNodes(table *godog.Table) error {
	rows, err := itemsOf(table, []string{"node", "capacity"}, "occupied", "attributes", "schedulable", "partition", "devices", "occupied devices")
	if err != nil {
		return err
	}
	for _, r := range rows {
		in, err := nodeOf(r)
		if err != nil {
			return fmt.Errorf("node %s: %w", r["node"], err)
		}
		w.apply(core.Input{Event: in})
	}
	return nil
}

func nodeOf(r row) (in *core.AddNode, err error) {
	in = &core.AddNode{ID: r["node"], Partition: r["partition"]}
	if in.Capacity, err = resourcesOf(r["capacity"]); err != nil {
		return in, err
	}
	if in.Occupied, err = resourcesOf(r["occupied"]); err != nil {
		return in, err
	}
	if in.Attributes, err = pairsOf(r["attributes"]); err != nil {
		return in, err
	}
	devices, err := nodeDevices(r["devices"], r["occupied devices"])
	if err != nil {
		return in, err
	}
	in.Devices, in.OccupiedDevices = devices.Devices, devices.OccupiedDevices
	if r["schedulable"] != "" {
		schedulable, err := boolOf(r["schedulable"])
		in.Unschedulable = !schedulable
		return in, err
	}
	return in, nil
}

func (w *world) updateNode(id, field, text string) error {
	in := &core.UpdateNode{}
	var err error
	switch field {
	case "capacity":
		in.Capacity, err = resourcesOf(text)
	case "occupied":
		in.Occupied, err = resourcesOf(text)
	case "attributes":
		in.Attributes, err = pairsOf(text)
	case "devices":
		*in, err = nodeDevices(text, "")
	case "occupied_devices":
		*in, err = nodeDevices("", text)
	}
	if err != nil {
		return err
	}
	in.ID = id
	w.apply(core.Input{Event: in})
	return nil
}

func (w *world) changeNode(id, change string) error {
	changes := map[string]core.Event{"drained": &core.DrainNode{ID: id}, "resumed": &core.ResumeNode{ID: id}, "removed": &core.RemoveNode{ID: id}}
	w.apply(core.Input{Event: changes[change]})
	return nil
}

func (w *world) addApplication(id, queue string) error {
	w.apply(core.Input{Event: &core.AddApp{ID: id, Queue: queue}})
	return nil
}

func (w *world) addApplications(table *godog.Table) error {
	rows, err := itemsOf(table, []string{"application"}, slices.Concat([]string{"queue", "user", "groups", "tags", "partition", "succeeded"}, placeholderColumns)...)
	if err != nil {
		return err
	}
	for _, r := range rows {
		in, err := applicationOf(r)
		if err != nil {
			return fmt.Errorf("application %s: %w", r["application"], err)
		}
		w.apply(core.Input{Event: in})
	}
	return nil
}

// applicationOf reads a row of a table with columns of applications. Where a column for queues stands there, its empty cells
// are slips: an empty queue on purpose is written "".
func applicationOf(r row) (in *core.AddApp, err error) {
	if queue, named := r["queue"]; named && queue == "" {
		return in, errors.New(`table: expected something in column "queue", found nothing; an empty queue is written ""`)
	}
	in = &core.AddApp{ID: r["application"], Partition: r["partition"], Queue: strings.Trim(r["queue"], `"`),
		User: r["user"], Groups: listOf(r["groups"])}
	if in.Tags, err = pairsOf(r["tags"]); err != nil {
		return in, err
	}
	if in.Succeeded, err = succeededOf(r["succeeded"]); err != nil {
		return in, err
	}
	in.Placeholders, err = placeholdersOf(r)
	return in, err
}

func (w *world) moveApplication(id, queue string) error {
	w.apply(core.Input{Event: &core.MoveApp{ID: id, Queue: queue}})
	return nil
}

func (w *world) byID(e core.Event) error {
	w.apply(core.Input{Event: e})
	return nil
}

func (w *world) release(names, _ string) error {
	for _, id := range namesOf(names) {
		w.apply(core.Input{Event: &core.ReleaseAllocation{ID: id}})
	}
	return nil
}

// fail ends allocations that have not done their work.
func (w *world) fail(names string) error {
	for _, id := range namesOf(names) {
		w.apply(core.Input{Event: &core.ReleaseAllocation{ID: id, Failed: true}})
	}
	return nil
}

func (w *world) pause(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	return w.pass(d)
}

func (w *world) runCycle(limit string) error {
	if limit == "" {
		w.cycle(-1)
		return nil
	}
	n, err := strconv.Atoi(limit)
	if err != nil {
		return err
	}
	w.cycle(n)
	return nil
}

func (w *world) stepByHand() error {
	w.byHand = true
	return nil
}

func (w *world) announcePolicy(name string, manifest *godog.DocString) error {
	module := core.PolicyModule{Name: name, Manifest: manifest.Content}
	w.apply(core.Input{Event: &core.SetPolicy{PolicyModule: module}})
	return nil
}

func (w *world) removePolicy(name string) error {
	w.apply(core.Input{Event: &core.RemovePolicy{Name: name}})
	return nil
}

// configFile sends a file that lies beside the feature file, or where an absolute name says.
func (w *world) configFile(name string) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.folder, path)
	}
	text, err := w.files(path)
	if err != nil {
		var needs absent
		if errors.As(err, &needs) {
			return err
		}
		return fmt.Errorf("%s: %w%s", path, cause(err), nearest.Hint(nearby(path)))
	}
	if filepath.Ext(path) == ".toml" {
		return w.set(string(text), "toml", name)
	}
	return w.set(string(text), "yaml", name)
}

func (w *world) configText(text *godog.DocString) error {
	format := text.MediaType
	switch format {
	case "":
		format = "yaml"
	case "yaml", "toml":
	default:
		return fmt.Errorf("configuration: expected text marked yaml or toml, found %s", format)
	}
	return w.set(text.Content, format, "queues."+format)
}
