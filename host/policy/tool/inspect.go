package tool

import (
	"context"
	"errors"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/wazero"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/module/conformance"
	"github.com/quern-project/quern/wasm/module/gate"
)

// Inspection is what is in a policy. The names in JSON are part of the interface; what is absent was not found out,
// because the policy is refused or a process.
type Inspection struct {
	File        string                   `json:"file"`
	Kind        string                   `json:"kind"` // module or process
	Bytes       int64                    `json:"bytes"`
	SHA256      string                   `json:"sha256"`
	Refused     string                   `json:"refused,omitempty"` // why no host would let it serve
	Name        string                   `json:"name,omitempty"`
	Version     string                   `json:"version,omitempty"`
	ABI         string                   `json:"abi,omitempty"`
	Description string                   `json:"description,omitempty"`
	Points      []InspectedPoint         `json:"points,omitempty"`
	Parameters  map[string]abi.Parameter `json:"parameters,omitempty"`
	Module      *InspectedModule         `json:"module,omitempty"`
	Sandbox     sandbox.Report           `json:"sandbox,omitempty"` // of a process: what it is kept from
	Log         []string                 `json:"log,omitempty"`     // the last lines that it wrote
}

// InspectedPoint is what a policy declares for a point, and what one item costs there.
type InspectedPoint struct {
	Point    string   `json:"point"`
	Columns  []string `json:"columns"`
	Keys     int      `json:"keys"`
	Depends  string   `json:"depends"`
	Fallback string   `json:"fallback,omitempty"` // empty: the point's default
	Fuel     *int64   `json:"fuel,omitempty"`     // that a call about one item takes
}

// InspectedModule is what the gate found in a module.
type InspectedModule struct {
	Imports  []string `json:"imports"`
	Exports  []string `json:"exports"`
	Memory   *Pages   `json:"memory,omitempty"`
	Features []string `json:"features"` // of WebAssembly, beyond its first version
	Code     int      `json:"code_bytes"`
	Data     int      `json:"data_bytes"`
	Custom   []string `json:"custom_sections"`
}

// Pages is what a memory starts with and may grow to, in pages of 64 KiB.
type Pages struct {
	Min uint32 `json:"min_pages"`
	Max uint32 `json:"max_pages"`
}

// Inspect looks into a policy. A policy that is refused is told as far as it is known, with the reason; the error is for
// what went wrong beside that.
func Inspect(ctx context.Context, s *Subject) (*Inspection, error) {
	i := &Inspection{File: s.File, Kind: "module", Bytes: s.Bytes, SHA256: s.SHA256}
	switch {
	case s.Process:
		i.Kind, i.Sandbox = "process", s.Sandbox.Report()
	case s.Broken != nil:
		i.Refused = s.Broken.Error()
		return i, nil
	default:
		if err := i.lookInside(s); err != nil {
			return nil, err
		}
	}
	h, err := s.Open(ctx, nil)
	var refused *RefusedError
	if errors.As(err, &refused) {
		i.Refused, i.Log = refused.Error(), refused.Log.Last()
		return i, nil
	}
	if err != nil {
		return nil, err
	}
	i.tell(h.Declared)
	if !s.Process {
		err = i.weigh(ctx, h)
	}
	err = errors.Join(err, h.Close(ctx)) // a process has written all that it wants to
	i.Log = h.Log.Last()
	return i, err
}

// lookInside reads what the gate tells of a module, refused or not.
func (i *Inspection) lookInside(s *Subject) error {
	r, err := gate.Inspect(s.Data, gate.Limits{})
	if err != nil {
		return badInput("%s: %w", s.File, err)
	}
	m := &InspectedModule{Imports: []string{}, Exports: []string{}, Features: append([]string{}, r.Features...),
		Code: r.CodeBytes, Data: r.DataBytes, Custom: append([]string{}, r.Custom...)}
	for _, im := range r.Imports {
		m.Imports = append(m.Imports, im.Module+"."+im.Name+im.Signature)
	}
	for _, e := range r.Exports {
		if e.Signature == "" {
			e.Signature = ": " + e.Kind
		}
		m.Exports = append(m.Exports, e.Name+e.Signature)
	}
	if r.Memory != nil {
		m.Memory = &Pages{r.Memory.Min, r.Memory.Max}
	}
	i.Module = m
	return nil
}

// tell takes over what a policy declares.
func (i *Inspection) tell(m *abi.Manifest) {
	i.Name, i.Version, i.ABI, i.Description, i.Parameters = m.Name, m.Version, m.ABI, m.Description, m.Parameters
	for _, p := range abi.Points {
		if spec, served := m.Points[p.Name]; served {
			i.Points = append(i.Points, InspectedPoint{p.Name, append([]string{}, spec.Columns...), spec.Keys, spec.Depends, spec.Fallback, nil})
		}
	}
}

// weigh finds out what one item costs at each point.
func (i *Inspection) weigh(ctx context.Context, h *Host) error {
	runtime, err := h.Runtime(ctx)
	if err != nil {
		return err
	}
	spent, err := h.trial(ctx, runtime)
	for n := range i.Points {
		if cost, known := spent[policy.Point(i.Points[n].Point)]; known {
			i.Points[n].Fuel = &cost
		}
	}
	return errors.Join(err, runtime.Close(ctx))
}

func (h *Host) trial(ctx context.Context, runtime *wazero.Runtime) (map[policy.Point]int64, error) {
	m, err := h.Load(ctx, runtime)
	if err != nil {
		return nil, err
	}
	e, err := m.Evaluator(ctx, h.Announced.Parsed.Configuration)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	points := map[policy.Point]*policy.PointSpec{}
	symbols := conformance.NewSymbolTable()
	for p, spec := range h.Announced.Parsed.Points {
		points[p] = symbols.Resolve(spec)
	}
	return e.Trial(points)
}
