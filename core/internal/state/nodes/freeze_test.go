package nodes

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFork_NodesAreIndependent(t *testing.T) {
	type trial struct {
		o     *Nodes
		model map[string]*plainNode
		width int
	}
	rapid.Check(t, func(t *rapid.T) {
		roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		all := []*trial{{New(1), map[string]*plainNode{}, 1}}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			tr := all[roll("fork", len(all))]
			if len(all) < 5 && roll("forks", 10) == 0 {
				tr.o.Reclaim()
				next := &trial{tr.o.Freeze().Fork(), map[string]*plainNode{}, tr.width}
				for id, n := range tr.model {
					own := *n
					own.tasks = slices.Clone(n.tasks)
					next.model[id] = &own
				}
				all = append(all, next)
			}
			tr.width = step(tr.o, tr.model, tr.width, roll)
			for _, other := range all {
				compare(t, other.o.View(), other.model, other.width)
			}
		}
	})
}

func TestFreeze_PanicsBeforeReclaim(t *testing.T) {
	o := New(1)
	o.Remove(o.Add(&Node{ID: "n"}))
	defer func() {
		if recover() == nil {
			t.Error("a node that followers may still read was frozen")
		}
	}()
	o.Freeze()
}
