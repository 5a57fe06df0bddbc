package permission

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/auth"
)

func TestForecast_NamesNobodyElse(t *testing.T) {
	all := []forecast.Group{{Of: "ann/train", Ended: 5, Asks: 3}, {Of: "bob/train", Ended: 7, Asks: 2}, {Of: "ann", Ended: 9, Asks: 1}, {Of: "annabel", Ended: 1, Asks: 1}}
	for _, c := range []struct {
		caller auth.Caller
		want   []forecast.Group
	}{
		{auth.Caller{User: "ann", Role: auth.Viewer}, []forecast.Group{all[0], all[2], {Of: "others", Ended: 8, Asks: 3}}},
		{auth.Caller{Role: auth.Viewer}, []forecast.Group{{Of: "others", Ended: 22, Asks: 7}}},
		{auth.Caller{User: "op", Role: auth.Operator}, all},
	} {
		if told := namingNobodyElse(&c.caller, slices.Clone(all)); !slices.Equal(told, c.want) {
			t.Errorf("%+v is told %+v, want %+v", c.caller, told, c.want)
		}
	}
}
