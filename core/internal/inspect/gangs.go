package inspect

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
)

// Gangs returns the atomic gangs of all partitions, in the order of their first members.
func Gangs(views []*View) []core.GangDump {
	type entry struct {
		seq uint64
		core.GangDump
	}
	var list []entry
	for _, s := range views {
		for a := range s.Asks().Apps {
			var members map[app.AtomicGang][]string // nil until the first gang, since most applications have none
			for g := range a.AtomicGangs {
				row := g.Row()
				if members == nil {
					members = membersOf(a)
				}
				list = append(list, entry{row.Seq, core.GangDump{
					App: a.ID(), ID: row.ID, Min: max(0, g.Need()), Running: row.Staying, Broken: row.Broken, Single: row.Dissolved, Members: members[g],
				}})
			}
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.App, b.App)) })
	var gangs []core.GangDump
	for _, e := range list {
		gangs = append(gangs, e.GangDump)
	}
	return gangs
}

// membersOf returns the IDs of the members of each gang of an application, bytewise.
func membersOf(a app.App) map[app.AtomicGang][]string {
	members := map[app.AtomicGang][]string{}
	add := func(ask app.Ask) bool {
		if g := ask.Atomic(); !g.IsNone() {
			members[g] = append(members[g], ask.ID())
		}
		return true
	}
	a.Pending(add)
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
		add(ask)
	}
	for _, ids := range members {
		slices.Sort(ids)
	}
	return members
}
