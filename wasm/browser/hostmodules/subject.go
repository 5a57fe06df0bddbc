package hostmodules

import (
	"encoding/json"
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/conformance"
	"github.com/quern-project/quern/wasm/module/guest"
)

// NewSubject prepares a module that was loaded for the checks of the contract, with these values of its parameters; those
// left out have their defaults. It is a function, so that modules which check nothing do not carry the checks.
func NewSubject(s *Modules, name string, parameters map[string]json.RawMessage) (*conformance.Subject, error) {
	announced, err := s.Announce(name, parameters)
	if err != nil {
		return nil, err
	}
	parsed, err := policy.ParseManifest(announced.Manifest)
	if err != nil {
		return nil, err
	}
	limits, err := guest.LimitsOf(parsed)
	if err != nil {
		return nil, err
	}
	m := s.find(announced.SHA256)
	return &conformance.Subject{
		Declared: m.manifest, Announced: parsed,
		Instance: func() (guest.EngineInstance, error) {
			code, err := m.code(limits)
			if err != nil {
				return nil, err
			}
			r, err := code.start(m.name)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
		Evaluator: func() (policy.Evaluator, func(), error) {
			e := s.Evaluator(core.Announcement{PolicyModule: announced, Parsed: parsed})
			if e == nil {
				return nil, nil, fmt.Errorf("policy %q does not take its configuration", name)
			}
			return e, s.seats.clear, nil
		},
	}, nil
}
