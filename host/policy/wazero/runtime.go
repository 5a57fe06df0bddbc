// Package wazero runs policy modules that are WebAssembly files.
//
// Runtime compiles a file, after the gate and the rewriting of wasm/module/gate; Module is the result; an Evaluator answers
// the scheduler's batches with an instance of it. A call is bounded in time by fuel, not by a clock, so that it ends the
// same way wherever it is made, and in memory by pages that are reserved when an instance is made, so that memory never
// moves under a view. An instance that failed is thrown away, since its state after a trap is unknown; the call is
// made once more on a fresh one, and only then is it a fault.
//
// An Evaluator is owned by one goroutine. Runtime and Module may be shared.
package wazero

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/tetratelabs/wazero"

	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Options are what a Runtime is made with.
type Options struct {
	// Cache is a folder for compiled code, shared by runs; empty: code is compiled in each run.
	Cache string
	// Memory bounds the instances of all modules together, in bytes; 0: DefaultMemory.
	Memory int64
	// Log takes lines of modules, cut and bounded in number. It may be called by several goroutines; nil: they are dropped.
	Log func(module string, level Level, text string)
}

// Level says how much a line of a module matters.
type Level uint32

// The levels, as modules spell them.
const (
	Debug Level = iota
	Info
	Warning
	Error
)

// String is the level as people read it.
func (l Level) String() string {
	return [...]string{Debug: "debug", Info: "info", Warning: "warning", Error: "error"}[min(l, Error)]
}

// Limits bound a module. Zero fields mean the defaults.
type Limits = guest.Limits

// Runtime compiles modules.
type Runtime struct {
	engine   wazero.Runtime
	compiled wazero.CompilationCache
	cache    *cache // nil: code is kept in memory alone
	log      func(module string, level Level, text string)
	memory   budget
}

// New makes a runtime.
func New(ctx context.Context, o Options) (*Runtime, error) {
	r := &Runtime{compiled: wazero.NewCompilationCache(), log: o.Log, memory: budget{most: cmp.Or(o.Memory, DefaultMemory)}}
	if o.Cache != "" {
		cache, err := openCache(o.Cache)
		if err != nil {
			return nil, fmt.Errorf("cache of compiled policies: %w", err)
		}
		r.cache, r.compiled = cache, cache.library
	}
	config := wazero.NewRuntimeConfig().WithCompilationCache(r.compiled).WithMemoryLimitPages(guest.MostPages).
		WithMemoryCapacityFromMax(true).WithDebugInfoEnabled(false)
	r.engine = wazero.NewRuntimeWithConfig(ctx, config)
	if err := r.serveImports(ctx); err != nil {
		return nil, errors.Join(err, r.Close(ctx))
	}
	return r, nil
}

// Close closes every instance that is left, and the cache.
func (r *Runtime) Close(ctx context.Context) error {
	if r.cache != nil {
		defer r.cache.close()
	}
	return errors.Join(r.engine.Close(ctx), r.compiled.Close(ctx))
}

// Load passes a file through the gate, bounds it and compiles it, and reads what it declares. Name is what lines that it
// logs are marked with. The error says what was wrong and what was expected.
func (r *Runtime) Load(ctx context.Context, name string, file []byte, l Limits) (*Module, error) {
	l = l.WithDefaults()
	bounded, err := gate.Bound(file, gate.Limits{Pages: l.Pages})
	if err != nil {
		return nil, err
	}
	compiled, err := r.compile(ctx, bounded)
	if err != nil {
		return nil, fmt.Errorf("the file is not a valid WebAssembly module: %s", firstLine(err))
	}
	m := &Module{runtime: r, compiled: compiled, name: name, limits: l, fresh: &atomic.Pointer[Instance]{}}
	if err := m.read(ctx); err != nil {
		return nil, errors.Join(err, m.Close(ctx))
	}
	return m, nil
}

// compile returns the code of a bounded module, from the cache where that has it.
func (r *Runtime) compile(ctx context.Context, bounded []byte) (compiled wazero.CompiledModule, err error) {
	compile := func() error {
		compiled, err = r.engine.CompileModule(ctx, bounded)
		return err
	}
	if r.cache == nil {
		err = compile()
	} else {
		err = r.cache.compile(bounded, compile)
	}
	return compiled, err
}
