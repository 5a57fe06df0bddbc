package rest

import (
	"bytes"
	"net/http"

	"github.com/quern-project/quern/host/api/web"
)

// mostPresent is how many bytes of journal the present may have: what the playground takes.
const mostPresent = 64 << 20

// present answers with a journal that builds the present cluster. One is made at a time, since each is held in memory.
func (h *API) present(w http.ResponseWriter, r *http.Request) error {
	select {
	case h.presenting <- struct{}{}:
		defer func() { <-h.presenting }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	var out bounded
	if err := h.server.View().Present(&out); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	_, _ = w.Write(out.Bytes()) // who asked may be gone
	return nil
}

// bounded is text that refuses to grow beyond what may be answered.
type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostPresent {
		return 0, web.NewProblem(http.StatusUnprocessableEntity, "too_much", "The cluster is too large for one journal", "expected a journal of at most 64 MiB, found more")
	}
	return b.Buffer.Write(p)
}
