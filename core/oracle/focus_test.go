package oracle_test

import (
	"math"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// focus has the weights for drawing scenarios. Values that are listed several times are drawn as often; the first are the simplest.
type focus struct {
	kinds      []core.InputType
	requests   []resource.Set
	capacities []resource.Set
	occupied   []resource.Set
	waits      []time.Duration
	limitOdds  int // a queue has a max, a guaranteed, of a type once in so many times
	boundOdds  int // a queue has maxapplications once in so many times; 0: as often as a max
	required   int // an ask has a required node so many times in 20, beside what drawDetails gives it
	hugeOdds   int // a restored allocation, a node is of a size near 2^63-1 once in so many times; 0: never
	streamOdds int // a wait is one of an ask that small ones overtake once in so many times; 0: never
	promises   []int64
	preemptive int // a queue says something about preemption once in so many times, an ask half as often; 0: never
	fill       int // up to so many restored allocations come first
	appSorts   []string
	priorities []int32
	spareOdds  int // a drained node gives headroom, which a reservation needs, once in so many times
	limited    int // a queue has limits of users and groups once in so many times; 0: never, and applications have no users
	atomicOdds int // an input begins a gang once in so many times; 0: never
	expiryOdds int // a wait lets reservations expire once in so many times
	aging      int // a queue has a half-life once in so many times; 0: never, and applications have no users
	gangs      int // so many applications in 10 have placeholders, and so many asks of any are placeholders; 0: none
}

// anything has some of everything, odd amounts too.
var anything = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 20, core.AppAdd: 4, core.AppMove: 2, core.NodeAdd: 2, core.AllocationRelease: 6, core.AskRemove: 3, core.AskUpdate: 3,
		core.AllocationRestore: 2, core.NodeUpdate: 3, core.NodeDrain: 1, core.NodeResume: 2, core.NodeRemove: 1,
		core.AppRemove: 2, core.ConfigSet: 3, core.TickInput: 1,
	}),
	requests: []resource.Set{
		set(1000, -1, -1), set(1000, 1, -1), set(2000, 2, -1), set(500, -1, -1), set(2000, -1, -1), set(-1, 4, -1),
		set(500, 0, 1), set(3000, -1, 1), set(0, -1, -1), set(9000, -1, -1), set(1<<58, 1, -1),
		resource.NewSet(resource.Quantity{Type: "tape", Value: 1}), set(1000, 2, -1), set(1500, -1, -1), set(2000, 1, -1),
	},
	capacities: []resource.Set{
		set(2000, 4, -1), set(4000, 4, -1), set(2000, 2, 1), set(1000, 8, 0), set(3000, -1, 2), set(1<<58, 1<<58, -1),
		set(-1, -1, -1), set(4000, 8, -1),
	},
	occupied: []resource.Set{
		nil, set(500, -1, -1), set(1000, 1, -1), set(0, 2, -1), set(-1, -1, 1), set(-1, -1, -1),
	},
	waits: []time.Duration{
		time.Second, time.Second, 500 * time.Millisecond, 2*time.Second - 1, 2 * time.Second, 2 * time.Second, 2 * time.Second,
		5 * time.Second, 28 * time.Second, 28 * time.Second, 30 * time.Second, 30 * time.Second, time.Minute,
		5 * time.Minute, 72 * time.Hour, 2 * time.Second,
	},
	limitOdds:  4,
	promises:   []int64{1, 2, 3, 0},
	preemptive: 16,
	appSorts:   []string{"stateaware", "fair", "fifo", "StateAware"},
	priorities: []int32{0, 0, 0, 1, 5, 10, -1, math.MaxInt32, math.MinInt32},
	spareOdds:  4,
	expiryOdds: 16,
	hugeOdds:   24,
	streamOdds: 16,
}

