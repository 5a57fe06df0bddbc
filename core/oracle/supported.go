package oracle

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// NewSupported returns an oracle that refuses what core.Scheduler refuses because it cannot do it yet, for tests that compare
// the two. It goes when nothing is refused any more.
func NewSupported() *Oracle {
	o := New()
	o.supportedOnly = true
	return o
}

// isUnsupported reports whether the input says something that the scheduler cannot do yet.
func (o *Oracle) isUnsupported(in *core.Input) bool {
	return o.supportedOnly && in.Ask.Gang != nil
}

func (o *Oracle) decode(in *core.Input) (*config.Config, error) {
	return config.Decode([]byte(in.Config), config.Options{File: in.File, Format: config.Format(in.Format)})
}
