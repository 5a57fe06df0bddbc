package config

import (
	"sort"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

func defaultWeights() []Weight { return []Weight{{"memory", 1000}, {resource.VCore, 1000}} }

// nodeSort reads the order of nodes.
func (d *decoder) nodeSort(n *NodeSort, v *value) {
	for _, f := range d.fields(InPartition, "nodesortpolicy", v) {
		key := "nodesortpolicy." + f.name
		switch f.name {
		case "type":
			if d.text(InPartition, key, f.value); f.value.kind == scalar {
				n.Policy = d.policy(InPartition, key, f.value, "node.score", Fair, BinPacking)
			}
		case "resourceweights":
			d.weights(n, key, f.value)
		default:
			d.unknown(InPartition, InPartition, "nodesortpolicy.", f)
		}
	}
}

// weights reads the weight of each type. An empty mapping counts as none.
func (d *decoder) weights(n *NodeSort, key string, v *value) {
	fields := d.fields(InPartition, key, v)
	if len(fields) == 0 {
		return
	}
	n.Weights = make([]Weight, 0, len(fields))
	positive, wrong := false, false
	for i := range fields {
		f := &fields[i]
		if f.value.kind == mapping {
			d.nested(InPartition, key+".", "", f)
			wrong = true
			continue
		}
		weight, ok := d.weight(key+"."+f.name, f.value)
		wrong = wrong || !ok
		positive = positive || weight > 0
		n.Weights = append(n.Weights, Weight{f.name, weight})
		d.warnType(InPartition, key+"."+f.name, f)
	}
	if !positive && !wrong {
		d.add(v.at, InPartition, key, "a weight above zero", "only zeros")
	}
	sort.Slice(n.Weights, func(i, j int) bool { return n.Weights[i].Type < n.Weights[j].Type })
}

// mostWeight prevents overflow of weighted sums.
const mostWeight = 1_000_000_000 // thousandths

func (d *decoder) weight(key string, v *value) (int64, bool) {
	switch {
	case v.kind != scalar, strings.Trim(v.text, "+-0123456789.") != "":
		d.add(v.at, InPartition, key, "a decimal number", v.found())
		return 0, false
	case strings.HasPrefix(v.text, "-"):
		d.add(v.at, InPartition, key, "a weight of zero or more", v.found())
		return 0, false
	}
	thousandths, err := resource.Parse(resource.VCore, v.text) // the type that is stored in thousandths
	if err != nil || thousandths > mostWeight {
		d.add(v.at, InPartition, key, "a decimal number of at most 1000000 and 3 decimals", v.found())
		return 0, false
	}
	return thousandths, true
}
