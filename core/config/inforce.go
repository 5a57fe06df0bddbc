package config

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Setting is a property with its value in force.
type Setting struct {
	Name, Value string
}

// InForce lists the properties that have an effect in the queue, including defaults, and those for policies.
func (q *Queue) InForce() []Setting {
	all := []Setting{{propPrioritySort, switchText(q.PrioritySort)}}
	if q.Leaf {
		all = append(all, Setting{propAppSort, q.AppSort}, Setting{propAskSort, q.AskSort},
			Setting{propPreemptionDelay, q.PreemptionDelay.String()}, Setting{propIntraQueue, switchText(q.IntraQueue)}, Setting{propGangs, gangsText(q.GangsByMember)}, Setting{propSurplus, switchText(!q.KeepsSurplus)})
	} else {
		all = append(all, Setting{propQueueSort, q.QueueSort})
	}
	if !q.isRoot() {
		fence := PreemptionDefault
		if q.PriorityFence {
			fence = PreemptionFence
		}
		all = append(all, Setting{propPriorityPolicy, fence}, Setting{propPriorityOffset, strconv.Itoa(int(q.PriorityOffset))},
			Setting{propPreemptionPolicy, q.PreemptionPolicy}, Setting{propQuotaDelay, q.QuotaDelay.String()})
	}
	if q.HalfLife > 0 {
		all = append(all, Setting{propHalfLife, q.HalfLife.String()}, Setting{propLookAhead, q.LookAhead().String()})
	}
	for _, name := range slices.Sorted(maps.Keys(q.Inherited)) {
		if !known(name) || isShownIfSet(name) {
			all = append(all, Setting{name, q.Inherited[name]})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Sets reports whether the queue itself sets a property.
func (q *Queue) Sets(property string) bool {
	_, sets := q.Properties[property]
	return sets
}

// IsDisabledHere reports whether the queue itself disables preemption, also for all queues below, which cannot enable it again.
func (q *Queue) IsDisabledHere(property string) bool {
	return property == propPreemptionPolicy && !q.isRoot() && strings.EqualFold(q.Properties[property], PreemptionDisabled)
}

func gangsText(byMember bool) string {
	if byMember {
		return memberGangs
	}
	return unitGangs
}

func switchText(on bool) string {
	if on {
		return enabled
	}
	return disabled
}

// isShownIfSet reports whether a property has no value in force unless a queue sets it. It is shown as it was written.
func isShownIfSet(name string) bool {
	switch name {
	case propWalltimeDefault, propWalltimeMax, propWalltimeOverrun, propMinRuntime, propMinRuntimeMax, propMinRuntimeRequired, propBudget:
		return true
	}
	return false
}
