package config

import (
	"slices"
	"testing"
)

func TestTopology_ListsItsLevels(t *testing.T) {
	c := partitions(t, `{queues: [{name: a}], topology: [{level: block, attribute: b}, {level: Rack, attribute: topology.example.com/rack}]}`)
	p := c[0]
	if want := []Level{{Name: "block", Attribute: "b"}, {Name: "Rack", Attribute: "topology.example.com/rack"}}; !slices.Equal(p.Topology, want) {
		t.Errorf("found %v", p.Topology)
	}
	for name, at := range map[string]int{"block": 0, "Rack": 1, "node": 2, "rack": -1, "": -1, "attribute:b": 0, "attribute:topology.example.com/rack": 1, "attribute:z": -1, "attribute:": -1} {
		if p.Level(name) != at {
			t.Errorf("level %q is number %d, expected %d", name, p.Level(name), at)
		}
	}
}

// Levels that are made lie below none and above none but single nodes.
func TestTopology_MadeLevels(t *testing.T) {
	c := partitions(t, `{queues: [{name: a}], topology: [{level: block, attribute: b}, {level: rack, attribute: r}]}`)
	p := c[0].WithLevels("x", "y").WithLevels("z", "w")
	if p.Nested() != 2 || !slices.Equal(p.Attributes(), []string{"b", "r", "z", "w"}) || p.Level("attribute:w") != 3 || p.Level(NodeLevel) != 4 || p.Level("attribute:x") != -1 || len(c[0].Topology) != 2 {
		t.Errorf("found %+v, of %+v", p.Topology, c[0].Topology)
	}
	for level, wider := range []int{-1, 0, -1, -1, 1} {
		if p.Wider(level) != wider {
			t.Errorf("level %d lies below %d, expected %d", level, p.Wider(level), wider)
		}
	}
	if one, both := p.Path(3), p.Path(1); len(one) != 1 || one[0].Attribute != "w" || len(both) != 2 {
		t.Errorf("the paths are %v and %v", one, both)
	}
	for _, below := range []struct {
		level, wider string
		want         bool
	}{{"rack", "block", true}, {"block", "rack", false}, {"rack", "", true}, {NodeLevel, "rack", true}, {NodeLevel, "attribute:z", true}, {"attribute:z", "", false}, {"attribute:z", "rack", false},
		{"attribute:w", "attribute:z", false}, {"rack", "attribute:z", false}, {"attribute:r", "block", true}, {"row", "", false}, {"rack", "row", false}} {
		if p.LiesBelow(below.level, below.wider) != below.want {
			t.Errorf("%s lies below %s: expected %v", below.level, below.wider, below.want)
		}
	}
}

func TestTopology_Refusals(t *testing.T) {
	checkRefusals(t, "partitions:\n- queues: [{name: a}]\n  topology: ", "\n", []refusal{
		{``, ""},
		{`[]`, ""},
		{`[{level: a, attribute: x}, {level: b, attribute: x}]`, ""},
		{`rack`, `partition: topology: expected a list, found "rack"`},
		{`[rack]`, `partition: topology[1]: expected a mapping, found "rack"`},
		{`[{attribute: a}]`, "partition: topology[1].level: expected the name of the level, found none"},
		{`[{level: "", attribute: a}]`, `partition: topology[1].level: expected the name of the level, found ""`},
		{`[{level: a}]`, "partition: topology[1].attribute: expected an attribute of nodes, found none"},
		{`[{level: a, attribute: ""}]`, `partition: topology[1].attribute: expected an attribute of nodes, found ""`},
		{`[{level: a, attribute: [b]}]`, "partition: topology[1].attribute: expected a text, found a list"},
		{`[{level: node, attribute: a}]`, `partition: topology[1].level: expected a name other than node, the level of single nodes, found "node"`},
		{`[{level: a, attribute: x}, {level: b, attribute: y}, {level: a, attribute: z}]`, `partition: topology[3].level: expected each level once, found "a" again, after topology[1]`},
		{`[{level: a, attribut: x, attribute: y}]`, `partition: topology[1].attribut: expected level or attribute, found "attribut"; did you mean attribute?`},
	})
}
