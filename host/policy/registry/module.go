package registry

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/sdk/abi/manifests"
	"github.com/quern-project/quern/wasm/module/guest"
)

// module is a candidate that was proven.
type module struct {
	candidate
	*guest.Resolved
	sha256       string
	settings     *Settings
	data         []byte // of the file, and settingsText of NAME.toml, while versions are kept
	settingsText []byte
	shadow       *module           // that is asked beside it
	announced    core.Announcement // with the shadow's columns
	ready        *serving          // proven with, for the first scheduler that asks
}

// maxStarts is how many programs are started side by side.
const maxStarts = 8

// proveAll proves candidates and tells, in their order, which serve and which are refused. Programs, which are mostly waited
// for, start side by side.
func (r *Registry) proveAll(ctx context.Context, list []candidate) (proven []*module, refused []Refusal) {
	modules, errs := make([]*module, len(list)), make([]error, len(list))
	var programs sync.WaitGroup
	turns := make(chan struct{}, maxStarts)
	for i, c := range list {
		if c.wasm != "" {
			continue
		}
		programs.Go(func() {
			turns <- struct{}{}
			modules[i], errs[i] = r.prove(ctx, c)
			<-turns
		})
	}
	for i, c := range list {
		if c.wasm != "" {
			modules[i], errs[i] = r.prove(ctx, c)
		}
	}
	programs.Wait()
	for i, c := range list {
		if errs[i] != nil {
			refused = append(refused, Refusal{c.name, errs[i]})
		} else {
			proven = append(proven, modules[i])
		}
	}
	return proven, refused
}

// prove takes a candidate through all steps up to the trial.
func (r *Registry) prove(ctx context.Context, c candidate) (*module, error) {
	if err := guest.CheckName(c.name); err != nil {
		return nil, fmt.Errorf("%s: %w", c.path(), err)
	}
	s, text, err := c.readSettings()
	if err != nil {
		return nil, err
	}
	m := &module{candidate: c, settings: s, settingsText: text}
	if c.wasm == "" {
		return m, r.proveProcess(ctx, m, text)
	}
	return m, r.proveWasm(ctx, m, text)
}

func (r *Registry) proveWasm(ctx context.Context, m *module, settings []byte) error {
	data, err := safefile.Read(m.wasm, MostBytes)
	if err != nil {
		return err
	}
	m.sha256 = hashOf(data)
	if r.options.Keep {
		m.data = data
	}
	if pin := m.settings.SHA256; pin != "" && !strings.EqualFold(pin, m.sha256) {
		return at(m.candidate.settings, settings, []string{"sha256"}, fmt.Errorf("the pin is %s, %s has %s", pin, filepath.Base(m.wasm), m.sha256))
	}
	r.mu.Lock()
	r.files[m.sha256] = m.wasm
	r.mu.Unlock()
	limits, err := m.settings.Limits.bounds().Limits()
	if err != nil {
		return err
	}
	if err := r.runtime.Fits(limits); err != nil {
		return m.blameLimit(settings, err)
	}
	key := codeKey{m.name, m.sha256, limits.Pages}
	code, _ := r.known(key)
	if code != nil {
		code = code.Limited(limits)
	} else if code, err = r.compile(ctx, key, m.wasm, data, limits); err != nil {
		return err
	}
	defer code.Rest()
	if m.Resolved, err = resolve(m.name, code.Manifest(), m.settings, m.candidate.settings, settings, false); err != nil {
		return m.blame(err)
	}
	e, err := code.Evaluator(ctx, m.Config)
	if err != nil {
		return m.blame(err)
	}
	if _, err = e.Trial(guest.TrialPoints(m.Manifest.Points)); err != nil {
		e.Close()
		return m.blame(err)
	}
	m.ready = lazyEvaluator(e)
	return nil
}

// blameLimit names the line that sets the bound of the memory, where one does.
func (m *module) blameLimit(settings []byte, err error) error {
	if m.settings.Limits.Memory == "" {
		return m.blame(err)
	}
	return at(m.candidate.settings, settings, []string{"limits", "memory"}, err)
}

// blame names the file, where an error does not name one already.
func (m *module) blame(err error) error {
	if m.candidate.settings != "" && strings.HasPrefix(err.Error(), m.candidate.settings) {
		return err
	}
	return fmt.Errorf("%s: %w", m.path(), err)
}

// proveProcess starts the program once, asks it what it declares, configures it and tries it.
func (r *Registry) proveProcess(ctx context.Context, m *module, settings []byte) error {
	options, err := r.processOptions(m)
	if err != nil {
		return err
	}
	p, err := process.Start(ctx, options)
	if err != nil {
		return m.blame(err)
	}
	end := func() { _ = p.Close() } // it is killed; its error does not matter
	defer func() {
		if m.ready == nil {
			end()
		}
	}()
	m.sha256 = p.SHA256()
	declared, err := manifests.Parse(p.Manifest())
	if err != nil {
		return m.blame(err)
	}
	if m.Resolved, err = resolve(m.name, declared, m.settings, m.candidate.settings, settings, true); err != nil {
		return m.blame(err)
	}
	if err := p.Configure(m.Config); err != nil {
		return m.blame(err)
	}
	m.ready = &serving{Evaluator: p.Evaluator(), end: end}
	return nil
}
