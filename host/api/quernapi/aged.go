package quernapi

import (
	"github.com/quern-project/quern/host/format"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// agedOf returns the aged usage of a queue, or of a user if that is named. It returns nil for nil.
func agedOf(user string, a *format.Aged) *quernv1.AgedUsage {
	if a == nil {
		return nil
	}
	return &quernv1.AgedUsage{User: user, HalfLife: durationOf(a.HalfLife), LookAhead: durationOf(a.LookAhead), Aged: amounts(a.Aged),
		Compared: amounts(a.Compared), ShareBillionths: a.Share, BelowGuaranteed: a.BelowGuaranteed}
}

func agedUsers(list []format.AgedUser) (out []*quernv1.AgedUsage) {
	for i := range list {
		out = append(out, agedOf(list[i].User, &list[i].Aged))
	}
	return out
}
