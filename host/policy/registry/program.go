package registry

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// Bounds of process.memory. A run-time system needs some of it to start.
const (
	leastProcessMemory = 16 << 20
	processMemoryRange = "16MiB to 1024GiB"
)

// check says which key of the table is wrong.
func (p *Process) check() (key string, err error) {
	if _, err := p.memory(); err != nil {
		return "memory", err
	}
	if p.CPUs < 0 {
		return "cpus", fmt.Errorf("expected 1 or more, found %d", p.CPUs)
	}
	empty := errors.New("expected paths, found an empty text")
	switch {
	case slices.Contains(p.Read, ""):
		return "read", empty
	case slices.Contains(p.Write, ""):
		return "write", empty
	}
	return "", nil
}

// memory is the bound of the memory in bytes; 0: the default.
func (p *Process) memory() (uint64, error) {
	if p.Memory == "" {
		return 0, nil
	}
	for unit, size := range map[string]uint64{"MiB": 1 << 20, "GiB": 1 << 30} {
		number, ok := strings.CutSuffix(p.Memory, unit)
		n, err := strconv.ParseUint(number, 10, 64)
		if ok && err == nil && strconv.FormatUint(n, 10) == number && n <= 1<<40/size && n*size >= leastProcessMemory {
			return n * size, nil
		}
	}
	return 0, fmt.Errorf("expected %s, found %q", processMemoryRange, p.Memory)
}

// ProcessOptions are what the program of a policy is started with, as its settings say.
func (r *Registry) ProcessOptions(name string) (process.Options, error) {
	r.mu.Lock()
	m := r.current[name]
	r.mu.Unlock()
	if m == nil || m.wasm != "" {
		return process.Options{}, fmt.Errorf("policy %q: expected a process, found none", name)
	}
	return r.processOptions(m)
}

func (r *Registry) processOptions(m *module) (process.Options, error) {
	deadline, err := m.settings.Limits.deadline()
	if err != nil {
		return process.Options{}, err
	}
	p := m.settings.Process
	memory, err := p.memory()
	if err != nil {
		return process.Options{}, err
	}
	dir, err := filepath.Abs(filepath.Dir(m.candidate.settings))
	if err != nil {
		return process.Options{}, err
	}
	o := process.Options{Command: under(dir, p.Command), Args: p.Args, Dir: dir, SHA256: m.settings.SHA256, Deadline: deadline,
		Memory: memory, Sandbox: r.options.Sandbox, Network: p.Network, CPUs: p.CPUs,
		Log: func(level, text string) { r.options.Log(m.name, level, text) }}
	for _, path := range p.Read {
		o.Read = append(o.Read, under(dir, path))
	}
	for _, path := range p.Write {
		o.Write = append(o.Write, under(dir, path))
	}
	return o, nil
}

// Sandbox reports what the programs of the folder are kept from; nil where there are none.
func (r *Registry) Sandbox() sandbox.Report {
	r.mu.Lock()
	programs := slices.ContainsFunc(slices.Collect(maps.Values(r.current)), func(m *module) bool { return m.wasm == "" })
	r.mu.Unlock()
	if !programs {
		return nil
	}
	return r.options.Sandbox.Report()
}

// under is a path that begins in a folder, unless it is absolute.
func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
