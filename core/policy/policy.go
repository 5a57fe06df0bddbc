// Package policy defines the extension points of the scheduler, the batches in which policies are called, and the built-in policies.
//
// A policy does not decide and does not compare. At each point, it gets a batch of items, described by columns of numbers, and answers
// with numbers, by which the scheduler sorts. Built-in policies use the same interface as modules.
//
// Acting is the policy in force at a point. Table keeps the items of one batch, and asks only about those that changed. Packages node,
// app, queue and state call policies through it.
package policy

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Point names an extension point.
type Point string

// The extension points, with the items of a batch and the meaning of the answers.
const (
	QueueOrder Point = "queue.order" // children of one parent; sort keys, smaller first
	AppOrder   Point = "app.order"   // applications of one leaf; sort keys, smaller first; +Inf first key: not eligible now
	AskOrder   Point = "ask.order"   // asks of one application; sort keys, smaller first
	NodeScore  Point = "node.score"  // nodes; one score, larger is better
	NodeFilter Point = "node.filter" // nodes and an ask; 0 passes, anything else is a reason code
	VictimRank Point = "victim.rank" // candidate victims; sort keys, the smallest is preempted first
)

// Points lists the extension points.
func Points() []Point {
	return []Point{QueueOrder, AppOrder, AskOrder, NodeScore, NodeFilter, VictimRank}
}

// MaxKeys is the maximum number of keys of an answer.
const MaxKeys = 8

// Dependence says on what an item's answer depends, and so when the policy has to be asked again.
type Dependence string

// The dependences.
const (
	OnRow      Dependence = "row"      // on its own row: only changed rows are asked about
	OnSiblings Dependence = "siblings" // on all rows of the batch: all are asked about when one has changed
	OnAsk      Dependence = "ask"      // on its own row and the ask: nodes have one order for each class of asks

	// OnPlacements is only for host predicates: answers depend on the ask, and on the allocations of all nodes. An answer is valid until
	// any node changes, so only the nodes that a search would return are asked about. A refusal with a negative code stays valid while
	// nodes only receive new allocations.
	OnPlacements Dependence = "placements"
)

// PlacementMark is the suffix of the names of host predicates that depend on placements. It is part of the name, so that a replay asks
// the same questions as the host did.
const PlacementMark = "@placements"

// DepartureMark is the suffix of the names of host predicates that depend on placements and can also answer as if some allocations had
// gone (Batch.Gone). Asks with such a predicate may preempt allocations because of which it refuses a node, and do not preempt those
// without which it refuses the node. A code that is not an integer means that the node is refused whichever allocations go.
const DepartureMark = "@departures"

// PredicateDependence returns the dependence of a host predicate, from its name.
func PredicateDependence(name string) Dependence {
	if strings.HasSuffix(name, PlacementMark) || SupportsDepartures(name) {
		return OnPlacements
	}
	return OnAsk
}

// SupportsDepartures reports whether a host predicate can answer as if some allocations had gone.
func SupportsDepartures(name string) bool { return strings.HasSuffix(name, DepartureMark) }

// Batch is one call of a policy. Columns persist between calls: Cols[i][row] is the value of column i for an item, and only the rows in
// Changed differ from the previous call. A table uses the same Batch for all calls.
type Batch struct {
	Point   Point
	Epoch   uint64 // if it differs from the previous call, all rows were written again, and columns may differ
	Keys    int
	Columns []Column // as declared, with a column for each type in place of one for *
	Cols    [][]float64
	Changed []int32   // rows written since the previous call
	Dropped []int32   // rows removed since the previous call; a row that was added again is also in Changed
	Rows    []int32   // rows to answer
	Out     []float64 // answers: Out[row*Keys+j]
	Depends Dependence
	Texts   []string // texts of codes: code i+1 is Texts[i]; it only grows
	// Items returns the names of rows, for host predicates, which identify nodes by name.
	Items Namer
	// Gone lists IDs of allocations that answers must ignore, although nodes still have them. It is used only for predicates for which
	// SupportsDepartures is true.
	Gone []string
}

// Namer returns the names of the items of a batch.
type Namer interface {
	// Name returns the ID of the item in a row.
	Name(row int32) string
}

// Evaluator answers batches. Eval is synchronous. It must not keep the batch, and must not call the scheduler.
type Evaluator interface {
	Eval(*Batch) error
}

// Module is a policy: its declaration and its evaluator.
type Module struct {
	Manifest
	Evaluator
	// Native identifies a built-in rule, whose keys an order may compute directly instead of calling Eval. It is NoNative for external
	// modules and for built-ins with a shadow, which are always called.
	Native Native
	// Weights are the weights of utilisation, for NativeFairNodes and NativePackedNodes.
	Weights []Weight
}

