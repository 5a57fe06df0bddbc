package web

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/quern-project/quern/host/server"
)

// mostBodies bounds the bodies of all requests that are being handled, in bytes. A handler keeps what it has read.
const mostBodies = 256 << 20

// bodies counts what handlers have read of bodies. Many clients together could otherwise fill the memory within their own bounds.
type bodies struct{ read atomic.Int64 }

// body is the body of one request.
type body struct {
	io.ReadCloser
	of   *bodies
	read int64
}

// count has a body counted. Its end must be called when the request has been handled.
func (b *bodies) count(r io.ReadCloser) *body { return &body{ReadCloser: r, of: b} }

// Read implements io.Reader. The error is server.ErrBusy where there is no room for what was read.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if b.of.read.Add(int64(n)) > mostBodies {
		return 0, fmt.Errorf("%w: the requests that are being handled have more than %d MiB", server.ErrBusy, mostBodies>>20)
	}
	return n, err
}

// end forgets what was read.
func (b *body) end() {
	b.of.read.Add(-b.read)
	b.read = 0
}
