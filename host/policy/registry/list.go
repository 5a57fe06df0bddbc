package registry

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// Info is a module of the folder that serves, alone or as a shadow.
type Info struct {
	Name, SHA256 string
	Version      string
	Process      bool   // it is a program
	ShadowOf     string // it decides nothing, and is compared with this policy
	Points       []policy.Point
	Memory       int64 // bytes that its instances may use for one scheduler; 0: a process
	Fuel         int64 // of a call, beside that for its rows; 0: a process
	FuelPerItem  int64
}

// List lists what serves, by name.
func (r *Registry) List() (list []Info) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(r.current)) {
		m := r.current[name]
		x := Info{Name: name, SHA256: m.sha256, Version: m.Manifest.Version, Process: m.wasm == "", ShadowOf: m.settings.ShadowOf, Memory: m.memory()}
		for _, p := range policy.Points() {
			if m.Manifest.Points[p] != nil {
				x.Points = append(x.Points, p)
			}
		}
		if limits, err := m.settings.Limits.bounds().Limits(); err == nil && m.wasm != "" {
			limits = limits.WithDefaults()
			x.Fuel, x.FuelPerItem = limits.Fuel, limits.RowFuel
		}
		list = append(list, x)
	}
	return list
}
