package goplugin

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin/wire"
	"github.com/quern-project/quern/sdk/policy"
)

// service is the plugin's side of the protocol.
type service struct {
	mu     sync.Mutex // gRPC serves in several goroutines, a policy in one
	policy *policy.Server
	tables residents
}

func newService(p *policy.Server) *service {
	return &service{policy: p, tables: newResidents(wire.MaxTables, wire.MaxResident)}
}

// Manifest is the policy's.
func (s *service) Manifest() []byte { return s.policy.Manifest() }

// Configure gives the policy its parameters.
func (s *service) Configure(object []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return guarded(func() error { return s.policy.Configure(object) })
}

// Eval brings a table up to date and has the policy answer its frame.
func (s *service) Eval(request []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req, err := wire.ReadRequest(request)
	if err != nil {
		return nil, err
	}
	reply := wire.Reply{Call: req.Call, Table: req.Table, Epoch: req.Epoch}
	if len(req.Texts) > 0 {
		if err := guarded(func() error { return s.policy.ReadTexts(req.Texts) }); err != nil {
			return refuse(reply, err), nil
		}
	}
	t, err := s.tables.update(&req)
	if err != nil {
		return refuse(reply, err), nil
	}
	if t == nil {
		reply.Code = wire.Resend
		return reply.AppendHead(nil), nil
	}
	if err := guarded(func() error { return s.policy.Answer(abi.Points[req.Point-1].Name, &t.frame) }); err != nil {
		return refuse(reply, err), nil
	}
	reply.Keys, reply.Rows = req.Keys, req.Header.Asked
	return t.answers(&req, &reply), nil
}

func refuse(reply wire.Reply, err error) []byte {
	reply.Code, reply.Text = uint32(policy.Code(err)), err.Error()
	return reply.AppendHead(nil)
}

// guarded turns a panic of the policy into an error that the host can show; the stack goes to its log.
func guarded(call func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", r, debug.Stack())
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return call()
}
