package wazero

import (
	"context"
	"fmt"
	"slices"
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
	version  uint32                    // of the ABI
	fresh    *atomic.Pointer[Instance] // the one that was asked what the module declares, until somebody wants one
}

// Manifest is what the module declares.
func (m *Module) Manifest() *abi.Manifest { return m.manifest }

// Limited is the module with other limits of its calls; that of its memory is compiled in.
func (m *Module) Limited(l Limits) *Module {
	other := *m
	l = l.filled()
	l.Pages = m.limits.Pages
	other.limits = l
	return &other
}

// Close frees the compiled code. Instances that were made go on.
func (m *Module) Close(ctx context.Context) error {
	if in := m.fresh.Swap(nil); in != nil {
		in.Close()
	}
	return m.compiled.Close(ctx)
}

// read asks a module, in an instance of its own, what it declares.
func (m *Module) read(ctx context.Context) error {
	in, err := m.instantiate(ctx)
	if err != nil {
		return err
	}
	if err := m.declare(in); err != nil {
		in.Close()
		return err
	}
	m.fresh.Store(in)
	return nil
}

func (m *Module) declare(in *Instance) error {
	if err := m.readVersion(in); err != nil {
		return err
	}
	at, err := in.call(abi.ExportManifest, m.limits.Fuel)
	if err != nil {
		return err
	}
	text, err := in.text(uint32(at), abi.MaxManifest)
	if err != nil {
		return fmt.Errorf("%s: %w", abi.ExportManifest, err)
	}
	if m.manifest, err = abi.ParseManifest([]byte(text)); err != nil {
		return err
	}
	return m.checkExports()
}

func (m *Module) readVersion(in *Instance) error {
	version, err := in.call(abi.ExportABI, m.limits.Fuel)
	if err != nil {
		return err
	}
	m.version = uint32(version)
	if major, minor := m.version>>16, m.version&0xffff; major != abi.Major || minor > abi.Minor {
		return fmt.Errorf("%s: expected version %d.0 to %d.%d of the ABI, found %d.%d", abi.ExportABI, abi.Major, abi.Major, abi.Minor, major, minor)
	}
	return nil
}

// checkExports refuses a manifest that names a point for which nothing is exported.
func (m *Module) checkExports() error {
	exports := m.compiled.ExportedFunctions()
	for _, p := range abi.Points {
		if _, declared := m.manifest.Points[p.Name]; declared && exports[p.Export] == nil {
			return fmt.Errorf("manifest: points: %s: expected the module to export %s, found nothing of that name", p.Name, p.Export)
		}
	}
	return nil
}

// points lists the points of the manifest, in the order of the contract.
func (m *Module) points() []abi.Point {
	return slices.DeleteFunc(slices.Clone(abi.Points[:]), func(p abi.Point) bool {
		_, declared := m.manifest.Points[p.Name]
		return !declared
	})
}
