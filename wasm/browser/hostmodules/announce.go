package hostmodules

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/browser/rpc"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Announce is what a policy.set says of a module with these values of its parameters; those left out have their defaults.
func (s *Modules) Announce(name string, given map[string]json.RawMessage) (core.PolicyModule, error) {
	versions := s.loaded[name]
	if len(versions) == 0 {
		return core.PolicyModule{}, &rpc.Error{Code: rpc.NotThere, Key: "name", Message: "there is no policy " + name}
	}
	m := versions[len(versions)-1]
	setup := guest.Setup{Parameters: map[string]any{}, Bounds: m.bounds}
	for key, text := range given {
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return core.PolicyModule{}, &rpc.Error{Code: rpc.BadRequest, Key: "parameters." + key, Message: "parameters: " + key + ": " + err.Error()}
		}
		setup.Parameters[key] = value
	}
	r, err := guest.Resolve(m.name, m.manifest, setup)
	var blamed *guest.SetupError
	if errors.As(err, &blamed) {
		return core.PolicyModule{}, &rpc.Error{Code: rpc.BadRequest, Key: strings.Join(blamed.Key, "."), Message: err.Error()}
	}
	if err != nil {
		return core.PolicyModule{}, err
	}
	return core.PolicyModule{Name: m.name, SHA256: m.sha256, Manifest: r.Text}, nil
}

// find returns the module with a hash, whatever its name, since a journal knows it by that.
func (s *Modules) find(sha256 string) *module {
	for _, name := range slices.Sorted(maps.Keys(s.loaded)) {
		for _, m := range slices.Backward(s.loaded[name]) {
			if strings.EqualFold(m.sha256, sha256) {
				return m
			}
		}
	}
	return nil
}

// Evaluator returns who answers for what a policy.set announced; nil where no module has its hash, or that one does not
// take the configuration.
func (s *Modules) Evaluator(announced core.Announcement) policy.Evaluator {
	set := announced.Parsed
	if set == nil || set.Impure {
		return nil // what is not pure is served from what was recorded of it
	}
	m := s.find(announced.SHA256)
	if m == nil {
		return nil
	}
	limits, err := guest.LimitsOf(set)
	if err != nil {
		return nil
	}
	own, err := guest.OwnPoints(m.manifest, set.Configuration)
	if err != nil {
		return nil
	}
	lenses, err := guest.NewProjections(set, own)
	if err != nil {
		return nil
	}
	e := &evaluator{seats: &s.seats}
	e.Evaluator = guest.NewEvaluator(nil, func() (*guest.Instance, error) { return m.configured(limits, set.Configuration) })
	if key := m.sha256 + announced.Manifest; !s.proven[key] {
		if e.Prepare() != nil {
			return nil
		}
		s.proven[key] = true
		s.seats.take(e)
	}
	return lenses.Wrap(e)
}

// configured makes an instance that can be asked.
func (m *module) configured(l guest.Limits, config []byte) (*guest.Instance, error) {
	if m.codes == nil {
		return nil, errors.New("the module was dropped")
	}
	in, err := m.begin(l)
	if err != nil {
		return nil, err
	}
	if err := in.Configure(l, config); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}
