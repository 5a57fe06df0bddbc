package servecmd

import (
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/server"
)

// offerYuniKorn has the interface of YuniKorn served beside what is offered already, whose metrics it gives, too.
func (v *service) offerYuniKorn(memory *yunikorn.Memory, clock server.Clock, platform Connection) {
	o := yunikorn.Options{Managers: v.managers, Now: clock.Now}
	if d, ok := platform.(Describer); ok {
		o.Cluster = d.Cluster()
	}
	for _, r := range v.routes {
		if r.Pattern == "GET /metrics" {
			o.Metrics = r.Handler
		}
	}
	v.offer(yunikorn.New(v.live, memory, o).Routes()...)
}
