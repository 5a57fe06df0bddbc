package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/readonly"
)

// domains keeps the domains of the topology, an order of the nodes of each domain, and the room in domains for classes of asks. All are
// brought up to date before they are read, from the change log, and cost nothing while no ask names a level.
type domains struct {
	levels     []Level
	tree       *domain.Tree
	membership []uint32 // by slot: nodes.View.Membership when the node was filed
	read       Cursor
	orders     []*attributeIndex // by level; nil before the first search
	sums       []*domainSums     // by level; nil before the first search with a policy that reads them
	rooms      map[uint64]*room  // by ID of the class
	values     []string          // scratch memory
}

// Level is a level of a topology.
type Level struct{ Name, Attribute string }

// nodeLevel is the name of the level of single nodes, which every topology has.
const nodeLevel = "node"

// SetTopology puts the levels of a topology in force: nested ones, from the widest on, and then others, of which columns know nothing. Policies are
// asked about all nodes again.
func (p Updater) SetTopology(nested []Level, apart ...Level) {
	levels := slices.Concat(nested, apart)
	n := len(levels)
	p.domains = domains{levels: levels, tree: domain.New(n, len(nested)), orders: make([]*attributeIndex, n), sums: make([]*domainSums, n)}
	if p.scoring.table != nil {
		p.scoring.table.TouchAll()
		p.scoring.domains = domainReader{}
	}
	p.byClass = map[uint64]*classOrder{}
}

// Domains returns the domains of the topology. The view is valid until a node changes.
func (p *finder) Domains() domain.View {
	x := &p.domains
	slots, all := p.changes(&x.read)
	if all {
		for slot := range int32(p.Slots()) {
			p.refile(slot)
		}
	}
	for _, slot := range slots {
		p.refile(slot)
	}
	return x.tree.View()
}

// refile files a node in its domains, if it is new, gone or has other attributes.
func (p *finder) refile(slot int32) {
	x, now := &p.domains, p.State(slot).Membership
	if x.membership = extend(x.membership, slot, 0); x.membership[slot] == now {
		return
	}
	x.membership[slot] = now
	x.tree.Drop(slot)
	if now == 0 {
		return
	}
	x.values = x.values[:0]
	nested := x.tree.View().Nested()
	for _, level := range x.levels[:nested] {
		value, has := p.Attribute(slot, level.Attribute)
		if !has {
			break
		}
		x.values = append(x.values, value)
	}
	x.tree.File(slot, x.values)
	for level := nested; level < len(x.levels); level++ {
		if value, has := p.Attribute(slot, x.levels[level].Attribute); has {
			x.tree.FileAt(slot, level, value)
		}
	}
}

// Region is a set of nodes to search: all of them, a domain, the nodes of a domain that are in none of the next level, or a single node.
type Region struct {
	kind   regionKind
	domain domain.ID
	node   int32
}

type regionKind uint8

const (
	wholeDomain regionKind = iota
	restOfDomain
	singleNode
)

// In returns the region of a domain; domain.None stands for all nodes.
func In(d domain.ID) Region { return Region{kind: wholeDomain, domain: d, node: none} }

// RestOf returns the region of the nodes of a domain that are in no domain of the next level; domain.None stands for all nodes.
func RestOf(d domain.ID) Region { return Region{kind: restOfDomain, domain: d, node: none} }

// Only returns the region of a single node.
func Only(n int32) Region { return Region{kind: singleNode, domain: domain.None, node: n} }

// IsRest reports whether a region was returned by RestOf.
func (r Region) IsRest() bool { return r.kind == restOfDomain }

// Nowhere returns the region without nodes.
func Nowhere() Region { return Only(none) }

// Domain returns the domain of a region that is one, or domain.None. whole is false for other regions.
func (r Region) Domain() (d domain.ID, whole bool) { return r.domain, r.kind == wholeDomain }

