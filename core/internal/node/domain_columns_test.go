package node_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
)

// byDomain returns a score that adds up columns, which it declares.
func byDomain(depends policy.Dependence, columns ...string) *policy.Module {
	spec := &policy.PointSpec{Keys: 1, Depends: depends}
	for _, text := range columns {
		c, err := policy.ParseColumn(text)
		if err != nil {
			panic(err)
		}
		spec.Columns = append(spec.Columns, c)
	}
	m := policy.FairNodes(nil)
	m.Native, m.Manifest = policy.NoNative, policy.Manifest{Name: "sums", Points: map[policy.Point]*policy.PointSpec{policy.NodeScore: spec}}
	m.Evaluator = eval(func(b *policy.Batch) error {
		for _, row := range b.Rows {
			b.Out[row] = 0
			for i, col := range b.Cols {
				if v := col[row]; b.Columns[i].Kind.Coded() {
					b.Out[row] += float64(len(append([]string{""}, b.Texts...)[int(v)]))
				} else {
					b.Out[row] += v
				}
			}
		}
		return nil
	})
	return m
}

// domainScore is the score of byDomain with the columns of TestDomainColumns_AnswerLikeAScan.
func (tr *finderRun) domainScore(c class.Class, n int32) (score int64) {
	for level, name := range []string{"region", "rack"} {
		inside, ok := tr.sameDomain(n, level)
		if !ok {
			score -= 5 // the default
			continue
		}
		score += int64(len(tr.Domains().Path(tr.Domains().Of(n, level))[level])) + int64(level)*int64(len(tr.Domains().Path(tr.Domains().Of(n, level))[0])+1)
		for _, other := range inside {
			if tr.Available(other) {
				score += tr.Free(other, level)
			}
			if tr.name != "domain, asked" || c.Topology().Required() != name || !tr.Available(other) || tr.Hold(other).IsReserved() {
				continue
			}
			if tr.Allows(other, c.Constraints()) && (c.Node() == "" || c.Node() == tr.ID(other)) {
				score += tr.holds(c, other)
			}
		}
	}
	if tr.Available(n) {
		score += tr.Free(n, 2)
	}
	return score
}

// sameDomain lists the nodes of the domain of a node at a level.
func (tr *finderRun) sameDomain(n int32, level int) (list []int32, ok bool) {
	v := tr.Domains()
	if v.Levels() == 0 || v.Of(n, level) == domain.None {
		return nil, false
	}
	for _, other := range tr.Sorted().Clone() {
		if v.Of(other, level) == v.Of(n, level) {
			list = append(list, other)
		}
	}
	return list, true
}

// TestDomainColumns_AnswerLikeAScan compares searches by a score that reads all columns about domains with a scan of all nodes.
func TestDomainColumns_AnswerLikeAScan(t *testing.T) {
	free := []string{"domain:region", "domain:rack", "domain_free:region:vcore=-5", "domain_free:rack:memory=-5", "domain_free:node:gpu"}
	for name, score := range map[string]*policy.Module{"domain": byDomain(policy.OnRow, free...), "domain, asked": byDomain(policy.OnAsk, append(slices.Clone(free), "domain_fits")...)} {
		t.Run(name, func(t *testing.T) {
			required := map[string]class.Topology{"rack": inRack, "region": class.Require("region", class.AnyValue("zone")), "": {}}
			rapid.Check(t, func(t *rapid.T) {
				roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
				tr := finderRun{failer: t, roll: roll, ids: 9, name: name, fixture: newStand(score, odd()), mine: map[string]bool{}}
				tr.SetTopology(topology)
				for range rapid.IntRange(1, 60).Draw(t, "steps") {
					if tr.step(); tr.Domains().Levels() == 0 { // it is new
						tr.SetTopology(topology)
					}
					shape := tr.anyShape()
					shape.Topology = required[rapid.SampledFrom([]string{"", "rack", "region"}).Draw(t, "level")]
					tr.compare(shape)
				}
			})
		})
	}
}

// askedAbout returns a policy by columns, and the rows and scores of its last question.
func askedAbout(columns ...string) (*policy.Module, map[int32]float64) {
	m, asked := byDomain(policy.OnAsk, columns...), map[int32]float64{}
	sum := m.Evaluator
	m.Evaluator = eval(func(b *policy.Batch) error {
		err := sum.Eval(b)
		clear(asked)
		for _, row := range b.Rows {
			asked[row] = b.Out[row]
		}
		return err
	})
	return m, asked
}

var inRack = class.Require("rack", class.AnyValue("zone"), class.AnyValue("model"))

// TestDomainColumns_OnlyChangedRowsAreAsked counts the questions that a change of one node causes. A member needs 2 vcore.
func TestDomainColumns_OnlyChangedRowsAreAsked(t *testing.T) {
	for _, c := range []struct {
		column    string
		one, more int // rows that are asked about once 1 vcore is used, and 1 more
	}{{"free:vcore", 1, 1}, {"domain:rack", 1, 1}, {"domain_free:rack:vcore", 4, 4}, {"domain_free:region:vcore", 8, 8}, {"domain_free:rack:gpu", 4, 4},
		{"domain_free:node:vcore", 1, 1}, {"domain_fits", 4, 1}} {
		m, asked := askedAbout(c.column)
		s := racks(m, 2, 2, 4)
		k := s.class(class.Shape{Resources: shape(2, 1, 0), Topology: inRack})
		s.Best(k, nobody)
		for used, expected := range []int{1: c.one, 2: c.more} {
			if used > 0 {
				s.use(3, s.vec(int64(used), 0, 0))
				if s.Best(k, nobody); len(asked) != expected {
					t.Errorf("%s: with %d used, %d rows are asked about, expected %d", c.column, used, len(asked), expected)
				}
			}
		}
	}
}

