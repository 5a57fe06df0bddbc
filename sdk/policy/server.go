package policy

import (
	"errors"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Server runs a policy for an SDK, in the order of the contract: Configure once, then Texts and Answer.
type Server struct {
	policy     *Policy
	manifest   []byte
	version    uint32
	configured bool
}

// New checks a policy and makes it ready to be asked.
func New(p *Policy) (*Server, error) {
	text, version, err := p.manifest()
	if err != nil {
		return nil, err
	}
	return &Server{policy: p, manifest: text, version: version}, nil
}

// Manifest is the JSON of the manifest. It must not be changed.
func (s *Server) Manifest() []byte { return s.manifest }

// Version is the version of the contract that the manifest spells, as quern_abi returns it.
func (s *Server) Version() uint32 { return s.version }

// Configure gives the policy its parameters, a JSON object; what is missing in it has its default.
func (s *Server) Configure(object []byte) error {
	values, err := ReadParameters(s.policy.Manifest.Parameters, object)
	if err != nil {
		return errfmt.Errorf("%w: %w", ErrConfig, err)
	}
	if s.policy.Configure != nil {
		if err := s.policy.Configure(values); err != nil {
			return errfmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	s.configured = true
	return nil
}

// Texts hands texts over; text i has the code first+i.
func (s *Server) Texts(first uint32, texts []string) {
	if s.policy.Texts != nil {
		s.policy.Texts(first, texts)
	}
}

// ReadTexts hands texts over as abi.Texts wrote them. The policy keeps no part of data.
func (s *Server) ReadTexts(data []byte) error {
	if s.policy.Texts == nil {
		return nil
	}
	first, texts, err := abi.ReadTexts(data)
	if err != nil {
		return err
	}
	s.policy.Texts(first, texts)
	return nil
}

var errUnconfigured = errors.New("expected a configuration before the first frame, found none")

// Answer has the policy answer a frame of a point.
func (s *Server) Answer(point string, f *abi.Frame) error {
	answer := s.Point(point)
	if answer == nil {
		return errfmt.Errorf("expected a frame of %s, found one of %s", list(sorted(s.policy.Points)), point)
	}
	if !s.configured {
		return errUnconfigured
	}
	return answer(f)
}

// Point is the policy's own function for a point, nil where it has none. It must not be called before Configure.
func (s *Server) Point(name string) func(*abi.Frame) error { return s.policy.Points[name] }

// Code is the return code of the contract that stands for an error.
func Code(err error) int {
	switch {
	case err == nil:
		return abi.OK
	case errors.Is(err, abi.ErrShape):
		return abi.BadFrame
	case errors.Is(err, ErrConfig):
		return abi.BadConfig
	}
	return abi.CannotServe
}