// tightNodes is about asks that wait for room on nodes, and so about reservations.
var tightNodes = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 20, core.AppAdd: 3, core.AppMove: 2, core.NodeAdd: 2, core.AllocationRelease: 6, core.AskRemove: 1, core.AskUpdate: 3,
		core.AllocationRestore: 3, core.NodeUpdate: 5, core.NodeDrain: 1, core.NodeResume: 2, core.NodeRemove: 1,
		core.AppRemove: 1, core.ConfigSet: 1,
	}),
	requests: []resource.Set{
		set(2000, -1, -1), set(1500, -1, -1), set(1000, -1, -1), set(500, -1, -1), set(2000, 2, -1), set(500, -1, 1),
		set(2000, 1, -1), set(2500, -1, -1),
	},
	capacities: []resource.Set{set(2000, 4, -1), set(2500, 2, -1), set(3000, 4, 1), set(2500, 8, 2), set(2000, -1, -1)},
	occupied:   []resource.Set{nil, nil, set(500, -1, -1), set(1000, 1, -1), set(-1, -1, -1)},
	waits: []time.Duration{
		2 * time.Second, 2 * time.Second, time.Second, 500 * time.Millisecond, 28 * time.Second, 30 * time.Second,
		5 * time.Second, 28 * time.Second, 30 * time.Second, 2*time.Second - 1,
	},
	limitOdds:  10,
	promises:   []int64{1, 2, 3, 0},
	appSorts:   []string{"fifo", "stateaware", "fair", "stateaware"},
	priorities: []int32{0, 0, 0, 1, 2, 5},
	spareOdds:  2,
	expiryOdds: 3,
	required:   3,
	streamOdds: 4,
}

// fairShares draws scenarios in which usage is close, so that the order matters.
var fairShares = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 24, core.AppAdd: 5, core.AppMove: 2, core.NodeAdd: 1, core.AllocationRelease: 8, core.AskRemove: 2, core.AskUpdate: 1,
		core.AllocationRestore: 2, core.NodeUpdate: 1, core.ConfigSet: 1, core.AppRemove: 1,
	}),
	requests: []resource.Set{
		set(1000, 1, -1), set(1000, 2, -1), set(1000, -1, 1), set(500, 1, 1), set(-1, 1, -1), set(500, 3, -1), set(2000, 1, 1),
		set(1000, 1, 1),
	},
	capacities: []resource.Set{set(8000, 8, 4), set(4000, 8, 2), set(4000, 4, 2), set(16000, 16, 8)},
	occupied:   []resource.Set{nil, set(1000, -1, -1), set(-1, 1, 1)},
	waits:      []time.Duration{time.Second, 2 * time.Second, 30 * time.Second, 5 * time.Minute, time.Second},
	limitOdds:  3,
	promises:   []int64{1, 2, 3, 0},
	appSorts:   []string{"fair", "fair", "stateaware", "fifo"},
	priorities: []int32{0, 0, 0, 0, 0, 0, 0, 1},
	spareOdds:  16,
	expiryOdds: 64,
}

// preemption draws full nodes, guarantees that are not met, and events while victims leave.
var preemption = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 16, core.AppAdd: 4, core.AppMove: 2, core.NodeAdd: 2, core.AllocationRelease: 6, core.AskRemove: 2, core.AskUpdate: 3,
		core.AllocationRestore: 10, core.NodeUpdate: 2, core.NodeDrain: 1, core.NodeResume: 2, core.NodeRemove: 1,
		core.AppRemove: 1, core.ConfigSet: 2,
	}),
	requests: []resource.Set{
		set(1000, -1, -1), set(500, -1, -1), set(1000, 1, -1), set(2000, -1, -1), set(500, 1, -1), set(1000, 2, -1),
		set(2000, 1, -1), set(-1, 1, -1), set(-1, 2, -1), set(1000, -1, 1), set(500, 0, 1), set(1500, 1, -1),
	},
	capacities: []resource.Set{set(4000, 4, 1), set(3000, 4, 2), set(2000, 2, -1), set(6000, 6, 1), set(4000, 8, 2)},
	occupied:   []resource.Set{nil, nil, nil, set(500, -1, -1), set(1000, 1, -1)},
	waits: []time.Duration{
		time.Second, time.Second, 2 * time.Second, 500 * time.Millisecond, 5 * time.Second, 2 * time.Second, 30 * time.Second,
	},
	limitOdds:  1,
	promises:   []int64{2, 3, 4, 6, 1, 8, 0},
	preemptive: 5,
	fill:       16,
	appSorts:   []string{"fifo", "fifo", "fair", "stateaware"},
	priorities: []int32{0, 0, 0, 1, 2, -1, 5},
	spareOdds:  3,
	expiryOdds: 16,
	streamOdds: 12,
}

