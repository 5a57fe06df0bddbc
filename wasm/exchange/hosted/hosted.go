// Package hosted calls a module of the project that runs under wazero, the way package exchange says.
package hosted

import (
	"context"
	"errors"
	"sync"

	"github.com/tetratelabs/wazero/api"
)

// Module is one module, called, from any goroutine, one call at a time.
type Module struct {
	// Reserve and Serve are quern_reserve and quern_call of the module.
	Reserve, Serve api.Function

	mu     sync.Mutex
	memory api.Memory
}

// New takes a module that has been initialized.
func New(m api.Module) *Module {
	return &Module{Reserve: m.ExportedFunction("quern_reserve"), Serve: m.ExportedFunction("quern_call"), memory: m.Memory()}
}

// Call hands a request over and copies the answer.
func (h *Module) Call(ctx context.Context, request []byte) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, err := h.Reserve.Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, err
	}
	if !h.memory.Write(uint32(at[0]), request) {
		return nil, errors.New("the buffer is outside of the memory")
	}
	answer, err := h.Serve.Call(ctx, at[0], uint64(len(request)))
	if err != nil {
		return nil, err
	}
	size, ok := h.memory.ReadUint32Le(uint32(answer[0]))
	if !ok {
		return nil, errors.New("the answer is outside of the memory")
	}
	frame, ok := h.memory.Read(uint32(answer[0])+4, size)
	if !ok {
		return nil, errors.New("the answer reaches out of the memory")
	}
	return append([]byte(nil), frame...), nil
}
