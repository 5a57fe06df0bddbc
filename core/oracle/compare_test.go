package oracle_test

import (
	"fmt"
	"reflect"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// judged returns copies of decisions without texts and without zero amounts, which the oracle does not reproduce.
func judged(decisions []core.Decision) []core.Decision {
	var all []core.Decision
	for _, d := range decisions {
		d.Message, d.Warnings, d.Errors = "", nil, nil
		d.Resources = withoutZeros(d.Resources)
		all = append(all, d)
	}
	return all
}

func withoutZeros(s resource.Set) resource.Set {
	var rest resource.Set
	for _, q := range s {
		if q.Value != 0 {
			rest = append(rest, q)
		}
	}
	return rest
}

// difference describes how two lists of decisions differ. It returns "" if they are equal.
func difference(judge, fast []core.Decision) string {
	judge, fast = judged(judge), judged(fast)
	for i := range max(len(judge), len(fast)) {
		switch {
		case i >= len(fast):
			return fmt.Sprintf("missing decision:\n  oracle  %s", show(judge[i]))
		case i >= len(judge):
			return fmt.Sprintf("needless decision:\n  machine %s", show(fast[i]))
		case !reflect.DeepEqual(judge[i], fast[i]):
			return fmt.Sprintf("other decision:\n  oracle  %s\n  machine %s", show(judge[i]), show(fast[i]))
		}
	}
	return ""
}

// show prints the fields of a struct that are not zero.
func show(x any) string {
	v := reflect.ValueOf(x)
	text := ""
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			text += fmt.Sprintf("%s=%v ", v.Type().Field(i).Name, v.Field(i).Interface())
		}
	}
	return text
}

// dumpDifference describes how two states differ. It returns "" if they are equal.
func dumpDifference(judge, fast core.Dump) string {
	a, b := alike(judge), alike(fast)
	if d := listDifference("queue", a.Queues, b.Queues); d != "" {
		return d
	}
	if d := listDifference("node", a.Nodes, b.Nodes); d != "" {
		return d
	}
	if d := listDifference("application", a.Applications, b.Applications); d != "" {
		return d
	}
	a.Queues, a.Nodes, a.Applications = nil, nil, nil
	b.Queues, b.Nodes, b.Applications = nil, nil, nil
	if !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("state:\n  oracle  %s\n  machine %s", show(a), show(b))
	}
	return ""
}

func listDifference[T any](what string, judge, fast []T) string {
	for i := range max(len(judge), len(fast)) {
		switch {
		case i >= len(fast):
			return fmt.Sprintf("missing %s:\n  oracle  %s", what, show(judge[i]))
		case i >= len(judge):
			return fmt.Sprintf("needless %s:\n  machine %s", what, show(fast[i]))
		case !reflect.DeepEqual(judge[i], fast[i]):
			return fmt.Sprintf("other %s:\n  oracle  %s\n  machine %s", what, show(judge[i]), show(fast[i]))
		}
	}
	return ""
}

// alike normalizes a dump: without zeros in sets, without empty maps and lists, and without fields that do not matter.
func alike(d core.Dump) core.Dump {
	d.Total = withoutZeros(d.Total)
	d.Queues = mapped(d.Queues, alikeQueue)
	d.Nodes = mapped(d.Nodes, func(n core.NodeDump) core.NodeDump {
		n.Capacity, n.Occupied, n.Used = withoutZeros(n.Capacity), withoutZeros(n.Occupied), withoutZeros(n.Used)
		n.Attributes, n.Allocations = orNil(n.Attributes), mapped(n.Allocations, func(id string) string { return id })
		return n
	})
	d.Applications = mapped(d.Applications, func(a core.AppDump) core.AppDump {
		a.Used = withoutZeros(a.Used)
		a.Asks = mapped(a.Asks, func(k core.AskDump) core.AskDump {
			k.Resources = withoutZeros(k.Resources)
			k.Devices = mapped(k.Devices, func(of core.PlacedDevices) core.PlacedDevices {
				of.IDs = mapped(of.IDs, func(id string) string { return id })
				return of
			})
			return k
		})
		return a
	})
	return d
}

func alikeQueue(q core.QueueDump) core.QueueDump {
	q.Used, q.Guaranteed, q.Headroom = withoutZeros(q.Used), withoutZeros(q.Guaranteed), withoutZeros(q.Headroom)
	q.Pending, q.Leaving, q.Properties = withoutZeros(q.Pending), withoutZeros(q.Leaving), orNil(q.Properties)
	if len(q.Max) == 0 {
		q.Max = nil
	}
	if q.Path == "root" {
		q.Max = withoutZeros(q.Max)
	}
	if !q.Leaf {
		q.AppSort = ""
	}
	if q.State == core.QueueDraining { // its bounds may be from before their types were types of devices
		q.Max, q.Guaranteed = withoutMarks(q.Max), withoutMarks(q.Guaranteed)
	}
	return q
}

// withoutMarks returns the amounts without saying which are of devices.
func withoutMarks(s resource.Set) resource.Set {
	return mapped(s, func(q resource.Quantity) resource.Quantity {
		q.Milli = false
		return q
	})
}

// mapped applies f to each item; an empty list becomes nil.
func mapped[T any](list []T, f func(T) T) []T {
	var all []T
	for _, item := range list {
		all = append(all, f(item))
	}
	return all
}

func orNil(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}
