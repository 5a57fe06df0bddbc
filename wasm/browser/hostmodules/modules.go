package hostmodules

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/browser/rpc"
	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Modules keeps the policy modules that were loaded. The zero value has none.
type Modules struct {
	loaded map[string][]*module // by name, the newest last
	proven map[string]bool      // what was announced, with its hash, whose configuration the module took
	seats  seats
}

var _ rpc.Policies = (*Modules)(nil)

// module is a module that passed its trial.
type module struct {
	name     string
	sha256   string
	file     []byte
	manifest *abi.Manifest
	bounds   guest.Bounds
	codes    map[uint32]*code // by the bound of its memory in pages, which is compiled in; 0: the default
}

// mostVersions bounds how many modules of one name are kept: a scheduler that goes back in time asks for the one that was
// announced then.
const mostVersions = 8

// Load passes a module through the gate, tries it, and keeps it under a name; empty: the one its manifest gives. Modules
// of that name that were there before go on answering for what they were announced for.
func (s *Modules) Load(name string, file []byte, l rpc.Limits) (*rpc.Loaded, error) {
	bounds := boundsOf(l)
	if key, err := bounds.Check(); err != nil {
		return nil, &rpc.Error{Code: rpc.BadRequest, Key: "limits." + key, Message: fmt.Sprintf("limits: %s: %v", key, err)}
	}
	m := &module{name: name, sha256: fmt.Sprintf("%x", sha256.Sum256(file)), file: slices.Clone(file), bounds: bounds, codes: map[uint32]*code{}}
	spent, err := m.prove()
	if err != nil {
		m.drop()
		return nil, refusal(err)
	}
	s.keep(m)
	return m.loadedAnswer(spent)
}

// boundsOf writes limits as a manifest announces them.
func boundsOf(l rpc.Limits) guest.Bounds {
	b := guest.Bounds{Fuel: l.Fuel, FuelPerItem: l.FuelPerItem}
	if l.Memory != 0 {
		b.Memory = fmt.Sprintf("%dKiB", l.Memory>>10)
	}
	return b
}

// refusal makes an error for the caller of rpc.
func refusal(err error) error {
	if errors.Is(err, errNobody) {
		return &rpc.Error{Code: rpc.NotThere, Message: errNobody.Error()}
	}
	e := &rpc.Error{Code: rpc.BadModule, Message: err.Error()}
	var gate *gate.Error
	if errors.As(err, &gate) {
		e.Offset, e.Section, e.Reason = gate.Offset, gate.Section, string(gate.Code)
	}
	return e
}

// prove takes a module through all steps up to the trial, and returns the fuel that each point took about one item.
func (m *module) prove() (map[policy.Point]int64, error) {
	limits, err := m.bounds.Limits()
	if err != nil {
		return nil, err
	}
	in, err := m.begin(limits)
	if err != nil {
		return nil, err
	}
	trial := guest.NewEvaluator(in, nil)
	defer trial.Close()
	if m.manifest, err = in.Manifest(); err != nil {
		return nil, err
	}
	m.name = cmp.Or(m.name, m.manifest.Name)
	if err := guest.CheckName(m.name); err != nil {
		return nil, err
	}
	r, err := guest.Resolve(m.name, m.manifest, guest.Setup{Bounds: m.bounds})
	if err != nil {
		return nil, err
	}
	if err := in.Configure(limits, r.Config); err != nil {
		return nil, err
	}
	return trial.Trial(guest.TrialPoints(r.Manifest.Points))
}

// begin makes an instance with these limits.
func (m *module) begin(l guest.Limits) (*guest.Instance, error) {
	c, err := m.code(l)
	if err != nil {
		return nil, err
	}
	return c.begin(m.name, l)
}

// code is the module, compiled with the bound of its memory.
func (m *module) code(l guest.Limits) (*code, error) {
	c := m.codes[l.Pages]
	if c == nil {
		var err error
		if c, err = compile(m.file, l.WithDefaults().Pages); err != nil {
			return nil, err
		}
		m.codes[l.Pages] = c
	}
	return c, nil
}

// drop forgets a module.
func (m *module) drop() {
	for _, c := range m.codes {
		c.drop()
	}
	m.file, m.codes = nil, nil
}

// keep puts a module in force under its name.
func (s *Modules) keep(m *module) {
	if s.loaded == nil {
		s.loaded, s.proven = map[string][]*module{}, map[string]bool{}
	}
	versions := s.loaded[m.name]
	if i := slices.IndexFunc(versions, func(v *module) bool { return v.sha256 == m.sha256 }); i >= 0 {
		versions[i].drop()
		versions = slices.Delete(versions, i, i+1)
	}
	if len(versions) == mostVersions {
		versions[0].drop()
		versions = slices.Delete(versions, 0, 1)
	}
	s.loaded[m.name] = append(versions, m)
}

// Drop forgets the modules of a name. Schedulers that use them get no more answers from it.
func (s *Modules) Drop(name string) {
	for _, m := range s.loaded[name] {
		m.drop()
	}
	delete(s.loaded, name)
	s.seats.clear()
}
