package core

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Options are what a Scheduler is made with.
type Options struct {
	// Evaluator returns who answers for a policy module that a policy.set announces, or for a host predicate (with
	// neither hash nor manifest). nil, from it or instead of it: nobody does, and the policy's fallback answers unless the journal
	// has recorded answers.
	Evaluator func(PolicyModule) policy.Evaluator
	// Impure says which of them are not pure functions although their manifest does not say so: their answers are
	// recorded (see Answered). Host predicates always are.
	Impure func(name string) bool
	// Witness is shown each built-in policy that comes into force at a point, and returns what answers for it: the same,
	// or a module of its name with the same keys and the same answers that tells somebody of what it is asked, and may have more
	// columns for them. nil: nobody wants to know.
	Witness func(policy.Point, *policy.Module) *policy.Module
	// SearchSteps is how many steps one Cycle may look for victims; a step takes about 10 ns. What is left over the next
	// Cycle does; decisions do not depend on it. 0: 500,000 steps.
	SearchSteps int
}

// Scheduler is the state machine; make one with New. See the package's documentation for the host's part.
type Scheduler struct {
	options Options
	started bool
	now     time.Duration
	out     []Decision
	seq     uint64 // of decisions

	types   *resource.Types
	classes *class.Registry
	nodes   *node.Pool
	local   []residents // by node slot

	conf   *config.Config
	source configSource
	root   *queue.Queue
	leaves []*leaf // by ID; nil when free
	byPath map[string]*queue.Queue
	wide   queue.Cluster

	apps     map[string]*app.App
	asks     map[string]*app.Ask // pending and allocated
	spare    []*app.Ask
	ended    []endedApp // terminal applications until they expire, in order
	counters counters

	resting  map[string][]resting // by required node
	stirred  []string             // of these nodes, those that have changed
	timers   timers
	arrivals arrivals
	kept     reservations
	claims   claims
	seek     seeking
	finder   *preempt.Finder
	ranks    ranks
	leaving  map[*app.Ask]*departure
	gone     []departure // victims that have left, in order
	search   search
	policies policies
}

// residents are the allocations on a node and the ask that it is reserved for.
type residents struct {
	placed app.List
	holder *app.Ask
	claim  *claim // of an ask that preempted here: the node is kept for it
}

// leaf is a leaf queue with its applications.
type leaf struct {
	*app.Leaf
	queue *queue.Queue
	seen  uint64 // the epoch of the cluster's total that its order was made with
	holds int    // required nodes held for its asks
	seeker
}

// counters hand out the numbers that orders end in.
type counters struct {
	App, Ask, Placed, Reserved uint64
	Claimed                    uint64 `json:",omitempty"`
}

// New makes a scheduler without nodes or applications, with one leaf queue, root.default.
func New(o Options) *Scheduler {
	s := &Scheduler{options: o, types: resource.NewTypes(), apps: map[string]*app.App{}, asks: map[string]*app.Ask{}}
	s.classes = class.NewRegistry(s.types)
	s.policies = newPolicies(s.types)
	s.search.world = 1
	c := config.Default()
	s.nodes = node.NewPool(s.types, s.scoreOf(c), s.predicate)
	s.finder = preempt.New(s.nodes, s.firstOn, s.keeperOf)
	s.leaving, s.resting = map[*app.Ask]*departure{}, map[string][]resting{}
	s.search.barred = math.MinInt32
	s.measure()
	s.install(c)
	return s
}

// measure renews what depends on the width of vectors.
func (s *Scheduler) measure() {
	width := s.types.Width()
	s.wide.Total = s.nodes.Total()
	s.wide.Scratch = make(resource.Vec, width)
	s.wide.Within = s.classes.Within
	s.wide.Largest = s.classes.Largest()
	s.search.measure(width)
}

// admit makes the types of some sets known; the width of every vector may grow with them.
func (s *Scheduler) admit(sets ...resource.Set) {
	if !s.types.Admit(sets...) {
		return
	}
	width := s.types.Width()
	s.classes.Widen()
	s.nodes.Widen()
	s.finder.Reset()
	s.root.Widen(width)
	for _, l := range s.leaves {
		if l != nil {
			l.Widen(width)
		}
	}
	s.measure()
	s.root.Max = s.nodes.Total()
	s.reconsider()
}

// Now is the time of the last Advance.
func (s *Scheduler) Now() time.Duration { return s.now }

// Take returns the decisions made since the last Take.
func (s *Scheduler) Take() []Decision {
	out := s.out
	s.out = s.out[:0]
	return out
}

// emit appends a decision of a type and returns it to be filled in.
func (s *Scheduler) emit(t DecisionType) *Decision {
	s.seq++
	s.out = append(s.out, Decision{Seq: s.seq, At: s.now, Type: t})
	return &s.out[len(s.out)-1]
}

// Apply takes one input of the present instant.
func (s *Scheduler) Apply(in *Input) {
	s.search.world++
	s.apply(in)
	s.widenPolicies()
	switch in.Type {
	case NodeUpdate, NodeDrain, NodeRemove, ConfigSet, AllocationRestore, AskUpdate:
		s.lapseClaims()
	default:
		if slices.ContainsFunc(s.claims.list, (*claim).contended) {
			s.lapseClaims()
		}
	}
}

func (s *Scheduler) apply(in *Input) {
	switch in.Type {
	case NodeAdd:
		s.addNode(in)
	case NodeUpdate:
		s.updateNode(in)
	case NodeDrain:
		s.drainNode(in)
	case NodeResume:
		s.resumeNode(in)
	case NodeRemove:
		s.removeNode(in)
	case AppAdd:
		s.addApp(in)
	case AppRemove:
		s.removeApp(in)
	case AskAdd:
		s.addAsk(in)
	case AskUpdate:
		s.updateAsk(in)
	case AskRemove:
		s.removeAsk(in)
	case AllocationRelease:
		s.releaseAllocation(in)
	case AllocationRestore:
		s.restoreAllocation(in)
	case ConfigSet:
		s.setConfig(in)
	case PolicySet:
		s.setPolicy(in)
	case PolicyRemove:
		s.removePolicy(in)
	case PolicyAnswers:
		s.recordAnswers(in)
	}
}

// ignore says that an input had no effect.
func (s *Scheduler) ignore(in *Input, reason Reason, message string) {
	d := s.emit(Ignored)
	d.ID, d.Input, d.Reason, d.Message = in.ID, in.Type, reason, message
	if in.Policy != nil {
		d.ID = in.Policy.Name
	}
}
