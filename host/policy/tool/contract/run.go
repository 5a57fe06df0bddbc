package contract

import (
	"context"
	"errors"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/tool"
	checks "github.com/quern-project/quern/wasm/module/conformance"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Run holds a policy to every check, and tells each as soon as it is known; nil: no reports. The error is for what went
// wrong beside that.
func Run(ctx context.Context, h *tool.Host, told func(*Check)) (*Report, error) {
	s, end, err := subject(ctx, h)
	if err != nil {
		return nil, err
	}
	r := newReport(h.Subject)
	r.told = told
	r.add(checks.Loads())
	err = errors.Join(checks.Run(ctx, s, r.add), end())
	r.Log = h.Log.Last()
	return r, err
}

// Refused is the report about a policy that the host does not take: there is no policy to ask.
func Refused(s *tool.Subject, why *tool.RefusedError, told func(*Check)) *Report {
	r := newReport(s)
	r.told = told
	r.Log = why.Log.Last()
	r.add(checks.Refused(why))
	return r
}

// subject is the policy as the checks use it, with what frees it.
func subject(ctx context.Context, h *tool.Host) (s *checks.Subject, end func() error, err error) {
	s = &checks.Subject{Declared: h.Declared, Announced: h.Announced.Parsed}
	if h.Subject.Process {
		s.Start = func(config []byte) (policy.Evaluator, func(), error) { return h.StartWithoutDeadline(ctx, config) }
		s.InTime = inTime(h.Subject.Deadline)
		return s, func() error { return nil }, nil
	}
	runtime, err := h.Runtime(ctx)
	if err != nil {
		return nil, nil, err
	}
	m, err := h.Load(ctx, runtime)
	if err != nil {
		return nil, nil, errors.Join(err, runtime.Close(ctx))
	}
	s.Instance = func() (guest.EngineInstance, error) { return m.EngineInstance(ctx) }
	s.Evaluator = func() (policy.Evaluator, func(), error) { return h.Evaluator(ctx) }
	return s, func() error { return errors.Join(m.Close(ctx), runtime.Close(ctx)) }, nil
}
