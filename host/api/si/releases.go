package si

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/objects"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// release takes back an ask or an allocation, or all of an application. What is not there is released already.
func (s *Service) release(b *batch, own *session, r *siv1.AllocationRelease) {
	key := r.GetAllocationKey()
	if f, foreign := own.foreign[key]; foreign && r.GetApplicationID() == "" {
		f.leave(key)
		b.add(f.node.update())
		return
	}
	app := s.application(own, r.GetApplicationID())
	if app == nil || app.owner != own {
		s.log.Warn("an allocation of an unknown application was released", "rm", own.id, "app", r.GetApplicationID(), "key", key)
		return
	}
	if key != "" {
		if k := s.ask(app, key); k != nil && k.app == app {
			s.releaseAsk(b, k, r.GetMessage() == Failed)
		}
		return
	}
	for _, key := range s.keys(app) {
		if k := s.ask(app, key); k != nil {
			s.releaseAsk(b, k, r.GetMessage() == Failed)
		}
	}
}

// keys are those of an application's asks, known here or to the scheduler.
func (s *Service) keys(app *application) (keys []string) {
	for key := range app.asks {
		keys = append(keys, key)
	}
	for k := range objects.Each(s.server.View(), (*scheduler.Scheduler).Asks, core.Where{App: app.id}) {
		keys = append(keys, k.ID)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// releaseAsk submits the end of an ask. Whether it is allocated may be changing: then one of the two inputs has no effect.
func (s *Service) releaseAsk(b *batch, k *ask, failed bool) {
	k.releasing = true
	release, waits := core.Input{Event: &core.ReleaseAllocation{ID: k.key, Failed: failed}}, k.node == ""
	if waits {
		b.add(core.Input{Event: &core.RemoveAsk{ID: k.key}}, release)
	} else {
		b.add(release)
	}
	b.then(func(o *outcome) {
		switch {
		case o.err != nil:
			k.releasing = false
		case waits && o.ignored(core.AskRemove, k.key) == "":
			s.drop(k, 0) // nothing is decided about an ask that was withdrawn
		}
	})
}