// Contains reports whether a node is in a region.
func (p *finder) Contains(r Region, slot int32) bool {
	if r.kind == singleNode {
		return slot == r.node
	}
	v := p.Domains()
	level := v.Level(r.domain)
	if level >= 0 && v.Of(slot, level) != r.domain {
		return false
	}
	return r.kind == wholeDomain || level+1 < v.Nested() && v.Of(slot, level+1) == domain.None
}

// NodesIn returns the slots of the nodes in a region, sorted by ID, bytewise. The list is valid until a node changes.
func (p *finder) NodesIn(r Region) readonly.List[int32] {
	switch {
	case r == Nowhere():
		return readonly.List[int32]{}
	case r.kind == singleNode:
		return readonly.Of([]int32{r.node})
	case r.kind == wholeDomain && r.domain == domain.None:
		return p.Sorted()
	case r.kind == wholeDomain:
		if o := p.orderOfLevel(p.Domains().Level(r.domain)).inDomain[r.domain]; o != nil {
			return readonly.Of(o.all.slots(0, o.all.blocks()))
		}
		return readonly.List[int32]{}
	}
	var list []int32
	for n := range p.Sorted().All {
		if p.Contains(r, n) {
			list = append(list, n)
		}
	}
	return readonly.Of(list)
}

// BestIn is Best in a region of the topology of the class, whose nodes the class may run on as far as its topology is concerned.
func (p *finder) BestIn(c class.Class, r Region, mayTake func(int32) bool) (best int32, contested bool) {
	p.least.recordSearch(c, p.Len())
	p.sync()
	q := query{finder: p, class: c, mayTake: mayTake, best: none, also: c.Own()}
	switch {
	case r == Nowhere():
	case c.Node() != "":
		if n := p.Find(c.Node()); n != none && p.Contains(r, n) {
			return p.required(c, mayTake)
		}
	case r.kind == singleNode:
		if p.Admits(c, r.node) {
			p.searchNode(&q, p.ID(r.node), q.also)
		}
	case p.ordered(c):
		q.within = &r
		q.searchWithPredicate(p.orderOf(c))
	case r.kind == wholeDomain && r.domain != domain.None:
		level := p.Domains().Level(r.domain)
		if o := p.orderOfLevel(level).inDomain[r.domain]; o != nil {
			for _, slot := range o.outdated() {
				p.domains.orders[level].file(p, slot)
			}
			q.search(o)
		}
	default:
		if r.kind == restOfDomain {
			q.within = &r
		}
		q.search(&p.order)
	}
	return q.best, q.contested
}

// orderOfLevel returns the up-to-date orders of the nodes of the domains of a level.
func (p *finder) orderOfLevel(level int) *attributeIndex {
	x := p.domains.orders[level]
	if x == nil {
		x = &attributeIndex{level: level, inDomain: map[domain.ID]*order{}}
		p.domains.orders[level] = x
	}
	x.sync(p)
	return x
}

// Regions returns the regions of the domains of a level, or those of all single nodes if there is no such level.
func (p *finder) Regions(level int) readonly.List[Region] {
	v := p.Domains()
	if level < v.Levels() {
		return regionsOf(v.AtLevel(level))
	}
	nodes := p.Sorted()
	list := make([]Region, 0, nodes.Len())
	for n := range nodes.All {
		list = append(list, Only(n))
	}
	return readonly.Of(list)
}

// RegionsBelow returns the regions of the domains of the next level in a region.
func (p *finder) RegionsBelow(r Region) readonly.List[Region] {
	if r.kind != wholeDomain {
		return readonly.List[Region]{}
	}
	return regionsOf(p.Domains().Below(r.domain))
}

func regionsOf(domains readonly.List[domain.ID]) readonly.List[Region] {
	list := make([]Region, 0, domains.Len())
	for i := range domains.Len() {
		list = append(list, In(domains.At(i)))
	}
	return readonly.Of(list)
}

// CompareNames compares two regions of domains of one level, or of single nodes, by name.
func (p *finder) CompareNames(a, b Region) int {
	if a.kind == singleNode {
		return int(p.positions[a.node]) - int(p.positions[b.node])
	}
	return p.Domains().Compare(a.domain, b.domain)
}
