package quernapi

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/quern-project/quern/core"
)

// period converts a duration above zero; 0: there is none.
func (c *converter) period(key string, d *durationpb.Duration) time.Duration {
	period := c.duration(key, d)
	if d != nil && period == 0 {
		c.refuse(key, "a duration above zero", d.String())
	}
	return period
}

func (c *converter) overrun(of string) core.Overrun {
	switch o := core.Overrun(of); o {
	case core.OverrunInQueue, core.OverrunEnd, core.OverrunAllow:
		return o
	}
	c.refuse("walltime_overrun", "end or allow", of)
	return core.OverrunInQueue
}

// instant converts a time; nil: there is none.
func (c *converter) instant(key string, t *timestamppb.Timestamp) *time.Duration {
	if t == nil {
		return nil
	}
	at := time.Duration(t.AsTime().UnixNano())
	if t.CheckValid() != nil || !timestamppb.New(time.Unix(0, int64(at))).AsTime().Equal(t.AsTime()) {
		c.refuse(key, "a time within 290 years of 1970", t.String())
	}
	return &at
}
