package node_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
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
				var classes []*class.Class
				for _, shape := range c.shapes {
					classes = append(classes, s.class(shape))
				}
				used, rng := s.Sorted(), rand.New(rand.NewPCG(2, 2))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.FreeBound()
					k := classes[i%len(classes)]
					n, _ := s.Best(k, nobody)
					if n == nil {
						s.MaxFree()
						n = used[rng.IntN(len(used))]
						clear(n.Used)
					} else {
						n.Used.Add(k.Demand)
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
				var nodes []*node.Node
				var s *fixture
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%size.nodes == 0 {
						b.StopTimer()
						s, nodes = newStand(policy.FairNodes(weights), policy.PassAll()), nodes[:0]
						for _, at := range order {
							nodes = append(nodes, &node.Node{ID: fmt.Sprintf("node-%06d", at), Capacity: s.vec(8, 64, 1), Occupied: s.vec(0, 0, 0), Used: s.vec(0, 0, 0), Schedulable: true})
						}
						b.StartTimer()
					}
					s.Add(nodes[i%size.nodes])
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
			nodes := append([]*node.Node(nil), s.Sorted()...)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				n := nodes[i*7919%len(nodes)]
				s.Remove(n)
				s.MaxFree()
				s.Add(n)
			}
		})
	}
}

func BenchmarkResize(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			s := filled(policy.FairNodes(weights), size.nodes)
			nodes := s.Sorted()
			large, small := s.vec(99, 999, 9), s.vec(9, 99, 1)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				capacity := small
				if i/len(nodes)%2 == 0 {
					capacity = large
				}
				s.Resize(nodes[i*7919%len(nodes)], capacity)
				s.MaxFree()
			}
		})
	}
}
