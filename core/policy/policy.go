// Package policy holds the extension points of the pipeline, what goes through them, and the policies that are built in.
//
// A policy never decides and never compares: at each point it gets a batch of items laid out in columns of numbers and
// answers with numbers, which the pipeline orders by. The built-ins stand behind the same points as any module.
//
// Acting is a policy in force at a point; Table keeps the items of one batch and asks only about those that changed.
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

// The extension points. For each: the items of a batch, and what the answers mean.
const (
	QueueOrder Point = "queue.order" // children of one parent; sort keys, smaller first
	AppOrder   Point = "app.order"   // applications of one leaf; sort keys, smaller first; +Inf first key: not eligible now
	AskOrder   Point = "ask.order"   // asks of one application; sort keys, smaller first
	NodeScore  Point = "node.score"  // nodes; one score, larger is better
	NodeFilter Point = "node.filter" // nodes and an ask; 0 passes, anything else is a reason code
	VictimRank Point = "victim.rank" // candidate victims; sort keys, first to go is smallest
)

// Points lists the extension points.
func Points() []Point {
	return []Point{QueueOrder, AppOrder, AskOrder, NodeScore, NodeFilter, VictimRank}
}

// MaxKeys is how many keys an answer may have.
const MaxKeys = 8

// Dependence says what else than its own row an item's answer depends on, and so when it has to be asked again.
type Dependence string

// The dependences.
const (
	OnRow      Dependence = "row"      // its own row: only rows that changed are asked about
	OnSiblings Dependence = "siblings" // any row of the batch: all are asked about when one changed
	OnAsk      Dependence = "ask"      // its own row and the ask: one order of the nodes for each class of asks

	// OnPlacements is for host predicates alone: the ask, and what is allocated on any node. An answer stands until any node changes, so
	// only those nodes are asked about that a search would choose. A refusal by a negative code stands longer: as long as nodes do nothing
	// but take allocations.
	OnPlacements Dependence = "placements"
)

// PlacementMark ends the names of host predicates that depend on placements. The name tells it, so that a replay asks as the host did.
const PlacementMark = "@placements"

// DepartureMark ends the names of those of them that can also say what they would answer if some allocations had gone (Batch.Gone). Asks
// with such a predicate preempt what it needs gone, and take no victims without which it refuses the node. Of its answers, one that is no
// whole number says that the node is refused whatever goes.
const DepartureMark = "@departures"

// PredicateDependence says what the answers of a host predicate depend on.
func PredicateDependence(name string) Dependence {
	if strings.HasSuffix(name, PlacementMark) || Foresees(name) {
		return OnPlacements
	}
	return OnAsk
}

// Foresees reports whether a host predicate can answer as if some allocations had gone.
func Foresees(name string) bool { return strings.HasSuffix(name, DepartureMark) }

// Batch is one call. Columns are resident: Cols[i][row] is the value of column i for an item, and of the rows there are
// only those in Changed differ from the call before. One table always asks with the same Batch.
type Batch struct {
	Point   Point
	Epoch   uint64 // another one: all rows were written again, the columns may be others
	Keys    int
	Columns []Column // as declared, one for each type in the place of those for every type
	Cols    [][]float64
	Changed []int32   // the rows that were written since the call before
	Dropped []int32   // the rows that went since the call before; one that came again is in Changed too
	Rows    []int32   // the rows to answer
	Out     []float64 // answers: Out[row*Keys+j]
	Depends Dependence
	Texts   []string // behind codes: code i+1 is Texts[i]. It only grows
	// Items names the rows: for predicates of the host, which know nodes by name.
	Items Namer
	// Gone are allocations, by ID, that the answers must not count, although nodes still have them. Only predicates that Foresees reports
	// are asked so.
	Gone []string
}

// Namer names the items of a batch.
type Namer interface {
	// Name is the ID of the item in a row.
	Name(row int32) string
}

// Evaluator answers batches. Eval is synchronous, must not keep the batch, and never calls back into the scheduler.
type Evaluator interface {
	Eval(*Batch) error
}

