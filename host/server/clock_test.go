package server

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store/simdisk"
	"github.com/quern-project/quern/internal/await"
)

func TestClock_FromTheDateOrTheEndOfTheRecord(t *testing.T) {
	date := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
	now := time.Duration(date.UnixNano())
	for name, test := range map[string]struct{ end, want time.Duration }{
		"an empty record":                    {0, now},
		"a record that ended before":         {now - time.Hour, now},
		"a record that ended after the date": {now + time.Hour, now + time.Hour},
	} {
		passed := 5 * time.Minute // since the machine was started
		c := newSystemClock(test.end, date, func() time.Duration { return passed })
		if got := c.Now(); got != test.want {
			t.Errorf("%s: found %v, expected %v", name, got, test.want)
		}
		if passed += time.Minute; c.Now() != test.want+time.Minute {
			t.Errorf("%s: %v passed by the clock, expected a minute", name, c.Now()-test.want)
		}
	}
}

// The date has been put back by an hour since the record was written. Timers of the scheduler are due when their time has passed all the same.
func TestTimersRunAfterTheDateWasPutBack(t *testing.T) {
	disk := simdisk.New(1)
	ahead := time.Duration(time.Now().Add(time.Hour).UnixNano())
	s, record := opened(t, disk, 1<<20, func(o *Options) { o.Clock = NewSystemClock(ahead) })
	source, end := running(t, s)
	submit(t, source,
		core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"}},
		core.Input{Event: &core.AddApp{ID: "app", Queue: "root.a"}},
		core.Input{Event: &core.AddAsk{ID: "member", App: "app", Resources: vcores(1), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 1, Timeout: 2 * time.Second}}}})
	end()
	if err := record.Close(); err != nil {
		t.Fatal(err)
	}
	s, record = opened(t, disk, 1<<20)
	s.o.Clock = NewSystemClock(time.Duration(record.End().At))
	_, end = running(t, s)
	defer end()
	await.True(t, "the gang to end in its time", func() bool {
		waits, now := true, ahead
		s.View().Read(func(present *scheduler.Scheduler) {
			_, waits = present.Ask("member")
			now = present.Now()
		})
		if now < ahead {
			t.Fatalf("the record goes back from %v to %v", ahead, now)
		}
		return !waits
	})
}
