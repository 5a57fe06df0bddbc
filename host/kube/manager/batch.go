package manager

import (
	"slices"

	"github.com/quern-project/quern/core"
)

// batch gathers the inputs of the next request. Nodes come first, then allocations and releases, then asks, so that no ask is placed on room that is
// in use.
type batch struct {
	nodes, rest, asks []core.Input
}

// add puts an input where it belongs.
func (b *batch) add(in core.Input) {
	switch in.Type() {
	case core.NodeAdd, core.NodeUpdate, core.NodeRemove:
		b.nodes = append(b.nodes, in)
	case core.AskAdd, core.AskUpdate:
		b.asks = append(b.asks, in)
	default:
		b.rest = append(b.rest, in)
	}
}

// beforeAsks adds the update of an allocation, which comes before all asks.
func (b *batch) beforeAsks(in core.Input) { b.rest = append(b.rest, in) }

// take empties the batch, and returns its inputs in order.
func (b *batch) take() []core.Input {
	inputs := slices.Concat(b.nodes, b.rest, b.asks)
	*b = batch{}
	return inputs
}
