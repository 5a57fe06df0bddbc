package schedule

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/resumable"
)

// dormantGang is a gang of alike members for which no domain of its required level had enough room. Until one has, or the gang has other
// members, it is not tried, and searches need not even find it (hidden_gangs.go).
type dormantGang struct {
	class   class.Class
	version uint64 // of the gang
}

// dormantLimit limits the number of dormant gangs in memory. Others are tried.
const dormantLimit = 1 << 16

// dormant reports whether the domains still lack the room for a gang.
func (s *Walk) dormant(first app.Ask, g app.AtomicGang) bool {
	row := g.Row()
	was, known := s.gangs.dormant[row.Seq]
	if !known {
		return false
	}
	if was.version == row.Version {
		s.trying = first
		of := shapeOf(g, was.class)
		if !s.roomForGangs(s.state.Nodes().Rooms(was.class, s.contest()), of, g.Need()) {
			s.hideGang(hiddenGang{first.App(), g, row.Version}, of, first)
			return true
		}
	}
	delete(s.gangs.dormant, row.Seq)
	return false
}

// recordDormant records a gang that was tried and found no room.
func (s *Walk) recordDormant(x *domainSearch, required bool) {
	if !required || !x.alike || s.progress.PolicyFailed(resumable.Placement) {
		return
	}
	of := shapeOf(x.gang, x.members[0].Class())
	if s.roomForGangs(s.roomsOf(x, x.members[0]), of, x.gang.Need()) {
		return
	}
	if s.gangs.dormant == nil || len(s.gangs.dormant) >= dormantLimit {
		s.gangs.dormant = map[uint64]dormantGang{}
	}
	row := x.gang.Row()
	s.gangs.dormant[row.Seq] = dormantGang{x.members[0].Class(), row.Version}
}