// Module is a policy that exists: what it declares, and what answers for it.
type Module struct {
	Manifest
	Evaluator
	// Native names the built-in rule, so that an order can work out its keys itself instead of filling columns for
	// Eval to copy. A module from outside, and a built-in with a shadow, has none: it is always asked.
	Native Native
	// Weights are those of a node's utilisation, for NativeFairNodes and NativePackedNodes.
	Weights []Weight
}

// Native is a built-in rule whose answers follow from an item alone.
type Native uint8

// The built-in rules; their keys are those of the functions of the same name.
const (
	NoNative Native = iota
	NativeFairQueues
	NativeFifoApps
	NativeFairApps
	NativeFifoAsks
	NativeFairNodes
	NativePackedNodes
)

// Acting is the policy in force at one point for one configuration of it: a module, with a built-in behind it that
// answers when the module fails. Its owner swaps the two when the module is quarantined or comes back.
type Acting struct {
	Point    Point
	Module   *Module
	Fallback *Module
	// Symbols gives columns their types and codes; a module needs one, the built-ins do not.
	Symbols *SymbolTable
	// OnFault is told of a failed call before the fallback answers; it must not ask the policy again.
	OnFault func(a *Acting, fault error)
	// Recorded says that answers are served again to schedulers whose rows have other numbers. So where a table asks about all rows, it does
	// in the order of their names.
	Recorded bool

	failing bool
	epoch   uint64
	spec    *PointSpec // of the module that answers
	types   int        // there were when the spec was made
}

// ErrAnswer is wrapped by faults about what a policy answered, where the call itself did not fail.
var ErrAnswer = errors.New("bad answer")

// Faults of a module that answered: ErrImpure is wrapped where it answered the same call in two ways, ErrUnstable where too
// many of its calls had to be made twice.
var (
	ErrImpure   = errors.New("impure")
	ErrUnstable = errors.New("unstable")
)

// Current is the module that answers now.
func (a *Acting) Current() *Module {
	if a.failing {
		return a.Fallback
	}
	return a.Module
}

// Native is the built-in rule that answers now, or NoNative where a batch has to be asked.
func (a *Acting) Native() Native { return a.Current().Native }

// Failing reports whether the fallback answers.
func (a *Acting) Failing() bool { return a.failing }

// Fail lets the fallback answer from now on, and Recover the module; every table is then asked about again.
func (a *Acting) Fail() { a.swap(true) }

// Recover lets the module answer again.
func (a *Acting) Recover() { a.swap(false) }

func (a *Acting) swap(failing bool) {
	if a.failing != failing && a.Fallback != nil {
		a.failing = failing
		a.epoch++
		a.spec = nil
	}
}

// Spec is what the module that answers now declares for the point.
func (a *Acting) Spec() *PointSpec {
	if a.spec == nil {
		a.spec = a.Current().Points[a.Point]
		if a.Symbols != nil {
			a.spec, a.types = a.Symbols.Resolve(a.spec), a.Symbols.types.Len()
		}
	}
	return a.spec
}

// round is how many allocations answers hold for.
func (a *Acting) round() uint64 {
	if a.Symbols == nil || a.failing {
		return 1
	}
	return uint64(a.Module.Round)
}

// Widen follows the table of resource types: a policy that reads columns of every type is asked about everything again,
// with more columns, when there are new ones. It reports whether that is so.
func (a *Acting) Widen() bool {
	if a.Symbols == nil || a.spec == nil || a.types == a.Symbols.types.Len() || !a.Current().Points[a.Point].wild() {
		return false
	}
	a.spec = nil
	a.epoch++
	return true
}

// ask evaluates a batch and checks the answers.
func (a *Acting) ask(b *Batch) error {
	if err := a.Current().Eval(b); err != nil {
		return err
	}
	return b.Check()
}

// Check looks at the answers: a fault that wraps ErrAnswer names the item whose answer is no number.
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

// SortKey maps an answer to an integer that orders the same way, so that orders compare integers alone.
func SortKey(v float64) int64 {
	bits := int64(math.Float64bits(v + 0)) // -0 and 0 are one key
	if bits < 0 {
		return bits ^ math.MaxInt64
	}
	return bits
}

// Number reads a text that a policy wants as a number: an attribute, a tag, a property. What is no number is otherwise.
func Number(text string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return otherwise
	}
	return v
}
