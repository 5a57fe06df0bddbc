package features

import (
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
)

// What tables may say of queues, nodes, applications and asks.
var (
	queueColumns = []column[core.QueueDump]{
		{"queue", func(q core.QueueDump) string { return pathText(q.Partition, q.Path) }, asIs},
		{"state", func(q core.QueueDump) string { return q.State }, asIs},
		{"dynamic", func(q core.QueueDump) string { return yesNo(q.Dynamic) }, asIs},
		{"leaf", func(q core.QueueDump) string { return yesNo(q.Leaf) }, asIs},
		{"used", func(q core.QueueDump) string { return amountText(q.Used) }, asAmounts},
		{"guaranteed", func(q core.QueueDump) string { return resourceText(q.Guaranteed) }, asResources},
		{"max", func(q core.QueueDump) string { return resourceText(q.Max) }, asResources},
		{"leaving", func(q core.QueueDump) string { return amountText(q.Leaving) }, asAmounts},
		{"headroom", func(q core.QueueDump) string { return amountText(q.Headroom) }, asAmounts},
		{"pending", func(q core.QueueDump) string { return amountText(q.Pending) }, asAmounts},
		{"asks", func(q core.QueueDump) string { return strconv.Itoa(q.PendingAsks) }, asIs},
		{"allocations", func(q core.QueueDump) string { return strconv.Itoa(q.Allocations) }, asIs},
		{"priority", func(q core.QueueDump) string { return priorityText(q.HasPriority, q.Priority) }, asIs},
		{"applications", func(q core.QueueDump) string { return strconv.Itoa(q.Applications) }, asIs},
		{"running", func(q core.QueueDump) string { return strconv.Itoa(q.Running) }, asIs},
		{"maxapplications", func(q core.QueueDump) string { return strconv.FormatUint(q.MaxRunning, 10) }, asIs},
		{"fair share", func(q core.QueueDump) string { return shareText(q.FairShare) }, asShare},
		{"aged", func(q core.QueueDump) string { return amountText(agedAmounts(q.Aged, agedNow)) }, asAmounts},
		{"compared", func(q core.QueueDump) string { return amountText(agedAmounts(q.Aged, comparedUsage)) }, asAmounts},
		{"aged share", func(q core.QueueDump) string { return agedShareText(q.Aged) }, asShare},
		{"users", func(q core.QueueDump) string { return usersText(q.Users) }, asIs},
		{"sort", func(q core.QueueDump) string { return q.AppSort }, asIs},
		{"properties", func(q core.QueueDump) string { return pairText(q.Properties) }, asPairs},
	}
	nodeColumns = []column[core.NodeDump]{
		{"node", func(n core.NodeDump) string { return n.ID }, asIs},
		{"partition", func(n core.NodeDump) string { return n.Partition }, asIs},
		{"capacity", func(n core.NodeDump) string { return amountText(n.Capacity) }, asAmounts},
		{"occupied", func(n core.NodeDump) string { return amountText(n.Occupied) }, asAmounts},
		{"used", func(n core.NodeDump) string { return amountText(n.Used) }, asAmounts},
		{"attributes", func(n core.NodeDump) string { return pairText(n.Attributes) }, asPairs},
		{"schedulable", func(n core.NodeDump) string { return yesNo(n.Schedulable) }, asIs},
		{"utilisation", func(n core.NodeDump) string { return shareText(n.Utilisation) }, asShare},
		{"reserved", func(n core.NodeDump) string { return n.Reserved }, asIs},
		{"kept", func(n core.NodeDump) string { return n.ClaimedBy }, asIs},
		{"allocations", func(n core.NodeDump) string { return strings.Join(n.Allocations, ", ") }, asIs},
		{"free devices", func(n core.NodeDump) string { return freeText(n.Devices) }, asList},
	}
	appColumns = []column[core.AppDump]{
		{"application", func(a core.AppDump) string { return a.ID }, asIs},
		{"partition", func(a core.AppDump) string { return a.Partition }, asIs},
		{"group", func(a core.AppDump) string { return a.Group }, asIs},
		{"queue", func(a core.AppDump) string { return a.Queue }, asIs},
		{"state", func(a core.AppDump) string { return a.State }, asIs},
		{"submitted", func(a core.AppDump) string { return a.Submitted.String() }, asDuration},
		{"priority", func(a core.AppDump) string { return priorityText(a.HasPriority, a.Priority) }, asIs},
		{"used", func(a core.AppDump) string { return amountText(a.Used) }, asAmounts},
		{"preempted", func(a core.AppDump) string { return strconv.FormatInt(a.Preempted, 10) }, asIs},
		{"asks", func(a core.AppDump) string { return strings.Join(askIDs(a), ", ") }, asIs},
	}
	askColumns = []column[core.AskDump]{
		{"ask", func(a core.AskDump) string { return a.ID }, asIs},
		{"priority", func(a core.AskDump) string { return strconv.Itoa(int(a.Priority)) }, asIs},
		{"resources", func(a core.AskDump) string { return amountText(a.Resources) }, asAmounts},
		{"node", func(a core.AskDump) string { return a.Node }, asIs},
		{"devices", func(a core.AskDump) string { return placedText(a.Devices) }, asList},
		{"submitted", func(a core.AskDump) string { return a.Submitted.String() }, asDuration},
		{"allocated", func(a core.AskDump) string { return a.Allocated.String() }, asDuration},
		{"walltime", func(a core.AskDump) string { return durationText(a.Walltime) }, asDurationOrNone},
		{"min runtime", func(a core.AskDump) string { return durationText(a.MinRuntime) }, asDurationOrNone},
		{"preempted", func(a core.AskDump) string { return strconv.FormatInt(a.Preempted, 10) }, asIs},
		{"ends", func(a core.AskDump) string { return endText(a.Ends) }, asDurationOrNone},
		{"kept", func(a core.AskDump) string { return a.Claims }, asIs},
		{"leaves", func(a core.AskDump) string { return yesNo(a.Leaves) }, asIs},
		{"leaving", func(a core.AskDump) string { return a.Leaving }, asIs},
	}
)

// pathText is the name of a queue as messages have it: outside the first partition, that one stands before it.
func pathText(partition, path string) string {
	if partition == "" {
		return path
	}
	return "[" + partition + "]" + path
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// priorityText is empty where there is none, so that the word none matches.
func priorityText(has bool, priority int32) string {
	if !has {
		return ""
	}
	return strconv.Itoa(int(priority))
}

func askIDs(a core.AppDump) []string {
	var list []string
	for _, ask := range a.Asks {
		list = append(list, ask.ID)
	}
	return list
}

func asksOf(d core.Dump) []core.AskDump {
	var list []core.AskDump
	for _, a := range d.Applications {
		list = append(list, a.Asks...)
	}
	return list
}
