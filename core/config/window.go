package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/calendar"
)

// Window reserves nodes for some users and queues at the times of a schedule.
type Window struct {
	ID       string // unique in the file
	Schedule string // as written
	Duration instant.Delay

	// Its nodes: those with the IDs of Nodes, which need not exist yet. If there are none, the nodes that meet the constraints: at most Count of
	// them, or all if Count is 0.
	Nodes       []string            `json:",omitempty"`
	Constraints map[string][]string `json:",omitempty"`
	Count       int                 `json:",omitempty"`

	// The applications that it names: those in a queue, or below it, of a user, or of a user in a group.
	Queues []string `json:",omitempty"` // full names, in lower case
	Users  []string `json:",omitempty"`
	Groups []string `json:",omitempty"`

	times calendar.Schedule
}

// Next returns the first time after an instant at which the window opens, or instant.Never.
func (w *Window) Next(after time.Duration) time.Duration { return w.times.Next(after) }

// mostWindows bounds the windows of a partition.
const mostWindows = 1_000

// The values of window.unbounded.
const (
	unboundedRefuse = "refuse"
	unboundedAllow  = "allow"
)

// windowSettings reads the settings of all windows.
func (d *decoder) windowSettings(p *Partition, v *value) {
	for _, f := range d.fields(InPartition, "window", v) {
		if f.name != "unbounded" {
			d.unknown(InPartition, InPartition, "window.", f)
			continue
		}
		f.name = "window.unbounded"
		p.UnboundedBeforeWindows = d.choice(InPartition, &f, unboundedRefuse, unboundedAllow) == unboundedAllow
	}
}

// windows reads the windows of a partition.
func (d *decoder) windows(v *value) []*Window {
	var list []*Window
	items := d.items(InPartition, "windows", v)
	if len(items) > mostWindows {
		d.add(items[mostWindows].value.at, InPartition, "windows", "at most "+strconv.Itoa(mostWindows)+" windows", strconv.Itoa(len(items)))
		return nil
	}
	for i, item := range items {
		key := index("windows", i)
		d.below(key+".", func() {
			if w := d.window(item.value); w != nil {
				d.checkWindowID(w.ID, key, item.value.field("id").value.at)
				list = append(list, w)
			}
		})
	}
	return list
}

// checkWindowID refuses an ID that another window of the file has.
func (d *decoder) checkWindowID(id, key string, at place) {
	if first, ok := d.windowIDs[id]; ok {
		d.add(at, InPartition, "id", "each window once", quote(id)+" again, after "+first)
		return
	}
	if d.windowIDs == nil {
		d.windowIDs = map[string]string{}
	}
	d.windowIDs[id] = key
}

// window reads one window. It returns nil if that is not valid.
func (d *decoder) window(v *value) *Window {
	errors, w := len(d.errors), &Window{}
	for _, f := range d.fields(InPartition, "", v) {
		d.windowField(w, &f)
	}
	if v.kind != mapping && v.kind != null {
		return nil
	}
	for _, needed := range [][2]string{{"id", "the name of the window"}, {"schedule", calendar.Syntax}, {"duration", durationWords}} {
		if v.field(needed[0]) == nil {
			d.add(v.at, InPartition, needed[0], needed[1], "none")
		}
	}
	switch nodes, constraints := v.field("nodes"), v.field("constraints"); {
	case nodes == nil && constraints == nil:
		d.add(v.at, InPartition, "nodes", "nodes or constraints", "neither")
	case nodes != nil && constraints != nil:
		d.add(constraints.at, InPartition, "constraints", "nodes or constraints", "both")
	case nodes != nil && v.field("count") != nil:
		d.add(v.field("count").at, InPartition, "count", "no count beside nodes", "one")
	}
	if len(d.errors) > errors {
		return nil
	}
	if gap, _ := w.times.ShortestGap(); time.Duration(w.Duration) > gap {
		d.add(v.field("duration").value.at, InPartition, "duration", "at most "+gap.String()+", the shortest time between two starts of the schedule", quote(v.field("duration").value.text))
		return nil
	}
	return w
}

const durationWords = "a duration above zero, such as 2h"

func (d *decoder) windowField(w *Window, f *field) {
	switch f.name {
	case "id":
		if w.ID = d.levelText(f, "the name of the window"); len(w.ID) > mostID {
			d.add(f.value.at, InPartition, f.name, "at most "+strconv.Itoa(mostID)+" bytes", strconv.Itoa(len(w.ID)))
		}
	case "schedule":
		w.Schedule = d.text(InPartition, f.name, f.value)
		times, expected := calendar.Parse(w.Schedule)
		if expected != "" && (f.value.kind == scalar || f.value.kind == null) {
			d.add(f.value.at, InPartition, f.name, expected, f.value.found())
		}
		w.times = times
	case "duration":
		w.Duration = d.windowDuration(f)
	case "nodes":
		if w.Nodes = d.windowNames(f, func(name string) bool { return name != "" }, "a name that is not empty"); len(w.Nodes) == 0 && f.value.kind == list && len(f.value.fields) == 0 {
			d.add(f.value.at, InPartition, f.name, "at least one node", "an empty list")
		}
	case "constraints":
		w.Constraints = d.windowConstraints(f.value)
	case "count":
		if count := d.count(InPartition, f.name, f.value); f.value.form == formInteger && (count < 1 || count > maxCount) {
			d.add(f.value.at, InPartition, f.name, "a whole number from 1 to "+strconv.Itoa(maxCount), f.value.found())
		} else {
			w.Count = int(count)
		}
	case "queues":
		w.Queues = d.windowNames(f, validPath, "the full name of a queue, from root down")
		for i, name := range w.Queues {
			w.Queues[i] = strings.ToLower(name)
		}
	case "users":
		w.Users = d.windowNames(f, access.ValidUser, access.UserSyntax)
	case "groups":
		w.Groups = d.windowNames(f, access.ValidGroup, access.GroupSyntax)
	default:
		d.unknown(InWindow, InPartition, "", *f)
	}
}

const (
	mostID   = 1024 // bytes, as of all IDs
	maxCount = 1<<31 - 1
)

// validPath reports whether a text can be the full name of a queue.
func validPath(name string) bool {
	for i, label := range strings.Split(name, ".") {
		if !validName(label, mostName) || i == 0 && !strings.EqualFold(label, "root") {
			return false
		}
	}
	return true
}

func (d *decoder) windowDuration(f *field) instant.Delay {
	text := d.text(InPartition, f.name, f.value)
	duration, ok := parseDelay(text)
	if (!ok || duration <= 0) && (f.value.kind == scalar || f.value.kind == null) {
		d.add(f.value.at, InPartition, f.name, durationWords, f.value.found())
	}
	return duration
}

// windowNames reads a list of names.
func (d *decoder) windowNames(f *field, valid func(string) bool, syntax string) (names []string) {
	for _, n := range d.valid(InPartition, d.names(InPartition, f.name, f.value), valid, syntax) {
		names = append(names, n.name)
	}
	return names
}

// windowConstraints reads the allowed values of attributes.
func (d *decoder) windowConstraints(v *value) map[string][]string {
	constraints := map[string][]string{}
	d.below("constraints.", func() {
		for _, f := range d.fields(InPartition, "", v) {
			values := []string{}
			for _, n := range d.names(InPartition, f.name, f.value) {
				values = append(values, n.name)
			}
			constraints[f.name] = values
		}
	})
	return constraints
}
