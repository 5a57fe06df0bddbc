package node

import (
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// scoring keeps the scores of nodes that do not depend on the ask. It computes those of the built-in policies directly, with the
// same results, which saves the columns and batches. It asks other policies in batches.
type scoring struct {
	acting  *policy.Acting
	table   *policy.Table // nil if a built-in policy is in force for itself, not as the fallback of a module
	domains domainReader  // for the table
	scores  []int64       // by slot; larger is better
	weights []int64       // by type: how much it counts towards utilisation
	types   int           // number of types when weights was made
	fair    bool          // the built-in policy prefers the least utilised node, rather than the most utilised
}

func newScoring(score *policy.Acting) scoring {
	s := scoring{acting: score, types: -1, fair: score.Module.Native == policy.NativeFairNodes}
	if n := score.Module.Native; n != policy.NativeFairNodes && n != policy.NativePackedNodes {
		s.table = policy.NewTable(score)
	}
	return s
}

// byAsk reports whether scores depend on the ask.
func (s *scoring) byAsk() bool { return s.table != nil && s.acting.Spec().Depends == policy.OnAsk }

// touch marks a node as changed.
func (s *scoring) touch(slot int32) {
	if int(slot) >= len(s.scores) {
		s.scores = extend(s.scores, slot, 0)
	}
	if s.table != nil {
		s.table.Touch(slot)
	}
}

// drop removes a node.
func (s *scoring) drop(slot int32) {
	if s.table != nil {
		s.table.Drop(slot)
	}
}

// score computes a node's score under a built-in policy.
func (p *finder) score(amounts nodes.Amounts) int64 {
	var m policy.Mean
	for t, weight := range p.scoring.weightsOf(p.types) {
		capacity, taken, _ := amounts.Of(t)
		countShare(&m, taken, capacity, weight)
	}
	return p.scoring.fromMean(&m)
}

// countShare adds the used share of a type to a node's utilisation.
func countShare(m *policy.Mean, taken, capacity, weight int64) {
	if weight > 0 && capacity > 0 {
		m.Count(resource.Share(taken, capacity), weight)
	}
}

// fromMean converts a node's utilisation to its score.
func (s *scoring) fromMean(m *policy.Mean) int64 {
	if s.fair {
		return -m.Value()
	}
	return m.Value()
}

// weightsOf returns the weights of all types. Types may become known later.
func (s *scoring) weightsOf(types *resource.Types) []int64 {
	if s.types == types.Len() {
		return s.weights
	}
	s.types, s.weights = types.Len(), make([]int64, types.Width())
	for _, w := range s.acting.Module.Weights {
		if lane, known := types.Find(w.Type); known && w.Thousandths > 0 {
			s.weights[lane] = w.Thousandths
		}
	}
	return s.weights
}

// scoreOf converts a policy's answer to a score. Larger answers are better.
func scoreOf(answer float64) int64 { return -policy.SortKey(-answer) }

// rescore asks the policy about the changed nodes. If another module answers than before, all nodes are filed again in every order.
func (p *finder) rescore() {
	s := &p.scoring
	if s.table == nil || s.byAsk() {
		return
	}
	if s.domains.touch(p, s.table); !s.table.Stale() {
		return
	}
	epoch, long := s.table.Epoch(), false
	if spec := s.acting.Spec(); spec.Depends == policy.OnSiblings || spec.ReadsOtherNodes() {
		s.table.Flush(p, p.storeChanged)
		long = len(p.log) > p.longestLog()
	} else {
		s.table.Flush(p, p.store)
	}
	if long || s.table.Epoch() != epoch {
		p.log, p.era = p.log[:0], p.era+1
	}
}

// store sets a node's score.
func (p *finder) store(slot int32, answers []float64) { p.scoring.scores[slot] = scoreOf(answers[0]) }

// storeChanged sets a node's score, and logs the node if the score differs. Changes of other nodes may cause that.
func (p *finder) storeChanged(slot int32, answers []float64) {
	if p.scoring.scores[slot] != scoreOf(answers[0]) {
		p.store(slot, answers)
		p.log = append(p.log, slot)
	}
}

// Fill writes the columns of a node for a policy.
func (p *finder) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	p.fill(slot, columns, cols, nil)
}

// Name returns the ID of the node in a row.
func (p *finder) Name(slot int32) string { return p.ID(slot) }

// fill writes the columns of a node. of is the order of the ask that is to be placed, or nil if the policy does not depend on it.
func (p *finder) fill(slot int32, columns []policy.Column, cols [][]float64, of *classOrder) {
	for i := range columns {
		c := &columns[i]
		v := c.Default
		switch c.Kind {
		case policy.Attribute:
			v = policy.Number(p.attribute(slot, c.Arg), c.Default)
		case policy.AttributeCode:
			v = c.Code(p.attribute(slot, c.Arg))
		case policy.Domain, policy.DomainFree:
			v = p.ofDomain(slot, c)
		case policy.DomainFits:
			if of != nil {
				v = of.fitsDomain(slot, c.Default)
			}
		default:
			v = p.ofNode(slot, c, of)
		}
		cols[i][slot] = v
	}
}

// ofNode returns the value of a column about a resource type of a node.
func (p *finder) ofNode(slot int32, c *policy.Column, of *classOrder) float64 {
	t, known := c.TypeIn(p.types.View())
	switch {
	case !known && c.Kind == policy.Share:
		return -1
	case !known:
		return c.Default
	case c.Kind != policy.Asked:
		return p.amount(slot, c.Kind, t)
	case of != nil:
		return float64(of.class.Demand().At(t))
	}
	return 0
}

// attribute returns the value of an attribute, or an empty string.
func (p *finder) attribute(slot int32, name string) string {
	value, _ := p.Attribute(slot, name)
	return value
}

func (p *finder) amount(slot int32, kind policy.ColumnKind, t int) float64 {
	amounts := p.Amounts(slot)
	used, capacity := amounts.Taken(t), amounts.Capacity(t)
	switch kind {
	case policy.Used:
		return float64(used)
	case policy.Capacity:
		return float64(capacity)
	case policy.Free:
		return float64(amounts.Free(t))
	default:
		if capacity <= 0 {
			return -1
		}
		return float64(resource.Share(used, capacity))
	}
}
