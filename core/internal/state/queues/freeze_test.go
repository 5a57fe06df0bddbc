package queues

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// fork continues with a fork of the owner.
func (m *model) fork() *model {
	next := &model{types: m.types.Clone(), leaves: map[ID]*facts{}}
	next.owner = m.owner.Freeze().Fork(next.types)
	for leaf, f := range m.leaves {
		own := *f
		for _, list := range []*[]resource.Vec{&own.waiting, &own.allocated, &own.leaving, &own.claimed, &own.replacing} {
			*list = slices.Clone(*list)
		}
		next.leaves[leaf] = &own
	}
	return next
}

func TestFork_QueuesAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []*model{newModel(t)}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			m := all[rapid.IntRange(0, len(all)-1).Draw(t, "fork")]
			if len(all) < 4 && rapid.IntRange(0, 9).Draw(t, "forks") == 0 {
				all = append(all, m.fork())
			}
			m.change(t)
			for _, other := range all {
				other.check(t)
			}
		}
	})
}

// A queue that is added to one side, or removed from it, must not appear in the children of the other.
func TestFork_TreesAreIndependent(t *testing.T) {
	ty := types()
	o := New(ty)
	root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
	o.Add(&config.Queue{Path: "root.m", Leaf: true}, root, Kind{})
	frozen := o.Freeze()
	a, b := frozen.Fork(ty.Clone()), frozen.Fork(ty.Clone())
	for i, side := range []*Queues{o, a, b} {
		name := []string{"root.a", "root.n", "root.z"}[i]
		side.Add(&config.Queue{Path: name, Leaf: true}, root, Kind{})
		if i > 0 {
			side.Remove(side.View().Find("root.m"))
			side.Release()
		}
	}
	for i, side := range []*Queues{o, a, b} {
		var paths []string
		for q := range side.View().Children(root) {
			paths = append(paths, side.View().Path(q))
		}
		if want := [][]string{{"root.a", "root.m"}, {"root.n"}, {"root.z"}}[i]; !slices.Equal(paths, want) {
			t.Errorf("side %d has %q, expected %q", i, paths, want)
		}
	}
}

func TestFork_LimitsCountAnew(t *testing.T) {
	ty := types()
	o := New(ty)
	limits := []config.Limit{{Users: []string{"ann"}, MaxResources: set(5)}}
	root := o.Add(&config.Queue{Path: "root", Limits: limits}, None, Kind{})
	side := o.Freeze().Fork(ty.Clone())
	if side.View().Limits(root).IsNone() || side.View().Limits(root) == o.View().Limits(root) {
		t.Error("expected a table of limits of its own")
	}
}
