package oracle_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"pgregory.net/rapid"
)

// drawnLimit is a limit of a generated configuration.
type drawnLimit struct {
	users, groups []string
	resources     map[string]int64
	applications  int64
}

// limitedBy has the limits above a queue: by "user u" or "group g", then by type. The type of maxapplications is "".
type limitedBy map[string]map[string]int64

// drawLimitedScenario makes a scenario in which users and groups meet limits.
func drawLimitedScenario(t *rapid.T) scenario {
	f := pick(t, "focus", anything, tightNodes, preemption, preemption, places, gangFocus, fullGangs)
	f.limited = 2
	f.waits = slices.Concat(f.waits, []time.Duration{time.Second, 2 * time.Second})
	f.kinds = slices.Concat(f.kinds, weigh(map[core.InputType]int{core.AppAdd: 3, core.AllocationRelease: 4, core.ConfigSet: 1}))
	w := drawWorldOf(t, f)
	return w.drawScenario(t)
}

func limitedScenarios() *rapid.Generator[scenario] { return rapid.Custom(drawLimitedScenario) }

// drawUser gives an application a user and groups, often the same ones.
func (w *world) drawUser(t *rapid.T, app *core.AddApp) {
	if w.limited == 0 && w.aging == 0 {
		return
	}
	app.User = pick(t, "user", "u", "u", "v", "w", "")
	app.Groups = pick(t, "groups", []string{"g"}, nil, []string{"h", "g"}, []string{"i", "h"}, []string{"j"}, []string{"*", "h"})
}

// drawLimitsOf draws the limits of a queue, within those above, and returns the limits for the queues below.
func (w *world) drawLimitsOf(t *rapid.T, q *queueText, b budget) limitedBy {
	if w.limited == 0 || !chance(t, "limits", w.limited) {
		return b.limits
	}
	below := maps.Clone(b.limits)
	if below == nil {
		below = limitedBy{}
	}
	for _, kind := range []string{"user", "group"} {
		for _, names := range drawNames(t, kind) {
			l := drawnLimit{resources: map[string]int64{}}
			if kind == "user" {
				l.users = names
			} else {
				l.groups = names
			}
			w.drawBounds(t, &l, q, b, kind, names)
			if !slices.ContainsFunc(slices.Collect(maps.Values(l.resources)), func(v int64) bool { return v > 0 }) {
				l.resources = nil
			}
			all := kind == "group" && names[0] == "*"
			if l.applications == 0 && l.resources == nil || all && !slices.ContainsFunc(q.limits, func(l drawnLimit) bool { return l.groups != nil }) {
				continue
			}
			q.limits = append(q.limits, l)
			for _, name := range names {
				below.bound(kind, name, b.limits, &l)
			}
		}
	}
	return below
}

// drawNames draws the names of each limit of users, or of groups. The wildcard is last, and for groups not first.
func drawNames(t *rapid.T, kind string) [][]string {
	if kind == "user" {
		return pick(t, "users", [][]string{{"u"}, {"*"}}, [][]string{{"u", "v"}}, nil, [][]string{{"*"}}, [][]string{{"v"}, {"u"}, {"*"}})
	}
	return pick(t, "groups", [][]string{{"g"}}, [][]string{{"g"}, {"*"}}, nil, [][]string{{"h"}, {"g"}}, [][]string{{"h", "i"}, {"*"}})
}

func (w *world) drawBounds(t *rapid.T, l *drawnLimit, q *queueText, b budget, kind string, names []string) {
	values := []int64{2, 3, 4, 1, 6, 0}
	for _, typ := range types {
		if !chance(t, "limit of "+typ, 3) && typ != "vcore" {
			continue
		}
		if own, set := q.max[typ]; set {
			l.resources[typ] = min(own, pick(t, "limit", values...))
		} else {
			l.resources[typ] = pick(t, "limit", values...)
		}
		for _, name := range names {
			l.resources[typ] = min(l.resources[typ], b.limits.most(kind, name, typ))
		}
	}
	if chance(t, "bounded applications", 3) {
		l.applications = pick(t, "applications", int64(1), 2, 3)
		if q.maxApplications > 0 {
			l.applications = min(l.applications, q.maxApplications)
		}
		for _, name := range names {
			l.applications = min(l.applications, b.limits.most(kind, name, ""))
		}
	}
	if all := names[0] == "*"; len(l.resources) > 0 && (all && chance(t, "applications alone", 3) || chance(t, "applications alone", 6)) && l.applications > 0 {
		l.resources = nil
	}
}

// most returns the smallest limit above a queue.
func (above limitedBy) most(kind, name, typ string) int64 {
	for _, key := range []string{kind + " " + name, kind + " *"} {
		if bounds, set := above[key]; set {
			if v, bounded := bounds[typ]; bounded {
				return v
			}
		}
	}
	return unlimited
}

// bound records a limit, combined with those above.
func (below limitedBy) bound(kind, name string, above limitedBy, l *drawnLimit) {
	bounds := map[string]int64{}
	for _, typ := range append([]string{""}, types...) {
		if v := above.most(kind, name, typ); v < unlimited {
			bounds[typ] = v
		}
	}
	for typ, v := range l.resources {
		bounds[typ] = v
	}
	if l.applications > 0 {
		bounds[""] = l.applications
	}
	below[kind+" "+name] = bounds
}

func writeLimits(text *strings.Builder, indent string, limits []drawnLimit) {
	if len(limits) == 0 {
		return
	}
	fmt.Fprintf(text, "%slimits:\n", indent)
	for _, l := range limits {
		fmt.Fprintf(text, "%s- users: [%s]\n%s  groups: [%s]\n", indent, quoted(l.users), indent, quoted(l.groups))
		if l.applications > 0 {
			fmt.Fprintf(text, "%s  maxapplications: %d\n", indent, l.applications)
		}
		writeMap(text, indent+"  ", "maxresources", l.resources, func(v int64) string { return fmt.Sprint(v) })
	}
}

func quoted(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf("%q", name))
	}
	return strings.Join(all, ", ")
}
