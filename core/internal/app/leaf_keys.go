package app

import (
	"math"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// keysOf returns an application's keys between priority and submission.
func (l *leaf) keysOf(slot int32) []int64 {
	at := int(slot) * l.keyLen
	return l.keys[at : at+l.keyLen]
}

// growKeys extends the list of keys to all applications.
func (l *leaf) growKeys() {
	for len(l.keys) < len(l.apps.Items)*l.keyLen {
		l.keys = append(l.keys, 0)
	}
}

// computeShares computes the shares of the changed applications or, if sharesStale is set, of all.
func (l *leaf) computeShares() {
	l.growKeys()
	if !l.sharesStale {
		for _, a := range l.dirty {
			l.setShares(a)
		}
		return
	}
	l.sharesStale = false
	for _, a := range l.apps.Items {
		if a != nil {
			l.setShares(a)
			if !a.queued {
				l.file(a)
			}
		}
	}
}

func (l *leaf) setShares(a *application) {
	if l.users != nil {
		l.setUserShares(a)
		return
	}
	l.listShares(a)
	putKeys(l.keysOf(a.slot), l.shares)
}

// putKeys writes as many of the negated shares as there are keys.
func putKeys(keys, negated []int64) {
	n := 0
	for n < len(keys) && n < len(negated) {
		keys[n] = -negated[n]
		n++
	}
	clear(keys[n:])
}

// askAboutDirty asks the policy module for the keys of the changed applications.
func (l *leaf) askAboutDirty() {
	for _, a := range l.dirty {
		if !a.hasKeys || !l.table.Settled() {
			l.table.Touch(a.slot)
		}
	}
	l.growKeys()
	l.table.Flush(l, l.setKeys)
}

// setKeys stores the policy's keys of one application.
func (l *leaf) setKeys(slot int32, keys []float64) {
	a := l.apps.Items[slot]
	if l.keyLen != len(keys) { // another module answers, and will be asked about every application
		l.keyLen, l.keys = len(keys), nil
		l.growKeys()
		l.makeOrder()
		l.orderChanged()
	}
	a.hasKeys = true
	to := l.keysOf(slot)
	for j, v := range keys {
		to[j] = policy.SortKey(v)
	}
	l.setIneligible(a, math.IsInf(keys[0], 1))
	if !a.queued {
		l.file(a)
	}
}

// setIneligible records whether the policy module has answered that the application is not eligible now.
func (l *leaf) setIneligible(a *application, ineligible bool) {
	if a.ineligible == ineligible {
		return
	}
	if a.ineligible {
		a.changed = l.shrinkEpoch
		a.retry()
	}
	l.eligibilityChanges++
	a.ineligible = ineligible
}

// Fill writes the columns of an application for the policy that orders applications.
func (l *leaf) Fill(row int32, columns []policy.Column, cols [][]float64) {
	a := l.apps.Items[row]
	listed := false
	for i := range columns {
		c := &columns[i]
		v := c.Default
		switch c.Kind {
		case policy.Submitted:
			v = float64(a.Seq())
		case policy.Priority:
			if a.HasPriority() {
				v = float64(a.Priority())
			}
		case policy.TopShare:
			if !listed {
				l.listShares(a)
				listed = true
			}
			v = topShare(l.shares, c.Arg)
		case policy.PendingAsks:
			v = float64(a.PendingAsks())
		case policy.Allocations:
			v = float64(a.Allocations())
		case policy.GangSize, policy.GangMin:
			v = a.firstWaiting().column(c)
		case policy.Aged, policy.HalfLife:
			v = l.userColumn(a, c)
		case policy.Walltime:
			if longest, ok := a.longest(); ok {
				v = longest.Seconds()
			}
		case policy.SubmittedAt:
			v = a.Submitted().Seconds()
		case policy.Share, policy.Used, policy.Pending:
			if t, ok := c.TypeIn(l.types.View()); ok {
				v = l.amount(a, c.Kind, t)
			}
		default:
			v = a.column(c)
		}
		cols[i][row] = v
	}
}

// Name returns the ID of the application in a row.
func (l *leaf) Name(row int32) string { return l.apps.Items[row].ID() }

func (l *leaf) amount(a *application, kind policy.ColumnKind, t int) float64 {
	switch kind {
	case policy.Used:
		return float64(a.asks.values.UsedOf(a.number, t))
	case policy.Pending:
		return float64(a.asks.values.WaitingOf(a.number, t))
	default:
		return float64(resource.Share(a.asks.values.UsedOf(a.number, t), l.denominators[t]))
	}
}

// listShares sets l.shares to the application's shares of the types that it uses, negated, largest share first.
func (l *leaf) listShares(a *application) {
	l.shares = l.shares[:0]
	for t := range l.denominators {
		if used := a.asks.values.UsedOf(a.number, t); used > 0 {
			l.shares = append(l.shares, -resource.Share(used, l.denominators[t]))
		}
	}
	slices.Sort(l.shares)
}

// topShare returns the share with a rank, from 1, of a list of negated shares, or 0 beyond its end.
func topShare(negated []int64, rank string) float64 {
	i, err := strconv.Atoi(rank)
	if err != nil || i < 1 || i > len(negated) {
		return 0
	}
	return float64(-negated[i-1])
}
