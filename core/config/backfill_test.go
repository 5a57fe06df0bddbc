package config

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
)

func TestBackfillSaysHowManyAsksArePlanned(t *testing.T) {
	for text, want := range map[string]Backfill{
		"":                       {},
		", backfill: {}":         {Horizon: DefaultHorizon},
		", backfill: {depth: 0}": {Horizon: DefaultHorizon},
		", backfill: {depth: 1}": {Depth: 1, Horizon: DefaultHorizon},
		", backfill: {depth: all, horizon: 1h30m}": {All: true, Horizon: instant.Delay(90 * time.Minute)},
	} {
		c := partitions(t, "{queues: [{name: a}]"+text+"}")
		if found := c[0].Backfill; found != want {
			t.Errorf("%q: expected %+v, found %+v", text, want, found)
		}
	}
	for b, want := range map[Backfill][3]bool{{}: {}, {Depth: 2}: {true, true, false}, {All: true}: {true, true, true}} {
		if found := [3]bool{b.Plans(), b.Admits(1), b.Admits(2)}; found != want {
			t.Errorf("%+v: expected %v, found %v", b, want, found)
		}
	}
}

func TestBackfill_Refusals(t *testing.T) {
	checkRefusals(t, "partitions:\n- queues: [{name: a}]\n  backfill: ", "\n", []refusal{
		{`all`, `partition: backfill: expected a mapping, found "all"`},
		{`{depth: some}`, `partition: backfill.depth: expected a whole number of zero or more, or all, found "some"`},
		{`{depth: -1}`, `partition: backfill.depth: expected a whole number of zero or more, or all, found "-1"`},
		{`{horizon: 0s}`, `partition: backfill.horizon: expected a duration above zero, such as 168h, found "0s"`},
		{`{horizon: long}`, `partition: backfill.horizon: expected a duration above zero, such as 168h, found "long"`},
		{`{deep: 1}`, `partition: backfill.deep: expected depth or horizon, found "deep"`},
	})
}