// Native is a built-in rule whose answers depend only on the item.
type Native uint8

// The built-in rules. Their keys are those of the functions with the same name.
const (
	NoNative Native = iota
	NativeFairQueues
	NativeFifoApps
	NativeFairApps
	NativeFairUsers
	NativeFifoAsks
	NativeFairNodes
	NativePackedNodes
)

// Acting is the policy in force at one point for one configuration of it: a module, and a built-in that answers when the module fails.
// Its owner switches between them when the module is quarantined or recovers.
type Acting struct {
	Point    Point
	Module   *Module
	Fallback *Module
	// Symbols has the types and codes of columns. Modules need one, built-ins do not.
	Symbols *SymbolTable
	// OnFault is called after a failed call, before the fallback answers. It must not call the policy.
	OnFault func(a *Acting, fault error)
	// Recorded is set if answers are recorded and replayed to schedulers whose rows have other numbers. Tables then sort calls about all
	// rows by name.
	Recorded bool

	failing bool
	epoch   uint64
	spec    *PointSpec // of the current module
	types   int        // number of types when spec was made
}

// ErrAnswer is wrapped by faults about invalid answers of calls that did not fail.
var ErrAnswer = errors.New("bad answer")

// ErrImpure is wrapped by faults of modules that answered the same call differently, and ErrUnstable by faults of modules of which too
// many calls had to be repeated.
var (
	ErrImpure   = errors.New("impure")
	ErrUnstable = errors.New("unstable")
)

// Current returns the module that answers now: Module or Fallback.
func (a *Acting) Current() *Module {
	if a.failing {
		return a.Fallback
	}
	return a.Module
}

// Native returns the built-in rule that answers now, or NoNative if Eval has to be called.
func (a *Acting) Native() Native { return a.Current().Native }

// Failing reports whether the fallback answers.
func (a *Acting) Failing() bool { return a.failing }

// Fail makes the fallback answer from now on. All tables ask about all rows again.
func (a *Acting) Fail() { a.swap(true) }

// Recover makes the module answer again. All tables ask about all rows again.
func (a *Acting) Recover() { a.swap(false) }

func (a *Acting) swap(failing bool) {
	if a.failing != failing && a.Fallback != nil {
		a.failing = failing
		a.epoch++
		a.spec = nil
	}
}

// Spec returns the declaration of the current module for the point.
func (a *Acting) Spec() *PointSpec {
	if a.spec == nil {
		a.spec = a.Current().Points[a.Point]
		if a.Symbols != nil {
			a.spec, a.types = a.Symbols.Resolve(a.spec), a.Symbols.types.Len()
		}
	}
	return a.spec
}

// round returns the number of allocations for which answers are valid.
func (a *Acting) round() uint64 {
	if a.Symbols == nil || a.failing {
		return 1
	}
	return uint64(a.Module.Round)
}

// Widen must be called when the table of resource types has grown. It reports whether the policy reads columns of every type, so that
// all tables ask about all rows again, with more columns.
func (a *Acting) Widen() bool {
	if a.Symbols == nil || a.spec == nil || a.types == a.Symbols.types.Len() || !a.Current().Points[a.Point].readsEveryType() {
		return false
	}
	a.spec = nil
	a.epoch++
	return true
}

// ask calls the current module, and checks its answers.
func (a *Acting) ask(b *Batch) error {
	if err := a.Current().Eval(b); err != nil {
		return err
	}
	return b.Check()
}

// Check validates the answers. If one is NaN, it returns an error that wraps ErrAnswer and names the row.
func (b *Batch) Check() error {
	for _, row := range b.Rows {
		for j := range b.Keys {
			if v := b.Out[int(row)*b.Keys+j]; math.IsNaN(v) {
				return fmt.Errorf("%w: expected a number for item %d, found NaN", ErrAnswer, row)
			}
		}
	}
	return nil
}

// SortKey maps an answer to an integer with the same order, so that orders compare only integers.
func SortKey(v float64) int64 {
	bits := int64(math.Float64bits(v + 0)) // -0 and 0 have the same key
	if bits < 0 {
		return bits ^ math.MaxInt64
	}
	return bits
}

// Number parses an attribute, a tag or a property as a number. If it is not one, Number returns otherwise.
func Number(text string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return otherwise
	}
	return v
}

// Seconds returns a duration in nanoseconds as seconds. If it is zero, Seconds returns otherwise.
func Seconds(nanoseconds int64, otherwise float64) float64 {
	const second = 1_000_000_000
	if nanoseconds == 0 {
		return otherwise
	}
	return float64(nanoseconds/second) + float64(nanoseconds%second)/second
}
