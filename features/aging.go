package features

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func agedNow(a core.AgedAmount) core.Fraction       { return a.Aged }
func comparedUsage(a core.AgedAmount) core.Fraction { return a.Compared }

// agedAmounts returns one of the amounts of each type in whole units, rounded; none if usage does not age.
func agedAmounts(a *core.Aged, which func(core.AgedAmount) core.Fraction) resource.Set {
	if a == nil {
		return nil
	}
	var list []resource.Quantity
	for _, t := range a.Types {
		list = append(list, resource.Quantity{Type: t.Type, Value: which(t).Units + int64(which(t).Part>>31)})
	}
	return resource.NewSet(list...)
}

func agedShareText(a *core.Aged) string {
	if a == nil {
		return ""
	}
	return shareText(a.Share)
}

// usersText lists users with the shares by which a leaf compares them, in whole millionths: a live host may be nanoseconds later.
func usersText(list []core.AgedUser) string {
	var texts []string
	for _, u := range list {
		texts = append(texts, u.User+" "+shareText((u.Share+500)/1000*1000))
	}
	return strings.Join(texts, ", ")
}
