package claims

import (
	"cmp"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

func TestRows_HoldNoPointers(t *testing.T) {
	for _, err := range []error{table.Flat[Reservation](), table.Flat[Claim](), table.Flat[gang]()} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestReservations_OneOnANode(t *testing.T) {
	o := NewReservations()
	o.Add(Reservation{Seq: 1, Node: 3})
	defer func() {
		if recover() == nil {
			t.Error("a second reservation of the node is taken")
		}
	}()
	o.Add(Reservation{Seq: 2, Node: 3})
}

// Compares the owner of reservations with a map by node.
func TestReservations_EqualAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, model, refs := NewReservations(), map[int32]Reservation{}, map[int32]Ref{}
		var ended []Ref
		free := rapid.Permutation([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}).Draw(t, "numbers")
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			node := int32(rapid.IntRange(0, 5).Draw(t, "node"))
			if _, in := model[node]; in {
				o.End(node)
				ended = append(ended, refs[node])
				delete(model, node)
			} else if len(free) > 0 {
				r := Reservation{Seq: free[0], Node: node, Ask: app.Slot(free[0] * 7), Required: rapid.Bool().Draw(t, "required")}
				free = free[1:]
				refs[node] = o.Ref(o.Add(r))
				model[node] = r
			}
			checkReservations(t, o, model)
		}
		for _, ref := range ended {
			if _, there := o.Resolve(ref); there {
				t.Fatal("a reference to a reservation that has ended resolves")
			}
		}
	})
}

