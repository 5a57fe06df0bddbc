package workload

import (
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// memoryPerCore is the memory that goes with a core in the plain workloads.
const memoryPerCore = 10

// The seeds' companions, one a workload.
const (
	fillStream = iota + 1
	mixedStream
	churnStream
	stuckStream
	reloadStream
	demoStream
	preemptionStream
	variedStream
	nodesStream
	quotaStream
	gangStream

	openbStream = 8152 // the number of pods in the public trace
)

// Fill asks for as many cores as the nodes have and more than enough room for: every ask of 1 vcore and 10 memory
// fits. Leaves have guarantees and offsets from 0 to 2, asks a priority of 0, 10 or 100.
func Fill(nodes, asks, queues int, seed uint64) Workload {
	return fill(nodes, asks, queues, seed, "", false)
}

// FillBinpack is Fill with the fullest node first.
func FillBinpack(nodes, asks, queues int, seed uint64) Workload {
	return fill(nodes, asks, queues, seed, "binpacking", false)
}

// The users and groups of FillLimits.
const (
	limitUsers  = 1000
	limitGroups = 50
)

// FillLimits is Fill with applications of 1,000 users in 50 groups, and limits of each user and each group in every queue of the
// three levels. Everything fits below them, so the allocations are those of Fill.
func FillLimits(nodes, asks, queues int, seed uint64) Workload {
	w := fill(nodes, asks, queues, seed, "", true)
	user := 0
	for i := range w.Inputs {
		if app, ok := w.Inputs[i].Event.(*core.AddApp); ok {
			app.User, app.Groups = userName(user%limitUsers), []string{groupName(user % limitGroups)}
			user++
		}
	}
	return w
}

func userName(i int) string  { return "user" + strconv.Itoa(i) }
func groupName(i int) string { return "group" + strconv.Itoa(i) }

func fill(nodes, asks, queues int, seed uint64, nodeSort string, limits bool) Workload {
	rng := random(seed, fillStream)
	t := newTree(queues)
	t.nodeSort, t.guaranteed = nodeSort, max(1, asks/queues/2)
	if limits {
		t.limited = asks
	}
	w := Workload{Config: t.text()}
	cores := int64(ceil(asks, nodes))
	for i := range nodes {
		w.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*memoryPerCore)}})
	}
	apps := max(queues, asks/appAsks)
	w.addApps(apps, t.paths())
	priorities := [...]int32{0, 10, 100}
	one := size(1000, memoryPerCore)
	for i := range asks {
		in := &core.AddAsk{ID: askID(i), App: appID(rng.IntN(apps)), Resources: one}
		in.Ask.Priority = priorities[rng.IntN(len(priorities))]
		w.add(core.Input{Event: in})
	}
	return w
}

// The mix of FillMixed.
const (
	gpu         = "nvidia.com/gpu"
	kinds       = 8  // of nodes
	mixedShapes = 16 // of asks
	tail        = 20 // every so many asks one that fits nowhere
	kind        = "kind"
)

// FillMixed asks in 16 shapes of three resource types, one ask in ten bound to an attribute, on nodes of 8 kinds. The
// nodes end about 95 % full, with asks left that fit nowhere.
func FillMixed(nodes, asks, queues int, seed uint64) Workload {
	rng := random(seed, mixedStream)
	t := newTree(queues)
	t.guaranteed = max(1, asks/queues/2)
	w := Workload{Config: t.text()}
	apps := max(queues, asks/appAsks)
	var wanted int64
	requests := make([]core.Input, asks)
	for i := range requests {
		in := &core.AddAsk{ID: askID(i), App: appID(rng.IntN(apps))}
		in.Ask.Priority = int32(rng.IntN(3) * 10)
		if i%tail == tail-1 {
			in.Resources = size(1<<40, 1)
		} else {
			in.Resources = mixedShape(rng.IntN(mixedShapes))
			cores, _ := in.Resources.Value(resource.VCore)
			wanted += cores
		}
		if rng.IntN(10) == 0 {
			in.Ask.Constraints = map[string][]string{kind: {kindName(rng.IntN(kinds)), kindName(rng.IntN(kinds))}}
		}
		requests[i] = core.Input{Event: in}
	}
	w.addMixedNodes(nodes, wanted)
	w.addApps(apps, t.paths())
	w.Inputs = append(w.Inputs, requests...)
	return w
}

// addMixedNodes sizes nodes so that what is wanted fills them to 95 %; kind k has 4+k parts in 60.
func (w *Workload) addMixedNodes(nodes int, wanted int64) {
	mean := wanted * 100 / 95 / int64(nodes)
	for i := range nodes {
		k := i % kinds
		cores := mean * int64(4+k) * 2 / (2*4 + kinds - 1)
		capacity := resource.NewSet(resource.Quantity{Type: resource.VCore, Value: cores},
			resource.Quantity{Type: Memory, Value: cores * 8}, resource.Quantity{Type: gpu, Value: cores / 1000})
		w.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: capacity, Attributes: map[string]string{kind: kindName(k)}}})
	}
}

func kindName(k int) string { return string(rune('a' + k)) }

// mixedShape returns one of the shapes: 1 to 4 half cores, 1 to 4 parts of memory, a GPU with every fourth.
func mixedShape(i int) resource.Set {
	half, part := int64(i%4+1), int64(i/4+1)
	set := size(half*500, half*500*part*2)
	if i%4 == 3 {
		set = resource.NewSet(append(resource.Set{{Type: gpu, Value: 1}}, set...)...)
	}
	return set
}
