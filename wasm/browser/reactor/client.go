//go:build !wasip1

package reactor

import (
	"context"
	"errors"
	"sync"

	"github.com/tetratelabs/wazero/api"
)

// Client calls one module under wazero. It may be used from several goroutines, and makes one call at a time.
type Client struct {
	reserve, call api.Function // quern_reserve and quern_call

	mu     sync.Mutex
	memory api.Memory
}

// NewClient makes a client of a module that has been initialized.
func NewClient(m api.Module) *Client {
	return &Client{reserve: m.ExportedFunction("quern_reserve"), call: m.ExportedFunction("quern_call"), memory: m.Memory()}
}

// Call sends a request and returns a copy of the answer.
func (c *Client) Call(ctx context.Context, request []byte) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, err := c.reserve.Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, err
	}
	if !c.memory.Write(uint32(at[0]), request) {
		return nil, errors.New("the buffer is outside of the memory")
	}
	answer, err := c.call.Call(ctx, at[0], uint64(len(request)))
	if err != nil {
		return nil, err
	}
	size, ok := c.memory.ReadUint32Le(uint32(answer[0]))
	if !ok {
		return nil, errors.New("the answer is outside of the memory")
	}
	frame, ok := c.memory.Read(uint32(answer[0])+4, size)
	if !ok {
		return nil, errors.New("the answer reaches out of the memory")
	}
	return append([]byte(nil), frame...), nil
}
