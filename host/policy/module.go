package policy

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/host/policy/wazero"
	"github.com/quern-project/quern/sdk/abi"
)

// module is a candidate that was proven.
type module struct {
	candidate
	*resolved
	sha256   string
	settings *Settings
	declared *abi.Manifest
	spent    map[policy.Point]int64 // fuel that the trial took about one item
}

func (m *module) announcement() Announcement { return Announcement{m.name, m.sha256, m.text} }

// prove takes a candidate through all steps up to the trial.
func (r *Registry) prove(ctx context.Context, c candidate) (*module, error) {
	if err := checkName(c.name); err != nil {
		return nil, fmt.Errorf("%s: %w", c.path(), err)
	}
	s, text, err := c.readSettings()
	if err != nil {
		return nil, err
	}
	m := &module{candidate: c, settings: s}
	if c.wasm == "" {
		return m, r.proveProcess(ctx, m, text)
	}
	return m, r.proveWasm(ctx, m, text)
}

func (r *Registry) proveWasm(ctx context.Context, m *module, settings []byte) error {
	data, err := readBounded(m.wasm, mostBytes)
	if err != nil {
		return err
	}
	m.sha256 = hashOf(data)
	if pin := m.settings.SHA256; pin != "" && !strings.EqualFold(pin, m.sha256) {
		return at(m.candidate.settings, settings, []string{"sha256"}, fmt.Errorf("the pin is %s, %s has %s", pin, filepath.Base(m.wasm), m.sha256))
	}
	r.files[m.sha256] = m.wasm
	limits, err := m.settings.Limits.wasm()
	if err != nil {
		return err
	}
	code, err := r.codeOf(ctx, m.name, m.sha256, limits)
	if err != nil {
		return err
	}
	m.declared = code.Manifest()
	if m.resolved, err = resolve(m.name, m.declared, m.settings, m.candidate.settings, settings, false); err != nil {
		return m.blame(err)
	}
	instance, err := code.Instance(ctx, m.config)
	if err != nil {
		return m.blame(err)
	}
	defer instance.Close()
	if m.spent, err = code.Trial(instance, trialPoints(m.manifest.Points)); err != nil {
		return m.blame(err)
	}
	return nil
}

// blame names the file, where an error does not name one already.
func (m *module) blame(err error) error {
	if m.candidate.settings != "" && strings.HasPrefix(err.Error(), m.candidate.settings) {
		return err
	}
	return fmt.Errorf("%s: %w", m.path(), err)
}

// wasm returns the limits of a WebAssembly module.
func (l Limits) wasm() (wazero.Limits, error) {
	pages, err := l.pages()
	return wazero.Limits{Pages: pages, Fuel: l.Fuel, RowFuel: l.FuelPerItem}, err
}

// trialPoints are the points with columns for the types that every cluster has in the place of those for every type.
func trialPoints(points map[policy.Point]*policy.PointSpec) map[policy.Point]*policy.PointSpec {
	types := resource.NewTypes()
	types.Intern("memory")
	types.Intern(resource.VCore)
	lexicon := policy.NewLexicon(types)
	out := map[policy.Point]*policy.PointSpec{}
	for p, spec := range points {
		out[p] = lexicon.Resolve(spec)
	}
	return out
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
	defer func() { _ = p.Close() }() // it was only to be tried
	m.sha256 = p.SHA256()
	if m.declared, err = abi.ParseManifest(p.Manifest()); err != nil {
		return m.blame(err)
	}
	if m.resolved, err = resolve(m.name, m.declared, m.settings, m.candidate.settings, settings, true); err != nil {
		return m.blame(err)
	}
	if err := p.Configure(m.config); err != nil {
		return m.blame(err)
	}
	return nil
}

func (r *Registry) processOptions(m *module) (process.Options, error) {
	deadline, err := m.settings.Limits.deadline()
	if err != nil {
		return process.Options{}, err
	}
	dir := filepath.Dir(m.candidate.settings)
	command := m.settings.Process.Command
	if !filepath.IsAbs(command) {
		command = filepath.Join(dir, command)
	}
	return process.Options{Command: command, Args: m.settings.Process.Args, Dir: dir, SHA256: m.settings.SHA256, Deadline: deadline,
		Round: m.settings.Process.Round, Log: func(level, text string) { r.options.Log(m.name, level, text) }}, nil
}
