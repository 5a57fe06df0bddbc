package journal

import (
	"math"
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// The formats of a configuration.
const (
	formatYAML = "yaml"
	formatTOML = "toml"
)

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
	case keyApp:
		in.App = d.pool.app(d.name())
	case keyResources:
		in.Resources = d.resources()
	case keyPlacedOn:
		in.PlacedOn = d.pool.text(d.name())
	case keyRun:
		d.entry.Run, d.entry.HasRun = d.duration(), true
	case keyCount:
		d.entry.Count, d.entry.Numbered = int(d.integer("an integer from 1 to 2147483647", 1, math.MaxInt32)), true
	case keyConfig:
		in.Config = string(d.scan.text("text"))
	case keyFormat:
		in.Format = d.format()
	case keyFile:
		in.File = string(d.name())
	case keyVersion:
		d.version = d.scan.number("a number")
	case keyName, keySHA256, keyManifest:
		d.policyValue(k)
	case keyPolicy, keyPoint, keyCall, keyDigest, keyKeys, keyFault:
		d.answersValue(k)
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

// kind reads the type of the line.
func (d *Decoder) kind() {
	typ := d.scan.text("a type of input")
	found, ok := shapeOf(typ)
	if !ok {
		d.scan.refuse("a type of input", excerpt(typ))
	}
	d.shape = found
	d.entry.Input.Type = found.typ
}

// time reads the time of the line and holds it against the last one.
func (d *Decoder) time() {
	text := d.scan.text("a time in quotes")
	if d.scan.fault != nil {
		return
	}
	if d.form == UnknownForm || string(text) != string(d.lastText) {
		at, form, expected := parseAt(text)
		switch {
		case expected != "":
			d.scan.refuse(expected, excerpt(text))
		case d.form != UnknownForm && form != d.form:
			d.scan.refuse(d.form.String()+" as in the lines before", excerpt(text))
		case d.form != UnknownForm && at < d.at:
			d.scan.refuse("a time not before "+excerpt(d.lastText), excerpt(text))
		}
		if d.scan.fault != nil {
			return
		}
		d.at, d.form, d.lastText = at, form, append(d.lastText[:0], text...)
	}
	d.entry.Input.At = d.at
}

// name reads a text that is not empty.
func (d *Decoder) name() []byte {
	text := d.scan.text("text")
	if len(text) == 0 {
		d.scan.refuse("a name that is not empty", `""`)
	}
	return text
}

// repeated reads a text that many lines share.
func (d *Decoder) repeated() string { return d.pool.text(d.scan.text("text")) }

func (d *Decoder) duration() time.Duration {
	text := d.scan.text("a duration in quotes")
	if d.scan.fault != nil {
		return 0
	}
	run, err := time.ParseDuration(string(text))
	if err != nil || run < 0 {
		d.scan.refuse("a Go duration of zero or more, such as 1m30s", excerpt(text))
	}
	return run
}

func (d *Decoder) format() string {
	switch text := d.scan.text("a format"); string(text) {
	case formatYAML:
		return formatYAML
	case formatTOML:
		return formatTOML
	default:
		d.scan.refuse("yaml or toml", excerpt(text))
		return ""
	}
}

func (d *Decoder) integer(what string, least, most int64) int64 {
	literal := d.scan.number(what)
	if d.scan.fault != nil {
		return 0
	}
	value, ok := parseInteger(literal)
	if !ok || value < least || value > most {
		d.scan.refuse(what, excerpt(literal))
	}
	return value
}

func parseInteger(literal []byte) (int64, bool) {
	value, err := strconv.ParseInt(string(literal), 10, 64)
	return value, err == nil
}

// resources reads an object of quantities. Asks repeat one another, so the sets of late are kept by their text.
func (d *Decoder) resources() resource.Set {
	s := &d.scan
	start := len(s.line)
	if s.peek() == '{' {
		start = s.pos
	}
	if set, size := d.pool.set(s.line[start:]); size > 0 {
		s.pos += size
		return set
	}
	set := d.quantities()
	if s.fault == nil {
		d.pool.keep(s.line[start:s.pos], set)
	}
	return set
}
