package registry

import (
	"bytes"
	"errors"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/host/policy/wazero"
	"github.com/quern-project/quern/wasm/module/guest"
)

// serving is the evaluator of a module, and the function that ends it.
type serving struct {
	policy.Evaluator
	end      func()
	repeated func() int   // calls that were made twice; nil: none ever are
	hold     func() error // takes room for instances, before the first call does; nil: there are none
}

// repeats is how many calls were made twice.
func (s *serving) repeats() int {
	if s.repeated == nil {
		return 0
	}
	return s.repeated()
}

// through is the evaluator behind the lenses of a module.
func (s *serving) projected(l guest.Projections) *serving {
	out := *s
	out.Evaluator = l.Wrap(s.Evaluator)
	return &out
}

// asked is a module of WebAssembly that answers. Its instances are made when the first batch comes, not before: most
// modules of a folder are named by no configuration.
func lazyEvaluator(e *wazero.Evaluator) *serving {
	e.Close()
	return &serving{e, e.Close, e.Repeated, e.Hold}
}

// boundedEvaluator reports the first call for which the module's instances found no memory to the binding's Lacks, since
// the scheduler sees it as one fault among others.
type boundedEvaluator struct {
	policy.Evaluator
	binding      *Binding
	name, sha256 string
	reported     bool
}

// Eval answers a batch.
func (h *boundedEvaluator) Eval(b *policy.Batch) error {
	err := h.Evaluator.Eval(b)
	var full *wazero.MemoryError
	if !h.reported && errors.As(err, &full) {
		h.reported = true
		h.binding.missing = append(h.binding.missing, MissingModule{h.name, h.sha256, err})
	}
	return err
}

// register records the evaluator of a name, and returns the function that ends it.
func (b *Binding) register(name string, s *serving) (end func()) {
	b.live[s] = name
	return func() {
		b.repeated[name] += s.repeats()
		delete(b.live, s)
		s.end()
	}
}

// start makes an evaluator of an announced module; nil where recorded answers serve instead.
func (b *Binding) start(announced core.Announcement) (*serving, error) {
	name, sha256, m := announced.Name, announced.SHA256, announced.Parsed
	if s, own := b.registry.takeReady(name, sha256, m); s != nil {
		views, err := guest.NewProjections(m, own)
		if err != nil {
			s.end()
			return nil, err
		}
		return s.projected(views), nil
	}
	if m.Impure {
		return b.startProcess(name, sha256, m)
	}
	limits, err := guest.LimitsOf(m)
	if err != nil {
		return nil, err
	}
	code, err := b.registry.codeOf(b.ctx, name, sha256, limits)
	if err != nil {
		return nil, err
	}
	own, err := guest.OwnPoints(code.Manifest(), m.Configuration)
	if err != nil {
		return nil, err
	}
	views, err := guest.NewProjections(m, own)
	if err != nil {
		return nil, err
	}
	e, err := code.Evaluator(b.ctx, m.Configuration) // which says whether the module takes the configuration
	if err != nil {
		return nil, err
	}
	return lazyEvaluator(e).projected(views), nil
}

// takeReady hands over the instance that was proven, if the announced module is that of the folder and has not been called yet.
func (r *Registry) takeReady(name, sha256 string, announced *policy.Manifest) (*serving, map[policy.Point]*policy.PointSpec) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.current[name]
	if m == nil || m.ready == nil || m.sha256 != sha256 || !bytes.Equal(m.Manifest.Configuration, announced.Configuration) ||
		!bytes.Equal(m.Manifest.Limits, announced.Limits) {
		return nil, nil
	}
	s := m.ready
	m.ready = nil
	return s, m.Manifest.Points
}

// startProcess starts the program of a name, if its file is the one that was announced.
func (b *Binding) startProcess(name, sha256 string, announced *policy.Manifest) (*serving, error) {
	b.registry.mu.Lock()
	m := b.registry.current[name]
	b.registry.mu.Unlock()
	if m == nil || m.wasm != "" || !strings.EqualFold(m.sha256, sha256) {
		return nil, nil
	}
	options, err := b.registry.processOptions(m)
	if err != nil {
		return nil, err
	}
	options.SHA256 = sha256
	p, err := process.Start(b.ctx, options)
	if err != nil {
		return nil, err
	}
	s := &serving{Evaluator: p.Evaluator(), end: func() { _ = p.Close() }} // it is killed; its error does not matter
	if err := p.Configure(announced.Configuration); err != nil {
		s.end()
		return nil, err
	}
	views, err := guest.NewProjections(announced, m.Manifest.Points)
	if err != nil {
		s.end()
		return nil, err
	}
	return s.projected(views), nil
}