// places draws applications that may not start while others hold their places, on full nodes: stateaware leaves and low maxapplications,
// victims that leave late, priorities that change, required nodes, and reloads that change which applications may start.
var places = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 18, core.AppAdd: 5, core.AppMove: 2, core.NodeAdd: 2, core.AllocationRelease: 8, core.AskRemove: 3, core.AskUpdate: 7,
		core.AllocationRestore: 5, core.NodeUpdate: 2, core.NodeDrain: 1, core.NodeResume: 2, core.NodeRemove: 1,
		core.AppRemove: 2, core.ConfigSet: 4,
	}),
	requests: []resource.Set{
		set(1000, -1, -1), set(500, -1, -1), set(2000, -1, -1), set(1000, 1, -1), set(1500, -1, -1), set(-1, 1, -1),
	},
	capacities: []resource.Set{set(2000, 2, -1), set(3000, 4, 1), set(1000, 1, -1), set(2000, 4, -1)},
	occupied:   []resource.Set{nil, nil, nil, set(500, -1, -1)},
	waits: []time.Duration{
		time.Second, time.Second, 2 * time.Second, 500 * time.Millisecond, 5 * time.Second, 30 * time.Second, 5 * time.Minute,
	},
	limitOdds:  1,
	boundOdds:  2,
	required:   4,
	hugeOdds:   200,
	streamOdds: 6,
	promises:   []int64{2, 3, 4, 6, 1, 8, 0},
	preemptive: 5,
	fill:       10,
	appSorts:   []string{"stateaware", "stateaware", "fifo", "stateaware", "fair"},
	priorities: []int32{0, 0, 1, 0, 2, 5, -1},
	spareOdds:  3,
	expiryOdds: 16,
}

// huge are amounts near the largest one.
var huge = []resource.Set{
	set(-1, math.MaxInt64, -1), set(1000, math.MaxInt64-1, -1), set(-1, math.MaxInt64-4, -1), set(-1, 1<<62, -1), set(math.MaxInt64-1000, -1, -1),
}

// set reads pairs of vcore, memory and gpu in stored units; amounts below zero are left out.
func set(milliVcore, memory, gpu int64) resource.Set {
	quantities := []resource.Quantity{}
	for i, value := range []int64{milliVcore, memory, gpu} {
		if value >= 0 {
			quantities = append(quantities, resource.Quantity{Type: types[i], Value: value})
		}
	}
	return resource.NewSet(quantities...)
}

// weigh lists each kind as often as its weight.
func weigh(weights map[core.InputType]int) []core.InputType {
	order := []core.InputType{
		core.AskAdd, core.AppAdd, core.NodeAdd, core.AllocationRelease, core.AskRemove, core.AskUpdate, core.AllocationRestore,
		core.NodeUpdate, core.NodeDrain, core.NodeResume, core.NodeRemove, core.AppRemove, core.ConfigSet, core.TickInput, core.AppMove,
	}
	var all []core.InputType
	for _, kind := range order {
		for range weights[kind] {
			all = append(all, kind)
		}
	}
	return all
}
