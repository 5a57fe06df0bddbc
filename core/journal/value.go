package journal

import (
	"math"

	"github.com/quern-project/quern/core"
)

// fromOne is the expected value of a count.
const fromOne = "an integer from 1 to 2147483647"

// value reads the value of a key into its field. The key is added to a fault.
func (d *Decoder) value(k key) {
	v := &d.values
	switch k {
	case keyAt:
		d.time()
	case keyType:
		d.kind()
	case keyID:
		v.ask.ID = string(d.name())
	case keyCapacity:
		v.capacity = d.resources()
	case keyOccupied:
		v.occupied = d.resources()
	case keyDevices:
		v.devices = d.devices()
	case keyOccupiedDevices:
		v.occupiedDevices = d.occupiedDevices()
	case keyPlacedDevices:
		v.placedDevices = d.placedDevices()
	case keyAttributes:
		v.attributes = d.textMap()
	case keySchedulable:
		v.unschedulable = !d.scan.boolean()
	case keyQueue:
		v.app.Queue = d.repeated()
	case keyUser:
		v.app.User = d.repeated()
	case keyGroups:
		v.app.Groups = d.textList()
	case keyTags:
		v.app.Tags = d.textMap()
	case keyPartition:
		v.app.Partition = d.repeated()
	case keyBy:
		d.entry.Input.By = d.repeated()
	case keyPlaceholderAsk, keyGangStyle, keyPlaceholderTimeout:
		d.placeholdersValue(k)
	case keyApp:
		v.ask.App = d.pool.app(d.name())
	case keyResources:
		v.ask.Resources = d.resources()
	case keyLeaving:
		v.leaving = d.scan.boolean()
	case keySucceeded:
		v.app.Succeeded = d.counts()
	case keyFailed:
		v.failed = d.scan.boolean()
	case keyGangDisruption:
		v.disruption = d.repeated()
	case keyPlacedOn:
		v.placedOn = d.pool.text(d.name())
	case keyRun:
		d.entry.Run, d.entry.HasRun = d.duration(), true
	case keyCount:
		d.entry.Count, d.entry.Numbered = int(d.integer(fromOne, 1, math.MaxInt32)), true
	case keyConfig:
		v.config.Config = string(d.scan.text("text"))
	case keyFormat:
		v.config.Format = d.format()
	case keyFile:
		v.config.File = string(d.name())
	case keyFrom, keyUntil, keyEvery, keyNodes, keyQueues, keyUsers:
		d.windowValue(k)
	case keyVersion, keyGrace, keyEnd:
		d.headerValue(k)
	case keyName, keySHA256, keyManifest:
		d.policyValue(k)
	case keyPolicy, keyPoint, keyCall, keyDigest, keyKeys, keyFault:
		d.answersValue(k)
	case keyPart, keyParts, keySnapshot:
		d.stateValue(k)
	default:
		d.askValue(k)
	}
	if fault := d.scan.fault; fault != nil {
		fault.Key = k.String() + fault.Key
	}
}

func (d *Decoder) askValue(k key) {
	ask := &d.values.ask.Ask
	switch k {
	case keyPriority:
		ask.Priority = int32(d.integer("an integer of 32 bits", math.MinInt32, math.MaxInt32))
	case keyNode:
		ask.Node = d.repeated()
	case keyConstraints:
		ask.Constraints = d.constraints()
	case keyOriginator:
		ask.Originator = d.scan.boolean()
	case keyPreemptOthers:
		ask.NoPreemptOthers = !d.scan.boolean()
	case keyPreemptable:
		ask.NotPreemptable = !d.scan.boolean()
	case keyPredicate:
		ask.Predicate = d.repeated()
	case keyTaskGroup:
		ask.TaskGroup = d.repeated()
	case keyTopologyRequired:
		ask.Topology.Required = d.pool.text(d.name())
	case keyTopologyPreferred:
		ask.Topology.Preferred = d.pool.text(d.name())
	case keyTopologySlice:
		ask.Topology.Slice = d.slice()
	case keyPlaceholder:
		ask.Placeholder = d.scan.boolean()
	case keyMovable:
		ask.Movable = d.scan.boolean()
	case keyWalltime, keyWalltimeOverrun, keyMinRuntime, keySince:
		d.walltimeValue(k)
	default:
		d.gangValue(k)
	}
}

func (d *Decoder) gangValue(k key) {
	ask := &d.values.ask.Ask
	if ask.Gang == nil {
		ask.Gang = new(core.Gang)
	}
	switch k {
	case keyGang:
		ask.Gang.ID = string(d.name())
	case keyGangMin:
		ask.Gang.Min = int(d.integer(fromOne, 1, math.MaxInt32))
	case keyGangTimeout:
		ask.Gang.Timeout = d.duration()
	case keyGangFallback:
		ask.Gang.Fallback = d.fallback()
	case keyGangRepair:
		ask.Gang.Repair = core.Repair{Bounded: true, Within: d.duration()}
	case keyGangMax:
		ask.Gang.Max = int(d.integer(fromOne, 1, math.MaxInt32))
	case keyGangSet:
		ask.Gang.Set = d.pool.text(d.name())
	case keyGangSetMin:
		ask.Gang.SetMin = int(d.integer(fromOne, 1, math.MaxInt32))
	}
}

// placeholders returns those of the application, which the first of their keys makes.
func (d *Decoder) placeholders() *core.Placeholders {
	app := &d.values.app
	if app.Placeholders == nil {
		app.Placeholders = new(core.Placeholders)
	}
	return app.Placeholders
}

func (d *Decoder) placeholdersValue(k key) {
	p := d.placeholders()
	switch k {
	case keyPlaceholderAsk:
		p.Ask = d.resources()
	case keyGangStyle:
		p.Hard = d.hard()
	case keyPlaceholderTimeout:
		p.Timeout = d.duration()
	}
}

func (d *Decoder) policyValue(k key) {
	switch k {
	case keyName:
		d.values.policy.Name = string(d.name())
	case keySHA256:
		d.values.policy.SHA256 = string(d.scan.text("text"))
	case keyManifest:
		d.values.policy.Manifest = d.manifest()
	}
}

func (d *Decoder) stateValue(k key) {
	switch k {
	case keyPart:
		d.values.state.Part = int(d.integer(fromOne, 1, math.MaxInt32))
	case keyParts:
		d.values.state.Parts = int(d.integer(fromOne, 1, math.MaxInt32))
	case keySnapshot:
		d.values.state.Snapshot = string(d.scan.text("text"))
	}
}

func (d *Decoder) answersValue(k key) {
	switch k {
	case keyPolicy:
		d.values.answers.Policy = string(d.name())
	case keyPoint:
		d.values.answers.Point = d.repeated()
	case keyCall:
		d.values.answers.Call = uint64(d.integer("an integer from 1", 1, math.MaxInt64))
	case keyDigest:
		d.values.answers.Digest = string(d.scan.text("text"))
	case keyKeys:
		d.values.answers.Keys = d.floats()
	case keyFault:
		d.values.answers.Fault = string(d.name())
	}
}
