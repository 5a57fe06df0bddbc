package domain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/domain"
)

// names lists domains by their paths, sorted.
func names(v domain.View, list []domain.ID) (names []string) {
	slices.SortFunc(list, v.Compare)
	for _, id := range list {
		names = append(names, strings.Join(v.Path(id), "/"))
	}
	return names
}

func TestTree_EqualValuesBelowOthersAreOtherDomains(t *testing.T) {
	tree := domain.New(2, 2)
	for slot, values := range [][]string{{"z1", "r1"}, {"z2", "r1"}, {"z1"}, {"z1", "r2"}, nil, {"z1", "r1"}} {
		tree.File(int32(slot), values)
	}
	v := tree.View()
	if found := names(v, v.AtLevel(1).Clone()); !slices.Equal(found, []string{"z1/r1", "z1/r2", "z2/r1"}) {
		t.Errorf("found %v", found)
	}
	if z1 := v.Find([]string{"z1"}); v.Nodes(z1) != 4 || v.Below(z1).Len() != 2 || v.Of(2, 0) != z1 || v.Of(2, 1) != domain.None || v.Of(4, 0) != domain.None {
		t.Errorf("z1 has %d nodes and %d domains", v.Nodes(z1), v.Below(z1).Len())
	}
	if v.Of(5, 1) != v.Of(0, 1) || v.Of(0, 1) == v.Of(1, 1) || v.Of(99, 0) != domain.None {
		t.Error("equal nodes are in one domain, others are not")
	}
}

func TestTree_FiledNodesAreInTheirDomains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.IntRange(0, 3).Draw(t, "levels")
		tree, filed, apart := domain.New(levels+1, levels), map[int32][]string{}, map[int32]string{}
		for range rapid.IntRange(0, 40).Draw(t, "changes") {
			slot := rapid.Int32Range(0, 7).Draw(t, "slot")
			tree.Drop(slot)
			delete(filed, slot)
			delete(apart, slot)
			if rapid.Bool().Draw(t, "file") {
				values := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", ""}), 0, levels).Draw(t, "values")
				tree.File(slot, values)
				filed[slot] = values
			}
			if rapid.Bool().Draw(t, "file apart") {
				apart[slot] = rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "value")
				tree.FileAt(slot, levels, apart[slot])
			}
		}
		checkTree(t, tree.View(), levels, filed)
		checkApart(t, tree.View(), levels, apart)
	})
}

// checkApart checks a level that is not nested: a node's domain follows from its value there alone.
func checkApart(t *rapid.T, v domain.View, level int, filed map[int32]string) {
	counts := map[string]int{}
	for slot := range int32(8) {
		value, is := filed[slot]
		if id := v.Of(slot, level); is != (id != domain.None) || is && (v.Value(id) != value || v.Parent(id) != domain.None || v.Level(id) != level) {
			t.Fatalf("node %d with %q, %v, is in domain %d", slot, value, is, id)
		}
		if is {
			counts[value]++
		}
	}
	if n := v.AtLevel(level).Len(); n != len(counts) {
		t.Fatalf("%d domains, expected %v", n, counts)
	}
	for id := range v.AtLevel(level).All {
		if v.Nodes(id) != counts[v.Value(id)] || v.Below(id).Len() > 0 || slices.Contains(v.Below(domain.None).Clone(), id) {
			t.Fatalf("%q has %d nodes, or is above or below others", v.Value(id), v.Nodes(id))
		}
	}
}

func checkTree(t *rapid.T, v domain.View, levels int, filed map[int32][]string) {
	for level := range levels {
		counts := map[string]int{}
		for slot := range int32(8) {
			id, values := v.Of(slot, level), filed[slot]
			if len(values) <= level {
				if id != domain.None {
					t.Fatalf("node %d is in a domain of level %d", slot, level)
				}
				continue
			}
			if id != v.Find(values[:level+1]) || !slices.Equal(v.Path(id), values[:level+1]) || v.Level(id) != level {
				t.Fatalf("node %d with %q is in %q", slot, values, v.Path(id))
			}
			counts[fmt.Sprint(values[:level+1])]++
		}
		if n := v.AtLevel(level).Len(); n != len(counts) {
			t.Fatalf("%d domains at level %d, expected %v", n, level, counts)
		}
		for id := range v.AtLevel(level).All {
			if v.Nodes(id) != counts[fmt.Sprint(v.Path(id))] {
				t.Fatalf("%q has %d nodes", v.Path(id), v.Nodes(id))
			}
			if parent := v.Parent(id); !slices.Contains(v.Below(parent).Clone(), id) {
				t.Fatalf("%q is not below its parent", v.Path(id))
			}
		}
	}
}
