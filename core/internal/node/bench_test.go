package node_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

var sizes = []struct {
	name  string
	nodes int
}{{"1k", 1_000}, {"10k", 10_000}, {"100k", 100_000}}

// filled makes a benchmark with a number of nodes, added in random order of names.
func filled(score *policy.Module, nodes int) *fixture {
	s := newStand(score, policy.PassAll())
	for i, at := range rand.New(rand.NewPCG(1, 1)).Perm(nodes) {
		kind := int64(i%8 + 4)
		s.add(fmt.Sprintf("node-%06d", at), s.vec(kind*8, kind*64, kind%4))
	}
	s.MaxFree()
	return s
}

// BenchmarkPlace measures the cost of an allocation: the bound of free room, the best node, its change. Full nodes are emptied again.
func BenchmarkPlace(b *testing.B) {
	one := []class.Shape{{Resources: shape(1, 8, 0)}}
	var mixed []class.Shape
	for i := range int64(16) {
		mixed = append(mixed, class.Shape{Resources: shape(i%4+1, (i%4+1)*(i/4+1)*4, max(0, i%4-2))})
	}
	var many []class.Shape
	for i := range int64(4000) {
		many = append(many, class.Shape{Resources: shape(1+i*7919%32, 1+i*104729%256, i%5/4)})
	}
	for _, c := range []struct {
		name   string
		score  *policy.Module
		shapes []class.Shape
	}{{"4000Shapes", policy.FairNodes(weights), many}, {"4000ShapesBinpacking", policy.PackedNodes(weights), many}, {"fair", policy.FairNodes(weights), one}, {"binpacking", policy.PackedNodes(weights), one}, {"mixed", policy.FairNodes(weights), mixed}, {"mixedBinpacking", policy.PackedNodes(weights), mixed}} {
		for _, size := range sizes {
			b.Run(c.name+"/"+size.name, func(b *testing.B) {
				s := filled(c.score, size.nodes)
				var classes []class.Class
				for _, shape := range c.shapes {
					classes = append(classes, s.class(shape))
				}
				used, rng := s.Sorted(), rand.New(rand.NewPCG(2, 2))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.FreeBound()
					k := classes[i%len(classes)]
					n, _ := s.Best(k, nobody)
					if n == nodes.None {
						s.MaxFree()
						n = used.At(rng.IntN(used.Len()))
						s.own.Release(n, s.Used(n).Amounts())
					} else {
						s.own.Allocate(n, k.Demand())
					}
					s.Changed(n)
				}
			})
		}
	}
}

func shape(vcore, memory, gpu int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "vcore", Value: vcore}, resource.Quantity{Type: "memory", Value: memory}, resource.Quantity{Type: "gpu", Value: gpu})
}

// BenchmarkAdd adds nodes in random order: all before the first search, and each followed by a search.
func BenchmarkAdd(b *testing.B) {
	for _, size := range sizes {
		for _, searched := range []bool{false, true} {
			name := size.name + "/atOnce"
			if searched {
				name = size.name + "/oneByOne"
			}
			b.Run(name, func(b *testing.B) {
				order := rand.New(rand.NewPCG(1, 1)).Perm(size.nodes)
				var list []*nodes.Node
				var s *fixture
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%size.nodes == 0 {
						b.StopTimer()
						s, list = newStand(policy.FairNodes(weights), policy.PassAll()), list[:0]
						for _, at := range order {
							list = append(list, &nodes.Node{ID: fmt.Sprintf("node-%06d", at), Capacity: s.vec(8, 64, 1), Schedulable: true})
						}
						b.StartTimer()
					}
					s.addNode(list[i%size.nodes])
					if searched || i%size.nodes == size.nodes-1 {
						s.MaxFree()
					}
				}
			})
		}
	}
}

// BenchmarkRemove removes a node, and adds it again for the next iteration.
func BenchmarkRemove(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			s := filled(policy.FairNodes(weights), size.nodes)
			slots := s.Sorted().Clone()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				n := slots[i*7919%len(slots)]
				node := &nodes.Node{ID: s.ID(n), Capacity: s.Capacity(n), Schedulable: true}
				s.remove(n)
				s.MaxFree()
				s.addNode(node) // in the slot that was freed
			}
		})
	}
}

func BenchmarkResize(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			s := filled(policy.FairNodes(weights), size.nodes)
			slots := s.Sorted()
			large, small := s.vec(99, 999, 9), s.vec(9, 99, 1)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				capacity := small
				if i/slots.Len()%2 == 0 {
					capacity = large
				}
				s.resize(slots.At(i*7919%slots.Len()), capacity)
				s.MaxFree()
			}
		})
	}
}
