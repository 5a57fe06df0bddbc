package node

import "github.com/quern-project/quern/core/internal/domain"

// domainFits is the number of asks of a class that fit each domain of the level that the class names. It is the room by which gangs of the class
// are searched for, and kept up to date by change.
type domainFits struct {
	room  *room
	level int // -1: the class names no known level
}

// fit returns the reader of how many asks fit a domain.
func (v *classOrder) fit() *domainFits {
	if v.fits == nil {
		said := v.class.Topology()
		v.fits = &domainFits{room: v.finder.roomOf(v.class), level: -1}
		for _, level := range []string{said.Required(), said.Preferred()} { // at most one is given
			if level != "" {
				v.fits.level = v.finder.levelNamed(level)
			}
		}
		v.fits.room.sync(v.finder)
		v.fits.room.listed = true // what has changed before is in the rows that are about to be written
	}
	return v.fits
}

// touchDomains marks the rows of nodes whose domains have changed.
func (v *classOrder) touchDomains() {
	for i, t := range v.tables {
		v.domains[i].touch(v.finder, t)
	}
	if v.fits == nil {
		return
	}
	v.fitsChanged(func(slot int32) {
		for _, t := range v.tables {
			if t.Acting().Spec().ReadsOtherNodes() {
				t.Retouch(slot)
			}
		}
	})
	v.fits.room.clearChanged()
}

// outdatedDomains calls yield with the nodes that touchDomains would mark.
func (v *classOrder) outdatedDomains(yield func(slot int32)) {
	for i, t := range v.tables {
		v.domains[i].outdated(v.finder, t, yield)
	}
	v.fitsChanged(yield)
}

// fitsChanged calls yield with the nodes for whose domains the number of asks that fit has changed.
func (v *classOrder) fitsChanged(yield func(slot int32)) {
	f, p := v.fits, v.finder
	if f == nil || f.level < 0 || f.level >= len(p.domains.levels) {
		return // that on a single node changes only with the node
	}
	f.room.sync(p)
	x, tree := p.sumsOf(f.level), p.domains.tree.View()
	for _, d := range f.room.changed {
		if tree.Level(d) == f.level {
			for _, slot := range x.members[d] {
				yield(slot)
			}
		}
	}
}

// fitsDomain returns how many asks of the class fit the domain of a node, or otherwise if it has none.
func (v *classOrder) fitsDomain(slot int32, otherwise float64) float64 {
	f, p := v.fit(), v.finder
	if f.level < 0 {
		return otherwise
	}
	f.room.sync(p)
	rooms := Rooms{x: f.room, finder: p}
	if f.level == len(p.domains.levels) {
		return float64(rooms.On(slot))
	}
	if d := p.Domains().Of(slot, f.level); d != domain.None {
		return float64(rooms.In(d))
	}
	return otherwise
}
