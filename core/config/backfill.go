package config

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// DefaultHorizon is how far ahead starts are planned, and recurrences of windows are seen, unless the configuration says otherwise.
const DefaultHorizon = instant.Delay(168 * time.Hour)

// allBlocked is the depth at which every blocked ask gets a plan.
const allBlocked = "all"

// Backfill says which blocked asks and atomic gangs get planned starts.
type Backfill struct {
	Depth   uint64        `json:",omitempty"` // how many get plans, in the order of the walk; 0: none, unless All
	All     bool          `json:",omitempty"` // all of them get plans; Depth is 0 then
	Horizon instant.Delay `json:",omitempty"` // no start is planned later than this from now; always above 0 if Plans
}

// Plans reports whether starts are planned at all.
func (b Backfill) Plans() bool { return b.All || b.Depth > 0 }

// Admits reports whether the next plan may be made, beside a number of those that are made.
func (b Backfill) Admits(made int) bool { return b.All || uint64(made) < b.Depth }

// backfill reads the keys of planned starts.
func (d *decoder) backfill(p *Partition, v *value) {
	p.Backfill.Horizon = DefaultHorizon
	for _, f := range d.fields(InPartition, "backfill", v) {
		key := "backfill." + f.name
		switch f.name {
		case "depth":
			p.Backfill.Depth, p.Backfill.All = d.depth(key, f.value)
		case "horizon":
			p.Backfill.Horizon = d.horizon(key, f.value)
		default:
			d.unknown(InPartition, InPartition, "backfill.", f)
		}
	}
}

// depth reads a number of plans, or all.
func (d *decoder) depth(key string, v *value) (n uint64, all bool) {
	if v.kind == scalar && v.text == allBlocked {
		return 0, true
	}
	n, ok := wholeNumber(v)
	if !ok {
		d.add(v.at, InPartition, key, "a whole number of zero or more, or all", v.found())
	}
	return n, false
}

// horizon reads how far ahead starts are planned.
func (d *decoder) horizon(key string, v *value) instant.Delay {
	if v.kind == null {
		return DefaultHorizon
	}
	horizon, ok := parseDelay(v.text)
	if v.kind != scalar || !ok || horizon <= 0 {
		d.add(v.at, InPartition, key, "a duration above zero, such as 168h", v.found())
		return DefaultHorizon
	}
	return d.warnLongDelay(v.at, InPartition, key, v.text, horizon)
}

// backfill writes the keys of planned starts, unless none is written in the configuration.
func (p *printer) backfill(b Backfill) {
	if b == (Backfill{}) {
		return
	}
	depth := utoa(b.Depth)
	if b.All {
		depth = allBlocked
	}
	p.line(1, "backfill:")
	p.line(2, "depth: "+depth)
	p.line(2, "horizon: "+b.Horizon.String())
}
