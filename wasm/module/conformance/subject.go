package conformance

import (
	"slices"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/sdk/abi"
	engine "github.com/quern-project/quern/wasm/module/guest"
)

// Subject is a policy under test, as the caller runs it. It has to be accepted by the host already.
type Subject struct {
	Declared  *abi.Manifest    // what the policy says of itself
	Announced *policy.Manifest // with its settings, as a scheduler knows it
	// Instance makes an instance of a module that is neither initialized nor configured. nil: the policy is a process.
	Instance func() (engine.EngineInstance, error)
	// Start makes a copy of a process with these values of its parameters, in JSON, and returns what ends it.
	Start func(config []byte) (e policy.Evaluator, end func(), err error)
	// Evaluator makes a copy of a module as the scheduler's host does, with its settings and limits, and returns what ends it.
	Evaluator func() (e policy.Evaluator, end func(), err error)
	// InTime asks a copy of a process about batches of these numbers of rows and returns the times that it took, for a
	// reader. Where one takes too long, found says so and expected what was expected.
	InTime func(p policy.Point, sizes []int, batch func(rows int) *policy.Batch, e policy.Evaluator) (took, expected, found string)
}

// ServedPoints lists the points of a manifest in the order of the contract.
func ServedPoints(m *policy.Manifest) []policy.Point {
	return slices.DeleteFunc(policy.Points(), func(p policy.Point) bool { return m.Points[p] == nil })
}

// NewSymbolTable makes the symbol table of a cluster that has the resource types which every cluster has, and gpu. Texts
// get their codes in the order given.
func NewSymbolTable(texts ...string) *policy.SymbolTable {
	types := resource.NewTypes()
	for _, t := range []string{"memory", resource.VCore, "gpu"} {
		types.Intern(t)
	}
	l := policy.NewSymbolTable(types)
	for _, t := range texts {
		l.Code(t)
	}
	return l
}
