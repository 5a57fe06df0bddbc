package journal

import (
	"math"

	"github.com/quern-project/quern/core"
)

// fromOne is what an integer that counts something is expected to be.
const fromOne = "an integer from 1 to 2147483647"

// value reads the value of a key into its place; a fault without a key gets this one.
func (d *Decoder) value(k key) {
	in := &d.entry.Input
	switch k {
	case keyAt:
		d.time()
	case keyType:
		d.kind()
	case keyID:
		in.ID = string(d.name())
	case keyCapacity:
		in.Capacity = d.resources()
	case keyOccupied:
		in.Occupied = d.resources()
	case keyAttributes:
		in.Attributes = d.textMap()
	case keySchedulable:
		in.Unschedulable = !d.scan.boolean()
	case keyQueue:
		in.Queue = d.repeated()
	case keyUser:
		in.User = d.repeated()
	case keyGroups:
		in.Groups = d.textList()
	case keyTags:
		in.Tags = d.textMap()
	case keyPartition:
		in.Partition = d.repeated()
	case keyBy:
		in.By = d.repeated()
	case keyPlaceholderAsk, keyGangStyle, keyPlaceholderTimeout:
		d.placeholdersValue(k)
	case keyApp:
		in.App = d.pool.app(d.name())
	case keyResources:
		in.Resources = d.resources()
	case keyLeaving:
		in.Leaving = d.scan.boolean()
	case keySucceeded:
		in.Succeeded = d.counts()
	case keyFailed:
		in.Failed = d.scan.boolean()
	case keyPlacedOn:
		in.PlacedOn = d.pool.text(d.name())
	case keyRun:
		d.entry.Run, d.entry.HasRun = d.duration(), true
	case keyCount:
		d.entry.Count, d.entry.Numbered = int(d.integer(fromOne, 1, math.MaxInt32)), true
	case keyConfig:
		in.Config = string(d.scan.text("text"))
	case keyFormat:
		in.Format = d.format()
	case keyFile:
		in.File = string(d.name())
	case keyVersion, keyGrace, keyUntil, keyEnd:
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
	ask := &d.entry.Input.Ask
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
	case keyPlaceholder:
		ask.Placeholder = d.scan.boolean()
	default:
		d.gangValue(k)
	}
}

func (d *Decoder) gangValue(k key) {
	ask := &d.entry.Input.Ask
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
	}
}

func (d *Decoder) placeholdersValue(k key) {
	in := &d.entry.Input
	if in.Placeholders == nil {
		in.Placeholders = new(core.Placeholders)
	}
	switch k {
	case keyPlaceholderAsk:
		in.Placeholders.Ask = d.resources()
	case keyGangStyle:
		in.Placeholders.Hard = d.hard()
	case keyPlaceholderTimeout:
		in.Placeholders.Timeout = d.duration()
	}
}

func (d *Decoder) policyValue(k key) {
	in := &d.entry.Input
	if in.Policy == nil {
		in.Policy = new(core.PolicyModule)
	}
	switch k {
	case keyName:
		in.Policy.Name = string(d.name())
	case keySHA256:
		in.Policy.SHA256 = string(d.scan.text("text"))
	case keyManifest:
		in.Policy.Manifest = d.manifest()
	}
}

func (d *Decoder) stateValue(k key) {
	in := &d.entry.Input
	if in.State == nil {
		in.State = new(core.StatePart)
	}
	switch k {
	case keyPart:
		in.State.Part = int(d.integer(fromOne, 1, math.MaxInt32))
	case keyParts:
		in.State.Parts = int(d.integer(fromOne, 1, math.MaxInt32))
	case keySnapshot:
		in.State.Snapshot = string(d.scan.text("text"))
	}
}

func (d *Decoder) answersValue(k key) {
	in := &d.entry.Input
	if in.Answers == nil {
		in.Answers = new(core.Answers)
	}
	switch k {
	case keyPolicy:
		in.Answers.Policy = string(d.name())
	case keyPoint:
		in.Answers.Point = d.repeated()
	case keyCall:
		in.Answers.Call = uint64(d.integer("an integer from 1", 1, math.MaxInt64))
	case keyDigest:
		in.Answers.Digest = string(d.scan.text("text"))
	case keyKeys:
		in.Answers.Keys = d.floats()
	case keyFault:
		in.Answers.Fault = string(d.name())
	}
}
