package node

import "github.com/quern-project/quern/core/internal/domain"

// domainSums keeps the sums of what the nodes of each domain of a level have free, and logs the domains whose sums or nodes change. It follows the
// change log of nodes, so that a column of domains costs no more than the nodes of the domains that have changed (BenchmarkDomainColumns).
type domainSums struct {
	level   int
	of      []domain.ID // by slot: the domain that counts the node
	at      []int32     // by slot: index in members of this domain
	free    []int64     // by slot and type: as it is counted
	members [][]int32   // by domain: slots
	sums    []int64     // by domain and type
	read    Cursor
	changed []domain.ID // the log
	era     uint64      // incremented by each restart of the log
}

// sumsOf returns the up-to-date sums of a level.
func (p *finder) sumsOf(level int) *domainSums {
	x := p.domains.sums[level]
	if x == nil {
		x = &domainSums{level: level}
		p.domains.sums[level] = x
	}
	x.sync(p)
	return x
}

// sync follows the changes of nodes.
func (x *domainSums) sync(p *finder) {
	v := p.Domains()
	slots, all := p.changes(&x.read)
	if len(x.changed) > 4*v.Len()+1024 {
		x.changed, x.era = x.changed[:0], x.era+1
	}
	if all {
		for slot := range int32(p.Slots()) {
			x.count(p, v, slot)
		}
	}
	for _, slot := range slots {
		x.count(p, v, slot)
	}
}

// count counts the free amounts of a node in its domain, which may be another than before.
func (x *domainSums) count(p *finder, v domain.View, slot int32) {
	width := p.free.width
	x.extend(v, slot, width)
	was, now := x.of[slot], v.Of(slot, x.level)
	row := x.free[int(slot)*width:][:width]
	if was != now {
		x.add(was, row, -1)
		clear(row)
		x.move(slot, now)
	}
	if now == domain.None {
		return
	}
	sums, different := x.sums[int(now)*width:][:width], was != now
	available, amounts := p.Available(slot), p.Amounts(slot)
	for t := range row {
		free := int64(0)
		if available {
			free = amounts.Free(t)
		}
		different = different || free != row[t]
		sums[t] += free - row[t]
		row[t] = free
	}
	if different {
		x.changed = append(x.changed, now)
	}
}

func (x *domainSums) extend(v domain.View, slot int32, width int) {
	x.of, x.at = extend(x.of, slot, domain.None), extend(x.at, slot, 0)
	for len(x.free) < (int(slot)+1)*width {
		x.free = append(x.free, 0)
	}
	for len(x.members) < v.Len() {
		x.members = append(x.members, nil)
	}
	for len(x.sums) < v.Len()*width {
		x.sums = append(x.sums, 0)
	}
}

// add adds a row of amounts to the sums of a domain, or subtracts it.
func (x *domainSums) add(d domain.ID, row []int64, factor int64) {
	if d == domain.None {
		return
	}
	for t, free := range row {
		x.sums[int(d)*len(row)+t] += factor * free
	}
	x.changed = append(x.changed, d)
}

// move makes a node a member of a domain, and of no other.
func (x *domainSums) move(slot int32, to domain.ID) {
	if was := x.of[slot]; was != domain.None {
		list := x.members[was]
		last := list[len(list)-1]
		list[x.at[slot]], x.at[last] = last, x.at[slot]
		x.members[was] = list[:len(list)-1]
	}
	if x.of[slot] = to; to != domain.None {
		x.at[slot] = int32(len(x.members[to]))
		x.members[to] = append(x.members[to], slot)
	}
}

// freeAround returns the sum of a type for the domain of a node. ok is false for none.
func (x *domainSums) freeAround(slot int32, t, width int) (free int64, ok bool) {
	if d := x.of[slot]; d != domain.None {
		return x.sums[int(d)*width+t], true
	}
	return 0, false
}
