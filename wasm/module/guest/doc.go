// Package guest runs policy modules on any WebAssembly engine. It does what does not depend on the engine: the arena and
// the frames in it, texts, configuration, fuel budgets, return codes, the check of answers, the trial, and an operator's
// settings applied to a module's manifest.
//
// An engine provides an EngineInstance. NewInstance makes an Instance of it, and an Evaluator answers the batches of a
// scheduler with instances, replacing those that fail. The memory of a module is either the engine's own, which this
// package writes to directly, or out of reach (in a page, beside the core): then this package writes to a copy, and each
// Call says which parts of it changed.
//
// Nothing here locks: an instance or evaluator belongs to one goroutine.
package guest
