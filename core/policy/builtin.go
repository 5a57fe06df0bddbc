package policy

import (
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// Weight is the weight of a type in a node's utilisation, in thousandths.
type Weight struct {
	Type        string
	Thousandths int64
}

// evaluator makes a function an Evaluator.
type evaluator func(*Batch) error

func (f evaluator) Eval(b *Batch) error { return f(b) }

func builtin(name string, p Point, spec PointSpec, n Native, f evaluator) *Module {
	return &Module{Manifest: Manifest{Name: name, Points: map[Point]*PointSpec{p: &spec}}, Evaluator: f, Native: n}
}

// Builtin returns the built-in policy with a name at a point, or nil if there is none. weights are those of utilisation, for node.score.
func Builtin(p Point, name string, weights []Weight) *Module {
	switch {
	case p == QueueOrder && name == "fair":
		return FairQueues()
	case p == AppOrder && name == "fair":
		return FairApps()
	case p == AppOrder && name == "fair-users":
		return FairUsers()
	case p == AppOrder && (name == "fifo" || name == "stateaware"):
		return FifoApps(name)
	case p == AskOrder && name == "fifo":
		return FifoAsks()
	case p == NodeScore && name == "fair":
		return FairNodes(weights)
	case p == NodeScore && name == "binpacking":
		return PackedNodes(weights)
	}
	return nil
}

// Fallback returns the policy that answers at a point when a module fails: the built-in with the name, or else the default of the point.
func Fallback(p Point, name string, weights []Weight) *Module {
	for _, name := range []string{name, "fifo", "fair"} {
		if m := Builtin(p, name, weights); m != nil {
			return m
		}
	}
	if p == NodeFilter {
		return PassAll()
	}
	return EqualVictims()
}

// FairQueues is queue.order `fair`: the smallest used share comes first, and among equal shares the larger pending share.
func FairQueues() *Module {
	spec := PointSpec{Columns: []Column{{Kind: FairShare}, {Kind: PendingShare}}, Keys: 2, Depends: OnRow}
	return builtin("fair", QueueOrder, spec, NativeFairQueues, func(b *Batch) error {
		share, pending := b.Cols[0], b.Cols[1]
		for _, r := range b.Rows {
			b.Out[2*r], b.Out[2*r+1] = share[r], -pending[r]
		}
		return nil
	})
}

// FifoApps is app.order `fifo` or `stateaware`: first submitted, first served. The filter of stateaware is not part of the policy; see
// package app.
func FifoApps(name string) *Module {
	return builtin(name, AppOrder, PointSpec{Columns: []Column{{Kind: Submitted}}, Keys: 1, Depends: OnRow}, NativeFifoApps, copyColumns)
}

// FairApps is app.order `fair`: the least used application comes first, compared by its shares in descending order.
func FairApps() *Module {
	spec := PointSpec{Keys: MaxKeys, Depends: OnRow}
	for i := range MaxKeys {
		spec.Columns = append(spec.Columns, Column{Kind: TopShare, Arg: string(rune('1' + i))})
	}
	return builtin("fair", AppOrder, spec, NativeFairApps, copyColumns)
}

// FairUsers is app.order `fair-users`: the application of the user who has used least comes first. Its keys are shares of users, which no
// column offers, so the leaf computes them itself and never asks it.
func FairUsers() *Module {
	return builtin("fair-users", AppOrder, PointSpec{Columns: []Column{{Kind: Submitted}}, Keys: 1, Depends: OnRow}, NativeFairUsers, copyColumns)
}

// FifoAsks is ask.order `fifo`: first submitted, first served.
func FifoAsks() *Module {
	return builtin("fifo", AskOrder, PointSpec{Columns: []Column{{Kind: Submitted}}, Keys: 1, Depends: OnRow}, NativeFifoAsks, copyColumns)
}

// copyColumns answers with the columns as keys.
func copyColumns(b *Batch) error {
	for j, col := range b.Cols {
		for _, r := range b.Rows {
			b.Out[int(r)*b.Keys+j] = col[r]
		}
	}
	return nil
}

// FairNodes is node.score `fair`: the least utilised node scores best.
func FairNodes(weights []Weight) *Module { return utilisation("fair", weights, -1, NativeFairNodes) }

// PackedNodes is node.score `binpacking`: the most utilised node scores best.
func PackedNodes(weights []Weight) *Module {
	return utilisation("binpacking", weights, 1, NativePackedNodes)
}

func utilisation(name string, weights []Weight, sign float64, n Native) *Module {
	spec := PointSpec{Keys: 1, Depends: OnRow}
	for _, w := range weights {
		if w.Thousandths > 0 {
			spec.Columns = append(spec.Columns, Column{Kind: Share, Arg: w.Type})
		}
	}
	counted := make([]int64, 0, len(weights))
	for _, w := range weights {
		if w.Thousandths > 0 {
			counted = append(counted, w.Thousandths)
		}
	}
	m := builtin(name, NodeScore, spec, n, func(b *Batch) error {
		for _, r := range b.Rows {
			b.Out[r] = sign * float64(meanShare(b.Cols, r, counted))
		}
		return nil
	})
	m.Weights = weights
	return m
}

func meanShare(cols [][]float64, row int32, weights []int64) int64 {
	var m Mean
	for i, col := range cols {
		if col[row] >= 0 {
			m.Count(int64(col[row]), weights[i])
		}
	}
	return m.Value()
}

// Mean is a weighted mean of shares: floor(sum of weight * share / sum of weights). It is exact for all weights.
type Mean struct {
	hi, lo  uint64
	weights uint64
}

// Count adds a share, 0 to resource.ShareCap, with its weight in thousandths, at least 0.
func (m *Mean) Count(share, weight int64) {
	hi, lo := bits.Mul64(uint64(share), uint64(weight))
	var carry uint64
	m.lo, carry = bits.Add64(m.lo, lo, 0)
	m.hi += hi + carry
	m.weights += uint64(weight)
}

// Value returns the mean, or 0 if no share was counted.
func (m *Mean) Value() int64 {
	if m.weights == 0 {
		return 0
	}
	if m.hi == 0 {
		return int64(m.lo / m.weights)
	}
	q, _ := bits.Div64(m.hi%m.weights, m.lo, m.weights)
	return int64(min(q, resource.ShareCap))
}

// EqualVictims is victim.rank without a preference, the fallback of failed policies.
func EqualVictims() *Module {
	return constant("equal", VictimRank, PointSpec{Keys: 1, Depends: OnRow}, 0)
}

// PassAll is node.filter that admits every ask to every node, the fallback of failed filters.
func PassAll() *Module { return constantFilter("pass-all", 0) }

// RefuseAll is node.filter that refuses every node, the fallback of failed host predicates: an ask must not be allocated on a node that
// the host may forbid.
func RefuseAll() *Module { return constantFilter("refuse-all", 1) }

func constantFilter(name string, code float64) *Module {
	return constant(name, NodeFilter, PointSpec{Keys: 1, Depends: OnAsk}, code)
}

// constant makes a policy with the same answer for all items.
func constant(name string, p Point, spec PointSpec, answer float64) *Module {
	return builtin(name, p, spec, NoNative, func(b *Batch) error {
		for _, r := range b.Rows {
			b.Out[r] = answer
		}
		return nil
	})
}
