package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// Policies answers for the policy modules of one scheduler, and has the same owner.
type Policies interface {
	// Options are what the scheduler is made with.
	Options() core.Options
	// Serve says that recovery is over and the scheduler decides: what is no pure function may be asked from now on, and shadows see what
	// is decided. Until then, and for schedulers that do not decide, such answers come from the record.
	Serve()
	// SetTime tells the scheduler's time.
	SetTime(now time.Duration)
	// Missing says which modules have been announced since the last call that cannot be asked; nil: none.
	Missing() error
	Close()
}

// policiesOf makes what answers for the policies of one more scheduler.
func (o *Options) policiesOf(decides bool) Policies {
	if o.Policies != nil {
		return o.Policies(decides)
	}
	return noPolicies{}
}

// noPolicies is for schedulers that ask no policy modules.
type noPolicies struct{}

func (noPolicies) Options() core.Options { return core.Options{} }

// optionsOf are the options of a scheduler whose instants are dates.
func optionsOf(p Policies) core.Options {
	o := p.Options()
	o.Moment = Moment
	return o
}

// Moment is an instant of a live host as explanations give it.
func Moment(at time.Duration) string { return time.Unix(0, int64(at)).UTC().Format(time.RFC3339Nano) }

func (noPolicies) Serve()                {}
func (noPolicies) SetTime(time.Duration) {}
func (noPolicies) Missing() error        { return nil }
func (noPolicies) Close()                {}

// ErrAnnounced refuses inputs that are the host's own.
var ErrAnnounced = errors.New("policy modules are added and removed through the folder of policies, not by inputs")

// announces reports whether inputs tell of policy modules.
func announces(inputs []core.Input) bool {
	return slices.ContainsFunc(inputs, func(in core.Input) bool { return in.Type() == core.PolicySet || in.Type() == core.PolicyRemove })
}

// Announce tells the scheduler of policy modules that come and go, and waits until the view has decided what that brings.
func (s *Server) Announce(ctx context.Context, inputs []core.Input, by Actor) error {
	return s.announce(ctx, &Request{Inputs: inputs, By: by, announces: true})
}

func (s *Server) announce(ctx context.Context, r *Request) error {
	source := s.Source()
	defer source.Close()
	given, err := source.Submit(ctx, r)
	if err != nil {
		return err
	}
	return s.view.Await(ctx, given.Batch)
}

// AskAnew has predicates asked again about everything, as far as asks name them and they are wanted: also those that the loop has only just
// asked, and of which the view has still to hear.
func (s *Server) AskAnew(ctx context.Context, wanted func(predicate string) bool, by Actor) error {
	if err := s.view.Await(ctx, s.o.Store.End().Batch); err != nil {
		return err
	}
	var list []core.Input
	s.view.Read(func(present *scheduler.Scheduler) {
		list = slices.DeleteFunc(anew(present), func(in core.Input) bool {
			e, ok := in.Event.(*core.RemovePolicy)
			return !ok || !wanted(e.Name)
		})
	})
	return s.announceParts(ctx, list, RequestInputs, by)
}

// announceParts announces more than one request may hold.
func (s *Server) announceParts(ctx context.Context, list []core.Input, most int, by Actor) error {
	for some := range slices.Chunk(list, most) {
		if err := s.announce(ctx, &Request{Inputs: some, By: by, announces: true, patient: true}); err != nil {
			return err
		}
	}
	return nil
}

// RefreshShadows shows the loop's scheduler its built-in policies once more, since their shadows have changed.
func (s *Server) RefreshShadows() {
	s.rewitness.Store(true)
	s.intake.ring()
}

// again are the inputs that have all policies asked again that are there: modules are announced as they were, predicates are removed.
func anew(s *scheduler.Scheduler) (list []core.Input) {
	modules := map[string]bool{}
	for _, u := range s.PolicyUses() {
		modules[u.Name] = true
		list = append(list, core.Input{Event: &core.SetPolicy{PolicyModule: u.PolicyModule}})
	}
	for _, name := range s.Predicates() {
		if !modules[name] { // otherwise its announcement does it
			list = append(list, core.Input{Event: &core.RemovePolicy{Name: name}})
		}
	}
	return list
}

// restorable reports whether recovery may begin with a snapshot of here. A snapshot holds neither what policies answered that are no pure
// functions, nor what modules remember against their contract: they are asked about everything again, in fresh instances. That must be so
// for the loop, too, which it is where the inputs that come next are those of again.
func (f *follower) restorable() bool {
	comes := make(map[renewed]bool, len(f.open))
	for i := range f.open {
		if r, ok := renewedBy(f.open[i].Event); ok {
			comes[r] = true
		}
	}
	for _, needed := range anew(f.scheduler) {
		if r, ok := renewedBy(needed.Event); ok && !comes[r] {
			return false
		}
	}
	return true
}

// renewed says which policy an event has asked again, and how.
type renewed struct {
	by   core.InputType
	name string
}

// renewedBy is what an event has asked again; ok is false if it is none about policies.
func renewedBy(e core.Event) (r renewed, ok bool) {
	switch e := e.(type) {
	case *core.SetPolicy:
		return renewed{core.PolicySet, e.Name}, true
	case *core.RemovePolicy:
		return renewed{core.PolicyRemove, e.Name}, true
	default:
		return renewed{}, false
	}
}

// renewal is a request that has policies asked again.
func renewal(list []core.Input) (*waiting, error) {
	w := &waiting{Request: &Request{Inputs: list, Durable: true, announces: true}, done: make(chan error, 1)}
	return w, w.prepare()
}

// renew has the loop ask the policies again that keep a view from keeping a snapshot.
func (s *Server) renew(list []core.Input) error {
	w, err := renewal(list)
	if err != nil {
		return err
	}
	source := s.Source()
	defer source.Close()
	return s.intake.put(source, w)
}

// rewitness shows the scheduler its built-in policies once more. Where that has other policies asked again, the view and recovery have to ask
// them again as well: then it returns a request for that.
func (l *loop) rewitness() (*waiting, error) {
	list := anew(l.scheduler)
	if len(list) == 0 {
		l.scheduler.RefreshShadows()
		return nil, nil
	}
	w, err := renewal(list)
	if err == nil {
		w.rewitnesses = true
	}
	return w, err
}

// end ends the record with what makes a snapshot of its end restorable, where that is needed. What it announces is decided at the
// next start.
func (l *loop) end(clock time.Duration) error {
	at := l.stamp(clock)
	if len(anew(l.scheduler)) == 0 {
		return nil
	}
	if err := l.serveDeadlines(at); err != nil {
		return err
	}
	w, err := renewal(anew(l.scheduler))
	if err != nil {
		return err
	}
	return l.commit(at, []*waiting{w})
}
