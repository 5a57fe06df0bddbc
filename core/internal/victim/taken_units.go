package victim

// takenUnits are the units of which some victims may be members.
type takenUnits []*takenUnit

// takenUnit counts what a list of victims takes of a unit: some members that leave while the rest runs on, or all of them.
type takenUnit struct {
	*unit
	outer *takenUnit // of the unit that contains it, or nil
	left  []int64    // by index in spare: how much more may leave
	alone int        // number of members that leave while the rest runs on
	fixed int        // number of members that leave whatever is taken
	all   bool       // all members leave
}

// of returns the counts of a unit, or nil for no unit. When it first counts a unit, the members for which fixed is true count as leaving.
func (t *takenUnits) of(u *unit, fixed func(v *victim) bool) *takenUnit {
	if u == nil {
		return nil
	}
	for _, known := range *t {
		if known.unit == u {
			return known
		}
	}
	of := &takenUnit{unit: u, outer: t.of(u.outer, fixed)}
	for _, s := range u.spare {
		of.left = append(of.left, s.Amount)
	}
	for i := range u.members {
		if fixed != nil && fixed(&u.members[i]) {
			of.fixed++
			of.take(&u.members[i], 1)
		}
	}
	*t = append(*t, of)
	return of
}

// take counts a member that leaves or, with -1, stays after all.
func (u *takenUnit) take(v *victim, sign int64) {
	for i, s := range u.spare {
		u.left[i] -= sign * s.Takes(v.ask)
	}
}

// allows reports whether members may leave in addition, while the rest of the unit, and of those that contain it, runs on.
func (u *takenUnit) allows(members []victim) bool {
	for ; u != nil; u = u.outer {
		if u.spare == nil || u.all {
			return false
		}
		for i, s := range u.spare {
			left := u.left[i]
			for j := range members {
				left -= s.Takes(members[j].ask)
			}
			if left < 0 {
				return false
			}
		}
	}
	return true
}

// add counts members that leave the unit and those that contain it or, with -1, stay after all.
func (u *takenUnit) add(members []victim, sign int) {
	for ; u != nil; u = u.outer {
		u.alone += sign * len(members)
		for i := range members {
			u.take(&members[i], int64(sign))
		}
	}
}

// restMayLeave reports whether the rest of the unit may leave together.
func (u *takenUnit) restMayLeave(rest []victim) bool {
	return u.whole && !u.all && u.alone == 0 && u.outer.allows(rest)
}

// end counts that the rest of the unit leaves or, with -1, stays after all.
func (u *takenUnit) end(rest []victim, sign int) {
	u.all = sign > 0
	u.outer.add(rest, sign)
}