// TestDomainColumns_FollowNodes moves a node to another rack, drains and removes it: each node has 32 vcore.
func TestDomainColumns_FollowNodes(t *testing.T) {
	for column, unit := range map[string]float64{"domain_free:rack:vcore": 1, "domain_fits": 0.25} {
		m, asked := askedAbout(column)
		s := racks(m, 2, 2, 2)
		k := s.class(class.Shape{Resources: shape(4, 1, 0), Topology: inRack})
		expect := func(what string, expected map[int32]float64) {
			t.Helper()
			s.Best(k, nobody)
			for row := range expected {
				expected[row] *= unit
			}
			if !maps.Equal(asked, expected) {
				t.Errorf("%s, %s: the rows are %v, expected %v", column, what, asked, expected)
			}
		}
		expect("at first", map[int32]float64{0: 64, 1: 64, 2: 64, 3: 64, 4: 64, 5: 64, 6: 64, 7: 64})
		s.own.Relabel(3, map[string]string{"zone": "z0", "model": "r0"})
		s.Changed(3)
		expect("moved", map[int32]float64{0: 96, 1: 96, 3: 96, 2: 32})
		s.own.Drain(3)
		s.Changed(3)
		expect("drained", map[int32]float64{0: 64, 1: 64, 3: 64})
		s.remove(1)
		expect("another one removed", map[int32]float64{0: 32, 3: 32})
		s.own.Relabel(2, map[string]string{"model": "r0"})
		s.Changed(2)
		if s.Best(k, nobody); asked[2] != 0 {
			t.Errorf("%s: a node without a region has %v", column, asked[2])
		}
	}
}

// TestDomainColumns_ScoresOfChangedDomainsAreUnknown reads scores after a change that the policy has not been asked about.
func TestDomainColumns_ScoresOfChangedDomainsAreUnknown(t *testing.T) {
	for column, depends := range map[string]policy.Dependence{"domain_free:rack:vcore": policy.OnRow, "domain_free:rack:vcore=1": policy.OnAsk, "domain_fits": policy.OnAsk} {
		s := racks(byDomain(depends, column), 1, 2, 2)
		k := s.class(class.Shape{Resources: shape(1, 1, 0), Topology: inRack})
		s.Best(k, nobody)
		s.use(0, s.vec(1, 0, 0))
		scores := s.Scores(k)
		for slot, expected := range []bool{false, false, true, true} {
			if _, known := scores.Of(int32(slot)); known != expected {
				t.Errorf("%s: the score of node %d is known: %v, expected %v", column, slot, known, expected)
			}
		}
		s.Best(k, nobody)
		scores = s.Scores(k)
		if score, known := scores.Of(1); !known || scores.Value(score) != 63 {
			t.Errorf("%s: the score is %v, known: %v, expected 63", column, scores.Value(score), known)
		}
	}
}

// racks makes regions of racks of nodes.
func racks(score *policy.Module, regions, racks, size int) *fixture {
	s := newStand(score, policy.PassAll())
	s.SetTopology(topology)
	for at := range regions * racks * size {
		rack := at / size
		s.addNode(&nodes.Node{ID: fmt.Sprintf("node-%06d", at), Capacity: s.vec(32, 256, 4), Schedulable: true,
			Attributes: map[string]string{"zone": fmt.Sprint("z", rack/racks), "model": fmt.Sprint("r", rack)}})
	}
	s.MaxFree()
	return s
}

// BenchmarkDomainColumns measures the cost of an allocation on 5,000 nodes in 160 racks of 8 regions under policies with and without columns
// about domains.
func BenchmarkDomainColumns(b *testing.B) {
	for _, c := range []struct {
		name, column string
		depends      policy.Dependence
	}{
		{"node", "free:vcore", policy.OnRow}, {"code", "domain:rack", policy.OnRow}, {"rack", "domain_free:rack:vcore", policy.OnRow},
		{"region", "domain_free:region:vcore", policy.OnRow}, {"ask", "free:vcore", policy.OnAsk}, {"fits", "domain_fits", policy.OnAsk},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := racks(byDomain(c.depends, c.column), 8, 20, 32)
			k := s.class(class.Shape{Resources: shape(1, 8, 0), Topology: inRack})
			b.ReportAllocs()
			for b.Loop() {
				n, _ := s.Best(k, nobody)
				if n == nodes.None {
					b.StopTimer()
					for n := range s.Sorted().All {
						s.use(n, s.vec(0, 0, 0))
					}
					b.StartTimer()
					continue
				}
				s.own.Allocate(n, k.Demand())
				s.Filled(n)
			}
		})
	}
}
