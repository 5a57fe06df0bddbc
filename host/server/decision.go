package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Decision is a decision together with its line. A line that comes from the disk is decoded when the value is needed.
type Decision struct {
	Line  []byte         // in the record, without its end
	value *core.Decision // nil: the line comes from the disk
}

// newDecision copies a decision and its line, which belong to others.
func newDecision(d *core.Decision, line []byte) Decision {
	own := inRecord(d)
	return Decision{Line: bytes.Clone(line), value: &own}
}

// inRecord returns the fields of a decision that the record has, so that a value does not depend on whether it comes from the disk.
func inRecord(d *core.Decision) core.Decision {
	own := *d
	own.Submission, own.Placement = 0, 0
	if d.Type == core.Release {
		own.App, own.Queue, own.Node = "", "", ""
		own.Resources, own.Began = nil, 0
	}
	return own
}

// Value returns the fields of the decision that its line has. They must not be changed.
func (d *Decision) Value() (*core.Decision, error) {
	if d.value != nil {
		return d.value, nil
	}
	return decodeDecision(d.Line)
}

// Seq returns the number of the decision.
func (d *Decision) Seq() uint64 { return SeqOf(d.Line) }

// String returns the line.
func (d Decision) String() string { return string(d.Line) }

// quantityOf reads an amount of a decision, which is in thousandths if it ends with m.
func quantityOf(typ, text string) (q resource.Quantity, err error) {
	q = resource.Quantity{Type: typ, Milli: typ != resource.VCore && strings.HasSuffix(text, "m")}
	if q.Milli {
		q.Value, err = resource.ParseMilli(typ, text)
	} else {
		q.Value, err = resource.Parse(typ, text)
	}
	return q, err
}

// decodeDecision reads the line of a decision.
func decodeDecision(line []byte) (*core.Decision, error) {
	var text struct {
		core.Decision
		At        time.Time
		Start     *time.Time
		Resources map[string]json.RawMessage
		Devices   map[string][]string
	}
	if err := json.Unmarshal(line, &text); err != nil {
		return nil, fmt.Errorf("decision %s: %w", line, err)
	}
	d := text.Decision
	d.At = time.Duration(text.At.UnixNano())
	if text.Start != nil {
		start := time.Duration(text.Start.UnixNano())
		d.Start = &start
	}
	if text.Resources != nil {
		set := make([]resource.Quantity, 0, len(text.Resources))
		for typ, amount := range text.Resources {
			q, err := quantityOf(typ, strings.Trim(string(amount), `"`))
			if err != nil {
				return nil, fmt.Errorf("decision %d: %s: %w", d.Seq, typ, err)
			}
			set = append(set, q)
		}
		d.Resources = resource.NewSet(set...)
	}
	for _, typ := range slices.Sorted(maps.Keys(text.Devices)) {
		d.Devices = append(d.Devices, core.PlacedDevices{Type: typ, IDs: text.Devices[typ]})
	}
	return &d, nil
}
