package claims

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Claim gives a node to a pending ask that preempted there: no other ask lands on it until that one does.
type Claim struct {
	Seq        uint64 // order in which claims are made
	Made       time.Duration
	WaitsUntil time.Duration // its ask then may land elsewhere
	Ask        app.Slot
	Node       int32
	Gang       GangID // None: the ask lands by itself
	Leaving    int32  // its victims that have yet to leave; not counted of a gang

	nextOnNode, nextOfGang ID
}

// GangID names the claims of a gang; it is used again once they have ended.
type GangID table.ID

// gang is the claims of the members of one gang. They land together, and lapse together.
type gang struct {
	first, last ID
	members     int32 // claims that have not ended
	leaving     int32 // victims of all of them that have yet to leave
}

// Claims are those of a partition: one at most for each ask, and on each node one, or several of one gang. Make them with NewClaims.
type Claims struct {
	rows      *table.Table[Claim]
	gangs     *table.Table[gang]
	onNode    *table.Column[ID] // the first
	inOrder   []ID              // by Seq
	impatient []ID              // those whose victims have not left in time: their asks may land elsewhere; by Seq
}

// NewClaims makes an empty owner.
func NewClaims() *Claims {
	return &Claims{rows: table.New[Claim](), gangs: table.New[gang](), onNode: table.NewColumn[ID]()}
}

// NewGang makes room for the claims of a gang, which are added next, and counts its victims. It ends with the last of its claims.
func (o *Claims) NewGang(victims int) GangID {
	return GangID(o.gangs.Add(gang{leaving: int32(victims)}))
}

// Add makes a claim. Of a gang, those made earlier come first.
func (o *Claims) Add(c Claim) ID {
	id := o.rows.Add(c)
	o.appendToNode(c.Node, id)
	if c.Gang != 0 {
		g := o.gangs.Edit(ID(c.Gang))
		last := g.last
		g.last = id
		g.members++
		if last == None {
			g.first = id
		} else {
			o.rows.Edit(last).nextOfGang = id
		}
	}
	at, _ := slices.BinarySearchFunc(o.inOrder, c.Seq, o.compare)
	o.inOrder = slices.Insert(o.inOrder, at, id)
	return id
}

func (o *Claims) appendToNode(node int32, id ID) {
	last := o.onNode.At(uint32(node))
	if last == None {
		*o.onNode.Edit(uint32(node)) = id
		return
	}
	for next := o.rows.At(last).nextOnNode; next != None; next = o.rows.At(last).nextOnNode {
		last = next
	}
	o.rows.Edit(last).nextOnNode = id
}

// End ends a claim.
func (o *Claims) End(id ID) {
	c := o.rows.At(id)
	o.takeFromNode(id, &c)
	if c.Gang != 0 {
		if g := o.gangs.Edit(ID(c.Gang)); g.members > 1 {
			o.takeFromGang(g, id, &c)
		} else {
			o.gangs.Free(ID(c.Gang))
		}
	}
	o.inOrder, o.impatient = o.without(o.inOrder, c.Seq), o.without(o.impatient, c.Seq)
	o.rows.Free(id)
}

func (o *Claims) takeFromNode(id ID, c *Claim) {
	first := o.onNode.At(uint32(c.Node))
	if first == id {
		*o.onNode.Edit(uint32(c.Node)) = c.nextOnNode
		return
	}
	before := first
	for next := o.rows.At(before).nextOnNode; next != id; next = o.rows.At(before).nextOnNode {
		before = next
	}
	o.rows.Edit(before).nextOnNode = c.nextOnNode
}

func (o *Claims) takeFromGang(g *gang, id ID, c *Claim) {
	g.members--
	if g.first == id {
		g.first = c.nextOfGang
		return
	}
	before := g.first
	for next := o.rows.At(before).nextOfGang; next != id; next = o.rows.At(before).nextOfGang {
		before = next
	}
	if g.last == id {
		g.last = before
	}
	o.rows.Edit(before).nextOfGang = c.nextOfGang
}

// without takes a claim out of a list that is ordered by Seq, if it is there.
func (o *Claims) without(list []ID, seq uint64) []ID {
	if at, in := slices.BinarySearchFunc(list, seq, o.compare); in {
		return slices.Delete(list, at, at+1)
	}
	return list
}

func (o *Claims) compare(id ID, seq uint64) int { return cmp.Compare(o.rows.At(id).Seq, seq) }

// AddVictim counts one more victim of a claim, or of its gang, that has yet to leave.
func (o *Claims) AddVictim(id ID) { o.countVictim(id, 1) }

// VictimLeft counts one less. A claim whose victims have all left is patient again.
func (o *Claims) VictimLeft(id ID) {
	o.countVictim(id, -1)
	if c := o.rows.At(id); c.Gang == 0 && c.Leaving == 0 {
		o.impatient = o.without(o.impatient, c.Seq)
	}
}

func (o *Claims) countVictim(id ID, change int32) {
	if g := o.rows.At(id).Gang; g != 0 {
		o.gangs.Edit(ID(g)).leaving += change
	} else {
		o.rows.Edit(id).Leaving += change
	}
}

// WaitUntil sets until when an ask waits for its victims alone.
func (o *Claims) WaitUntil(id ID, at time.Duration) { o.rows.Edit(id).WaitsUntil = at }

// LosePatience lets the ask of a claim land elsewhere.
func (o *Claims) LosePatience(id ID) {
	seq := o.rows.At(id).Seq
	if at, in := slices.BinarySearchFunc(o.impatient, seq, o.compare); !in {
		o.impatient = slices.Insert(o.impatient, at, id)
	}
}

// BePatient has all asks wait again.
func (o *Claims) BePatient() { o.impatient = o.impatient[:0] }

// Ref returns the reference to a claim.
func (o *Claims) Ref(id ID) Ref { return o.rows.Ref(id) }

// Resolve returns the ID of a referenced claim, or None if it has ended.
func (o *Claims) Resolve(ref Ref) ID { return o.rows.Resolve(ref) }

// WithSeq returns the claim with a number, or None.
func (o *Claims) WithSeq(seq uint64) ID {
	if at, in := slices.BinarySearchFunc(o.inOrder, seq, o.compare); in {
		return o.inOrder[at]
	}
	return None
}

// At returns a claim.
func (o *Claims) At(id ID) Claim { return o.rows.At(id) }

// IDs returns the claims in the order in which they were made, in a list of its own.
func (o *Claims) IDs() []ID { return slices.Clone(o.inOrder) }

// Of returns the ID of the claim that an ask has on a node, or None.
func (o *Claims) Of(ask app.Slot, node int32) ID {
	id := o.onNode.At(uint32(node))
	for id != None && o.rows.At(id).Ask != ask {
		id = o.rows.At(id).nextOnNode
	}
	return id
}

// View returns what others may read.
func (o *Claims) View() ClaimView { return ClaimView{o} }
