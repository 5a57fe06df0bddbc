package config

import (
	"slices"
	"testing"
)

func TestTopology_ListsItsLevels(t *testing.T) {
	c := partitions(t, `{queues: [{name: a}], topology: [{level: block, attribute: b}, {level: Rack, attribute: topology.example.com/rack}]}`)
	p := c[0]
	if want := []Level{{"block", "b"}, {"Rack", "topology.example.com/rack"}}; !slices.Equal(p.Topology, want) {
		t.Errorf("found %v", p.Topology)
	}
	for name, at := range map[string]int{"block": 0, "Rack": 1, "node": 2, "rack": -1, "": -1} {
		if p.Level(name) != at {
			t.Errorf("level %q is number %d, expected %d", name, p.Level(name), at)
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