func checkReservations(t *rapid.T, o *Reservations, model map[int32]Reservation) {
	v, required := o.View(), 0
	want := slices.SortedFunc(maps.Values(model), func(a, b Reservation) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, r := range want {
		if r.Required {
			required++
		}
	}
	if got := slices.Collect(v.All()); !slices.Equal(got, want) || v.Len() != len(want) {
		t.Fatalf("%v, expected %v", got, want)
	}
	if v.Required() != required || v.Ordinary() != len(want)-required {
		t.Fatalf("%d required and %d ordinary, expected %d of %d", v.Required(), v.Ordinary(), required, len(want))
	}
	for node := range int32(6) {
		if r, in := v.On(node); in != (model[node].Seq != 0) || r != model[node] {
			t.Fatalf("node %d has %v, expected %v", node, r, model[node])
		}
	}
}

// claimModel is the expected state of a claim, with its own number for the gang.
type claimModel struct {
	Claim
	id        ID
	gang      int
	impatient bool
}

// claimTrial compares the owner of claims with plain lists.
type claimTrial struct {
	*rapid.T
	o       *Claims
	model   []*claimModel // by Seq
	gangs   map[int]GangID
	leaving map[int]int // by gang
	seq     uint64
}

func (tr *claimTrial) add(node int32, gang int) {
	tr.seq++
	c := Claim{Seq: tr.seq, Node: node, Ask: app.Slot(tr.seq * 3), Gang: tr.gangs[gang]}
	tr.model = append(tr.model, &claimModel{Claim: c, id: tr.o.Add(c), gang: gang})
}

func (tr *claimTrial) on(node int32) (list []*claimModel) {
	return slices.DeleteFunc(slices.Clone(tr.model), func(c *claimModel) bool { return c.Node != node })
}

func (tr *claimTrial) addGang() {
	gang := int(tr.seq) + 1
	tr.leaving[gang] = rapid.IntRange(0, 3).Draw(tr.T, "victims")
	tr.gangs[gang] = tr.o.NewGang(tr.leaving[gang])
	before := tr.seq
	for range rapid.IntRange(1, 5).Draw(tr.T, "members") {
		node := int32(rapid.IntRange(0, 7).Draw(tr.T, "node"))
		if there := tr.on(node); len(there) == 0 || there[0].gang == gang {
			tr.add(node, gang)
		}
	}
	if tr.seq == before { // a gang must have members
		tr.add(int32(100+gang), gang)
	}
}

func (tr *claimTrial) step() {
	if len(tr.model) == 0 || rapid.IntRange(0, 2).Draw(tr.T, "more") == 0 {
		node := int32(rapid.IntRange(0, 7).Draw(tr.T, "node"))
		if rapid.Bool().Draw(tr.T, "gang") {
			tr.addGang()
		} else if len(tr.on(node)) == 0 {
			tr.add(node, 0)
		}
		return
	}
	c := tr.model[rapid.IntRange(0, len(tr.model)-1).Draw(tr.T, "claim")]
	switch rapid.IntRange(0, 4).Draw(tr.T, "what") {
	case 0:
		tr.o.End(c.id)
		tr.model = slices.DeleteFunc(tr.model, func(x *claimModel) bool { return x == c })
	case 1:
		tr.o.AddVictim(c.id)
		tr.countVictim(c, 1)
	case 2:
		tr.leave(c)
	case 3:
		tr.o.AllowElsewhere(c.id)
		c.impatient = true
	default:
		c.WaitsUntil = time.Duration(tr.seq)
		tr.o.WaitUntil(c.id, c.WaitsUntil)
	}
}

func (tr *claimTrial) countVictim(c *claimModel, change int) {
	if c.gang != 0 {
		tr.leaving[c.gang] += change
	} else {
		c.Leaving += int32(change)
	}
}

func (tr *claimTrial) leave(c *claimModel) {
	if c.gang != 0 && tr.leaving[c.gang] == 0 || c.gang == 0 && c.Leaving == 0 {
		return
	}
	tr.o.VictimLeft(c.id)
	tr.countVictim(c, -1)
	if c.gang == 0 && c.Leaving == 0 {
		c.impatient = false
	}
}

// plain returns a claim without its list links.
func plain(c Claim) Claim {
	c.nextOnNode, c.nextOfGang = None, None
	return c
}

func (tr *claimTrial) expect(what string, got []Claim, keep func(*claimModel) bool) {
	var want []Claim
	for _, c := range tr.model {
		if keep(c) {
			want = append(want, c.Claim)
		}
	}
	for i := range got {
		got[i] = plain(got[i])
	}
	if !slices.Equal(got, want) {
		tr.Fatalf("%s: %v, expected %v", what, got, want)
	}
}

func (tr *claimTrial) check() {
	v := tr.o.View()
	tr.expect("all", slices.Collect(v.All()), func(*claimModel) bool { return true })
	tr.expect("impatient", slices.Collect(v.AllImpatient()), func(c *claimModel) bool { return c.impatient })
	for node := range int32(8) {
		tr.expect("on a node", slices.Collect(v.On(node)), func(c *claimModel) bool { return c.Node == node })
		first, claimed := v.First(node)
		if there := tr.on(node); claimed != (len(there) > 0) || claimed && first.Seq != there[0].Seq {
			tr.Fatalf("node %d: the first claim is %v", node, first)
		}
	}
	for _, c := range tr.model {
		if found, has := v.Of(c.Ask, c.Node); !has || plain(found) != c.Claim || tr.o.WithSeq(c.Seq) != c.id {
			tr.Fatalf("the claim of an ask is %v, expected %v", found, c.Claim)
		}
		if c.gang != 0 {
			tr.expect("of a gang", slices.Collect(v.OfGang(c.Gang)), func(x *claimModel) bool { return x.gang == c.gang })
			if v.LeavingFor(c.Gang) != tr.leaving[c.gang] {
				tr.Fatalf("%d have yet to leave for a gang, expected %d", v.LeavingFor(c.Gang), tr.leaving[c.gang])
			}
		}
	}
	if v.Len() != len(tr.model) || v.Impatient() > v.Len() {
		tr.Fatalf("%d claims, %d impatient, expected %d", v.Len(), v.Impatient(), len(tr.model))
	}
}

func TestClaims_EqualPlainLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := &claimTrial{T: t, o: NewClaims(), gangs: map[int]GangID{}, leaving: map[int]int{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			tr.step()
			tr.check()
		}
	})
}
