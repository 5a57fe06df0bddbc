package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// nestedLevels returns the configured levels. Those that are made for asks come and go, and lists do not have them.
func (s *View) nestedLevels() []config.Level {
	conf := s.Conf()
	return conf.Topology[:conf.Nested()]
}

// Levels returns the levels of the topologies of all partitions, each from the widest to the narrowest.
func Levels(views []*View) (list []core.TopologyLevel) {
	for _, s := range byShown(views) {
		for i, l := range s.nestedLevels() {
			list = append(list, core.TopologyLevel{Partition: s.Shown(), Level: l.Name, Attribute: l.Attribute, Domains: s.Nodes().Domains().AtLevel(i).Len()})
		}
	}
	return list
}

// ListDomains returns a page of the domains: by partition, with the first partition first and the others by name, then from the widest level to
// the narrowest, and by values.
func ListDomains(views []*View, page *core.Page) core.DomainList {
	p := pager[core.DomainItem]{page: page}
	p.Next = page.After
	for _, s := range byShown(views) {
		if s.Shown() < page.After.Partition || page.Where.Partition != "" && s.Shown() != page.Where.Partition {
			continue
		}
		for level, l := range s.nestedLevels() {
			if is(page.Where.Level, l.Name) && !s.listDomains(level, &p) {
				return p.Listed
			}
		}
	}
	p.More = false
	return p.Listed
}

// listDomains lists the domains of a level after the first key of the page. It returns false if the page is full.
func (s *View) listDomains(level int, p *pager[core.DomainItem]) bool {
	after, v := p.page.After, s.Nodes().Domains()
	list := slices.SortedFunc(v.AtLevel(level).All, v.Compare)
	for _, id := range list {
		key := s.keyOfDomain(level, v.Path(id))
		if after.Partition == key.Partition && cmp.Or(cmp.Compare(key.Seq, after.Seq), strings.Compare(key.Name, after.Name)) <= 0 {
			continue
		}
		if p.over() {
			return false
		}
		p.pass(key)
		p.add(s.domainItem(level, id), workOfNode+v.Nodes(id)/2)
	}
	return true
}

// keyOfDomain returns a key that orders the domains of a level as domain.View.Compare does. A zero byte in a value is followed by a one, so that the
// two between values come first.
func (s *View) keyOfDomain(level int, path []string) core.Key {
	name := "/"
	for i, value := range path {
		if i > 0 {
			name += "\x00\x00"
		}
		name += strings.ReplaceAll(value, "\x00", "\x00\x01")
	}
	return core.Key{Partition: s.Shown(), Seq: uint64(level) + 1, Name: name}
}

// domainItem describes a domain by the sums over its nodes.
func (s *View) domainItem(level int, id domain.ID) core.DomainItem {
	d := core.DomainItem{Partition: s.Shown(), Level: s.Conf().Topology[level].Name, Domain: s.Nodes().Domains().Path(id)}
	width := s.Nodes().Width()
	capacity, occupied, used, free := make(resource.Vec, width), make(resource.Vec, width), make(resource.Vec, width), make(resource.Vec, width)
	for n := range s.Nodes().NodesIn(node.In(id)).All {
		d.Nodes++
		capacity.Add(s.Nodes().Capacity(n).Amounts())
		occupied.Add(s.Nodes().Occupied(n).Amounts())
		used.Add(s.Nodes().Used(n).Amounts())
		if !s.Nodes().Schedulable(n) {
			continue
		}
		d.Schedulable++
		for t := range width {
			free[t] = resource.Add(free[t], max(0, s.Nodes().Free(n, t)))
		}
	}
	d.Capacity, d.Occupied, d.Used, d.Free = s.Types().Set(capacity, 0), s.Types().Set(occupied, 0), s.Types().Set(used, 0), s.Types().Set(free, 0)
	return d
}
