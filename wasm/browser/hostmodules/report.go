package hostmodules

import (
	"encoding/json"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/browser/rpc"
	"github.com/quern-project/quern/wasm/module/gate"
)

// report is what the gate and the trial found, in JSON.
type report struct {
	Bytes     int                    `json:"bytes"`
	Code      int                    `json:"codeBytes"`
	Data      int                    `json:"dataBytes,omitempty"`
	Functions int                    `json:"functions"`
	Memory    *pages                 `json:"memory,omitempty"`
	Imports   []imported             `json:"imports,omitempty"`
	Exports   []exported             `json:"exports,omitempty"`
	Features  []string               `json:"features,omitempty"` // beyond the first version of WebAssembly
	Start     bool                   `json:"start,omitempty"`    // it has a start function
	Fuel      map[policy.Point]int64 `json:"fuel"`               // about one item, by point
}

// pages are of 64 KiB.
type pages struct {
	Min uint32 `json:"min"`
	Max uint32 `json:"max"`
}

type imported struct {
	Module    string `json:"module"`
	Name      string `json:"name"`
	Signature string `json:"signature"`
}

type exported struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Signature string `json:"signature,omitempty"`
}

// loadedAnswer is the answer about a module that was loaded.
func (m *module) loadedAnswer(spent map[policy.Point]int64) (*rpc.Loaded, error) {
	l := &rpc.Loaded{Name: m.name, SHA256: m.sha256}
	for _, p := range abi.Points {
		if _, served := m.manifest.Points[p.Name]; served {
			l.Points = append(l.Points, p.Name)
			l.Fuel += spent[policy.Point(p.Name)]
		}
	}
	limits, err := m.bounds.Limits()
	if err != nil {
		return nil, err
	}
	found, err := gate.Inspect(m.file, gate.Limits{Pages: limits.WithDefaults().Pages})
	if err != nil {
		return nil, err
	}
	if l.Report, err = json.Marshal(reportOf(found, spent)); err != nil {
		return nil, err
	}
	l.Manifest, err = json.Marshal(m.manifest)
	return l, err
}

func reportOf(found *gate.Report, spent map[policy.Point]int64) *report {
	r := &report{Bytes: found.Bytes, Code: found.CodeBytes, Data: found.DataBytes, Functions: found.Functions, Features: found.Features,
		Start: found.Start, Fuel: spent}
	if found.Memory != nil {
		r.Memory = &pages{found.Memory.Min, found.Memory.Max}
	}
	for _, i := range found.Imports {
		r.Imports = append(r.Imports, imported(i))
	}
	for _, e := range found.Exports {
		r.Exports = append(r.Exports, exported(e))
	}
	return r
}
