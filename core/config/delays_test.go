package config

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
)

func TestDelays_Long(t *testing.T) {
	const hour = instant.Delay(time.Hour)
	for _, key := range []string{propReservationDelay, propPreemptionDelay, propQuotaDelay, propPatience} {
		for text, want := range map[string]struct {
			delay instant.Delay
			warns int
		}{
			"87600h": {87600 * hour, 0}, "87601h": {87601 * hour, 1}, "2562047h": {2562047 * hour, 1},
			"2562048h": {instant.Delay(instant.Never), 1}, "99999999999999999999999.5h": {instant.Delay(instant.Never), 1},
		} {
			c := decode(t, fmt.Sprintf("[{name: root, properties: {%s: %s}, queues: [{name: a}]}]", key, text))
			p, a := c.Partitions[0], at(t, c, "a")
			got := map[string]instant.Delay{propReservationDelay: p.ReservationDelay, propPreemptionDelay: a.PreemptionDelay, propQuotaDelay: a.QuotaDelay, propPatience: p.Patience}[key]
			if got != want.delay || len(c.Warnings) != want.warns {
				t.Errorf("%s: %s: %s, %v", key, text, got, c.Warnings)
			}
		}
	}
}

func TestPatience_OfRootAlone(t *testing.T) {
	for text, want := range map[string]instant.Delay{"0s": 0, "5s": instant.Delay(5 * time.Second), "soon": DefaultPatience, "-1s": DefaultPatience, "-9999999999999h": DefaultPatience} {
		c := decode(t, "[{name: root, properties: {preemption.patience: "+text+"}, queues: [{name: a, properties: {preemption.patience: 9s}}]}]")
		if c.Partitions[0].Patience != want {
			t.Errorf("%s: %s", text, c.Partitions[0].Patience)
		}
	}
}
