package journal

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// values holds the values of a line's keys, which are read before its type is known.
type values struct {
	seen keySet
	ask  core.AddAsk // its ID is the ID of all types
	app  core.AddApp

	capacity, occupied resource.Set
	attributes         map[string]string
	unschedulable      bool

	devices         []deviceValue  // of a node or of an ask
	nodeDevices     []core.Devices // made of devices
	occupiedDevices []core.OccupiedDevice
	placedDevices   []core.PlacedDevices

	disruption string // as written: its words depend on the type of the line

	placedOn string
	since    since
	failed   bool
	leaving  bool
	window   window
	count    int
	config   core.SetConfig
	policy   core.PolicyModule
	answers  core.Answers
	state    core.StatePart
}

// event makes the event of a complete line. If events are reused, asks and releases, which are most of a journal, overwrite the
// previous one.
func (d *Decoder) event() core.Event {
	v := &d.values
	switch {
	case !d.reuse:
	case d.shape.typ == core.AskAdd:
		return &v.ask
	case d.shape.typ == core.AllocationRelease:
		d.release = core.ReleaseAllocation{ID: v.ask.ID, Failed: v.failed}
		return &d.release
	}
	return d.shape.event(v)
}

func (v *values) addNode() core.Event {
	return &core.AddNode{ID: v.ask.ID, Partition: v.app.Partition, Capacity: v.capacity, Occupied: v.occupied,
		Attributes: v.attributes, Unschedulable: v.unschedulable, Devices: v.nodeDevices, OccupiedDevices: v.occupiedDevices}
}

func (v *values) updateNode() core.Event {
	return &core.UpdateNode{ID: v.ask.ID, Capacity: v.capacity, Occupied: v.occupied, Attributes: v.attributes, Devices: v.nodeDevices, OccupiedDevices: v.occupiedDevices}
}

func (v *values) drainNode() core.Event  { return &core.DrainNode{ID: v.ask.ID} }
func (v *values) resumeNode() core.Event { return &core.ResumeNode{ID: v.ask.ID} }
func (v *values) removeNode() core.Event { return &core.RemoveNode{ID: v.ask.ID} }

func (v *values) addApp() core.Event {
	app := v.app
	app.ID = v.ask.ID
	if p := app.Placeholders; p != nil && p.Ask == nil && !p.Hard && p.Timeout == 0 && !p.Unit {
		app.Placeholders = nil // it has only default values
	}
	return &app
}

func (v *values) removeApp() core.Event { return &core.RemoveApp{ID: v.ask.ID} }
func (v *values) moveApp() core.Event   { return &core.MoveApp{ID: v.ask.ID, Queue: v.app.Queue} }

func (v *values) addAsk() core.Event {
	ask := v.ask
	return &ask
}

func (v *values) updateAsk() core.Event {
	update := &core.UpdateAsk{ID: v.ask.ID, Resources: v.ask.Resources, Predicate: v.ask.Ask.Predicate, Walltime: v.ask.Ask.Walltime, Leaving: v.leaving, Devices: v.ask.Ask.Devices}
	if v.seen.has(keyPriority) {
		update.Priority = new(v.ask.Ask.Priority)
	}
	if v.seen.has(keyPreemptable) {
		update.Preemptable = new(!v.ask.Ask.NotPreemptable)
	}
	return update
}

func (v *values) removeAsk() core.Event { return &core.RemoveAsk{ID: v.ask.ID} }
func (v *values) releaseAllocation() core.Event {
	return &core.ReleaseAllocation{ID: v.ask.ID, Failed: v.failed}
}
func (v *values) restoreAllocation() core.Event {
	restore := &core.RestoreAllocation{AddAsk: v.ask, PlacedOn: v.placedOn, PlacedDevices: v.placedDevices}
	if v.seen.has(keySince) {
		restore.Since = new(v.since.at)
	}
	return restore
}

func (v *values) setConfig() core.Event {
	config := v.config
	return &config
}

func (v *values) setPolicy() core.Event     { return &core.SetPolicy{PolicyModule: v.policy} }
func (v *values) removePolicy() core.Event  { return &core.RemovePolicy{Name: v.policy.Name} }
func (v *values) recordAnswers() core.Event { return &core.RecordAnswers{Answers: v.answers} }
func (v *values) setState() core.Event      { return &core.SetState{StatePart: v.state} }
func (v *values) tick() core.Event          { return &core.Tick{} }
