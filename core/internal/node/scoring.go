package node

import (
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// scoring tells the scores of nodes as far as they do not depend on the ask. Those of the built-in policies it works out
// itself: they are what the policy would answer, without columns and batches. Others are asked about in batches.
type scoring struct {
	acting *policy.Acting
	table  *policy.Table // nil: a built-in policy is in force, and no module that it stands in for
	scores []int64       // by slot, the best is the largest
	shares []weightedType
	types  int  // there were when shares was made
	fair   bool // of the built-in policies the one by which the least utilised node is the best
}

// weightedType is a type that counts in a node's utilisation.
type weightedType struct {
	lane   int
	weight int64
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

// touch notes that a node changed.
func (s *scoring) touch(slot int32) {
	if int(slot) >= len(s.scores) {
		s.scores = extend(s.scores, slot, 0)
	}
	if s.table != nil {
		s.table.Touch(slot)
	}
}

// drop forgets a node.
func (s *scoring) drop(slot int32) {
	if s.table != nil {
		s.table.Drop(slot)
	}
}

// utilisation works out the score of a built-in policy.
func (s *scoring) utilisation(types *resource.Types, n *Node) int64 {
	if s.types != types.Len() {
		s.weigh(types)
	}
	var m policy.Mean
	for i := range s.shares {
		w := &s.shares[i]
		if capacity := n.Capacity[w.lane]; capacity > 0 {
			m.Count(resource.Share(n.taken(w.lane), capacity), w.weight)
		}
	}
	mean := m.Value()
	if s.fair {
		return -mean
	}
	return mean
}

// weigh looks up the types that count; others may become known later.
func (s *scoring) weigh(types *resource.Types) {
	s.types, s.shares = types.Len(), s.shares[:0]
	for _, w := range s.acting.Module.Weights {
		if lane, known := types.Find(w.Type); known && w.Thousandths > 0 {
			s.shares = append(s.shares, weightedType{lane, w.Thousandths})
		}
	}
}

// scoreOf turns what a policy answers into a score: a larger answer is a better one.
func scoreOf(answer float64) int64 { return -policy.SortKey(-answer) }

// rescore asks the policy about the nodes that changed. Where another module answers than before, every order is sorted again.
func (p *Pool) rescore() {
	s := &p.scoring
	if s.table == nil || !s.table.Stale() || s.byAsk() {
		return
	}
	epoch, long := s.table.Epoch(), false
	if s.acting.Spec().Depends == policy.OnSiblings {
		s.table.Flush(p, p.storeChanged)
		long = len(p.log) > p.longestLog()
	} else {
		s.table.Flush(p, p.store)
	}
	if long || s.table.Epoch() != epoch {
		p.log, p.era = p.log[:0], p.era+1
	}
}

// store keeps a node's score.
func (p *Pool) store(slot int32, answers []float64) { p.scoring.scores[slot] = scoreOf(answers[0]) }

// storeChanged keeps a node's score, and logs the node where it has got another one, which siblings may cause.
func (p *Pool) storeChanged(slot int32, answers []float64) {
	if p.scoring.scores[slot] != scoreOf(answers[0]) {
		p.store(slot, answers)
		p.log = append(p.log, slot)
	}
}

// Fill describes a node to a policy.
func (p *Pool) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	p.fill(slot, columns, cols, nil)
}

// Name is the ID of the node in a row.
func (p *Pool) Name(slot int32) string { return p.nodes.Items[slot].ID }

func (p *Pool) fill(slot int32, columns []policy.Column, cols [][]float64, demand resource.Vec) {
	n := p.nodes.Items[slot]
	for i := range columns {
		c := &columns[i]
		v := c.Default
		if c.Kind == policy.Attribute {
			v = policy.Number(n.Attributes[c.Arg], c.Default)
		} else if c.Kind == policy.AttributeCode {
			v = c.Code(n.Attributes[c.Arg])
		} else if t, ok := c.TypeIn(p.types); ok {
			v = n.amount(c.Kind, t, demand)
		} else if c.Kind == policy.Share {
			v = -1
		}
		cols[i][slot] = v
	}
}

func (n *Node) amount(kind policy.ColumnKind, t int, demand resource.Vec) float64 {
	used := n.taken(t)
	switch kind {
	case policy.Used:
		return float64(used)
	case policy.Capacity:
		return float64(n.Capacity[t])
	case policy.Free:
		return float64(n.Free(t))
	case policy.Asked:
		if demand != nil {
			return float64(demand[t])
		}
		return 0
	default:
		if n.Capacity[t] <= 0 {
			return -1
		}
		return float64(resource.Share(used, n.Capacity[t]))
	}
}
