package wazero

import (
	"context"
	"sync/atomic"

	"github.com/tetratelabs/wazero"

	"github.com/quern-project/quern/sdk/abi"
)

// Module is a compiled module and what it declares.
type Module struct {
	runtime  *Runtime
	compiled wazero.CompiledModule
	name     string
	limits   Limits
	manifest *abi.Manifest
	fresh    *atomic.Pointer[Instance] // the one that was asked what the module declares, until an instance is needed
}

// Manifest is what the module declares.
func (m *Module) Manifest() *abi.Manifest { return m.manifest }

// Limited is the module with other limits of its calls; that of its memory is compiled in.
func (m *Module) Limited(l Limits) *Module {
	other := *m
	l = l.WithDefaults()
	l.Pages = m.limits.Pages
	other.limits = l
	return &other
}

// Close frees the compiled code. Instances that were made go on.
func (m *Module) Close(ctx context.Context) error {
	m.Rest()
	return m.compiled.Close(ctx)
}

// Rest frees the instance that was asked what the module declares, if none is needed.
func (m *Module) Rest() {
	if in := m.fresh.Swap(nil); in != nil {
		in.Close()
	}
}

// read asks a module, in an instance of its own, what it declares.
func (m *Module) read(ctx context.Context) error {
	in, err := m.instantiate(ctx)
	if err != nil {
		return err
	}
	if m.manifest, err = in.Manifest(); err != nil {
		in.Close()
		return err
	}
	m.fresh.Store(in)
	return nil
}
