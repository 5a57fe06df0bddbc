package oracle

import "github.com/quern-project/quern/core"

func (p *partition) moveApp(in *core.Input) {
	if p.findApp(in.ID) == nil {
		p.ignore(in, core.ReasonUnknownApplication)
		return
	}
	p.ignore(in, core.ReasonNotSupported)
}
