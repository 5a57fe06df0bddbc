package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/report/summary"
)

// PolicyOptions say which modules a run may ask.
type PolicyOptions struct {
	Dir      string           // folder of modules; empty: none
	Files    []string         // modules beside those of the folder
	Cache    string           // folder for compiled code; empty: none
	Memory   int64            // of the instances of all modules together, in bytes; 0: the default
	Off      bool             // no module is asked: fallbacks answer
	Sandbox  *sandbox.Sandbox // confines programs; nil: nothing does
	Fallback bool             // a missing module that a journal announces is no error: its fallback answers
}

// Policies are the modules that runs may ask.
type Policies struct {
	options  PolicyOptions
	registry *registry.Registry
	binding  *registry.Binding
	missing  []registry.MissingModule // where there is no registry
	refused  map[string]error
	spent    map[string]*summary.PolicyTime // by name, of the last scheduler
	dates    bool                           // times are dates
}

// OpenPolicies reads the folder of modules, if one is given. What is refused in it, and what modules log, is told in lines
// to w.
func OpenPolicies(ctx context.Context, o PolicyOptions, w io.Writer) (*Policies, error) {
	p := &Policies{options: o, refused: map[string]error{}}
	if o.Dir == "" && len(o.Files) == 0 {
		return p, nil
	}
	registry, refused, err := registry.Open(ctx, registry.Options{Dir: o.Dir, Files: o.Files, Cache: o.Cache, Memory: o.Memory, Off: o.Off, Wait: true,
		Sandbox: o.Sandbox, Log: logTo(w)})
	if err != nil {
		return nil, err
	}
	for _, r := range refused {
		p.refused[r.Name] = r.Err
		_, _ = fmt.Fprintln(w, "warning: "+format.Line(r.Error()))
	}
	if lacks := registry.Sandbox().Lacks(); o.Sandbox != nil && len(lacks) > 0 {
		_, _ = fmt.Fprintln(w, "warning: the sandbox of programs is incomplete: "+format.Line(strings.Join(lacks, "; ")))
	}
	p.registry = registry
	return p, nil
}

// Refused is why a module is refused, nil where it serves.
func (p *Policies) Refused(name string) error {
	return p.refused[name]
}

// logTo writes lines that modules log, one at a time.
func logTo(w io.Writer) func(name, level, text string) {
	turn := make(chan struct{}, 1)
	return func(name, level, text string) {
		turn <- struct{}{}
		_, _ = fmt.Fprintf(w, "policy %q: %s: %s\n", name, level, format.Line(text))
		<-turn
	}
}

// ShowDates says whether the times of the journals are dates, as schedulers made from now on are to write them.
func (p *Policies) ShowDates(dates bool) { p.dates = dates }

// Scheduler makes a scheduler that asks the modules; the one made before may not be used any more.
func (p *Policies) Scheduler(ctx context.Context) *scheduler.Scheduler {
	return scheduler.New(p.Options(ctx))
}

// Options are what a scheduler that asks the modules is made with; one made with earlier options may not be used any more.
func (p *Policies) Options(ctx context.Context) core.Options {
	if p.binding != nil {
		p.binding.Close()
	}
	if p.registry != nil {
		p.binding = p.registry.Bind(ctx)
	}
	p.spent = map[string]*summary.PolicyTime{}
	o := core.Options{Evaluator: p.evaluator, Moment: func(at time.Duration) string { return format.At(at, p.dates) }}
	if p.binding != nil {
		o.Witness = p.binding.Witness
	}
	return o
}

func (p *Policies) evaluator(m core.Announcement) policy.Evaluator {
	if p.binding != nil {
		return p.timed(m, p.binding.Evaluator(m))
	}
	if m.Parsed != nil && !m.Parsed.Impure {
		p.missing = append(p.missing, registry.MissingModule{Name: m.Name, SHA256: m.SHA256})
	}
	return nil
}

// Inputs are what announces the modules of the folder.
func (p *Policies) Inputs() []core.Input {
	var list []core.Input
	for _, module := range p.Announced() {
		list = append(list, core.Input{Event: &core.SetPolicy{PolicyModule: module}})
	}
	return list
}

// Announced are the modules of the folder.
func (p *Policies) Announced() (list []core.PolicyModule) {
	if p.registry == nil {
		return nil
	}
	for _, a := range p.registry.Announced() {
		list = append(list, a.PolicyModule)
	}
	return list
}

// Clock tells modules' reports the time.
func (p *Policies) Clock(now time.Duration) {
	if p.binding != nil {
		p.binding.SetTime(now)
	}
}

// Shadows reports the results of shadows in the run with the last scheduler.
func (p *Policies) Shadows() []registry.Shadow {
	if p.binding == nil {
		return nil
	}
	return p.binding.Shadows()
}

// Repeated is how many calls of each module were made twice in the run with the last scheduler.
func (p *Policies) Repeated() map[string]int {
	if p.binding == nil {
		return nil
	}
	return p.binding.Repeated()
}

// Points lists the points that a module of the folder serves, by name.
func (p *Policies) Points(name string) []string {
	if p.registry == nil {
		return nil
	}
	var points []string
	for _, a := range p.registry.Announced() {
		if a.Name != name {
			continue
		}
		for point := range a.Parsed.Points {
			points = append(points, string(point))
		}
	}
	slices.Sort(points)
	return points
}

// Serves reports whether a module of the folder serves a point.
func (p *Policies) Serves(point, name string) bool {
	return slices.Contains(p.Points(name), point)
}

// Missing says which module was announced that cannot be asked, nil where none was, or where that is no error.
func (p *Policies) Missing() error {
	missing := p.missing
	p.missing = nil
	if p.binding != nil {
		missing = slices.Concat(missing, p.binding.Missing())
	}
	if len(missing) == 0 || p.options.Fallback || p.options.Off {
		return nil
	}
	var all error
	for _, l := range missing {
		all = errors.Join(all, l)
	}
	return &MissingModulesError{all}
}

// MissingModulesError ends a run: modules that its journal announces cannot be asked.
type MissingModulesError struct{ Modules error }

// Error lists the modules.
func (e *MissingModulesError) Error() string { return e.Modules.Error() }

// Unwrap returns them.
func (e *MissingModulesError) Unwrap() error { return e.Modules }

// Close ends whoever answers.
func (p *Policies) Close(ctx context.Context) error {
	if p.registry == nil {
		return nil
	}
	return p.registry.Close(ctx)
}
