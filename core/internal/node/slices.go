package node

import (
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/readonly"
)

// Slices reads how many slices of a number of asks each region has room for, if each slice is in one domain of a level.
type Slices struct {
	of    Rooms
	level int
	size  int64
	in    []int64 // by domain of the level or a wider one
	whole int64
}

// InSlices returns the room for slices of a size in domains of a level, or on single nodes if there is no such level. It takes time proportional to
// the number of these, and is valid as long as r.
func (r Rooms) InSlices(level, size int) Slices {
	v := r.finder.Domains()
	x := Slices{of: r, level: level, size: int64(size), in: make([]int64, v.Len())}
	if level < v.Levels() {
		for d := range v.AtLevel(level).All {
			x.add(v, d, r.In(d)/x.size)
		}
		return x
	}
	for n := range r.finder.Sorted().All {
		if slices := r.On(n) / x.size; slices > 0 {
			x.addOn(v, n, slices)
		}
	}
	return x
}

// add counts slices in a domain and in all that contain it.
func (x *Slices) add(v domain.View, d domain.ID, slices int64) {
	x.whole += slices
	for ; d != domain.None; d = v.Parent(d) {
		x.in[d] += slices
	}
}

// addOn counts slices on a node in all of its domains.
func (x *Slices) addOn(v domain.View, n int32, slices int64) {
	x.whole += slices
	for level := range v.Levels() {
		if d := v.Of(n, level); d != domain.None {
			x.in[d] += slices
		}
	}
}

// Of returns the number of slices in a region that contains domains of the level, or is one.
func (x Slices) Of(r Region) (slices int64) {
	switch {
	case r == Nowhere():
		return 0
	case r.kind == singleNode:
		return x.of.On(r.node) / x.size
	case r.domain == domain.None:
		slices = x.whole
	default:
		slices = x.in[r.domain]
	}
	if r.kind == restOfDomain {
		for d := range x.of.finder.Domains().Below(r.domain).All {
			slices -= x.in[d]
		}
	}
	return slices
}

// Depth returns the level of the domains that a region is one of, -1 for all nodes. Nodes that are in no domain of a level are at its depth.
func (p *finder) Depth(r Region) int {
	v := p.Domains()
	switch r.kind {
	case singleNode:
		return v.Levels()
	case restOfDomain:
		return v.Level(r.domain) + 1
	}
	return v.Level(r.domain)
}

// RegionsIn returns the regions of the domains of a level in a region, or those of its single nodes if there is no such level. The region may be
// one of them.
func (p *finder) RegionsIn(r Region, level int) readonly.List[Region] {
	v := p.Domains()
	var list []Region
	switch {
	case level == v.Levels():
		for n := range p.NodesIn(r).All {
			list = append(list, Only(n))
		}
	case r.kind == wholeDomain:
		list = domainsIn(v, r.domain, level, nil)
	}
	return readonly.Of(list)
}

func domainsIn(v domain.View, d domain.ID, level int, list []Region) []Region {
	switch at := v.Level(d); {
	case at == level:
		list = append(list, In(d))
	case at < level:
		for below := range v.Below(d).All {
			list = domainsIn(v, below, level, list)
		}
	}
	return list
}
