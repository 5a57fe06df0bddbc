package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/server"
)

const (
	mostBody = 16 << 20 // bytes
	mostKey  = 256      // characters of an idempotency key
)

// accepted answers inputs.
type accepted struct {
	First     uint64            `json:"first"`
	Last      uint64            `json:"last"`
	Decisions []json.RawMessage `json:"decisions,omitempty"`
}

// inputs takes JSON Lines of inputs, all of them or none.
func (h *Handler) inputs(w http.ResponseWriter, r *http.Request) error {
	request, err := readRequest(w, r)
	if err != nil {
		return err
	}
	given, err := h.source.Submit(r.Context(), request)
	if err != nil {
		return err
	}
	if err := h.server.View().Await(r.Context(), given.Batch); err != nil {
		return err
	}
	out := accepted{First: given.First, Last: given.Last}
	if !request.Durable {
		out.Decisions = make([]json.RawMessage, 0, len(given.Decisions))
	}
	for _, line := range given.Decisions {
		out.Decisions = append(out.Decisions, line)
	}
	return answer(w, out)
}

func readRequest(w http.ResponseWriter, r *http.Request) (*server.Request, error) {
	query := r.URL.Query()
	if err := only(query, "wait"); err != nil {
		return nil, err
	}
	request := &server.Request{Key: r.Header.Get("Idempotency-Key")}
	switch wait := query.Get("wait"); wait {
	case "":
	case "durable":
		request.Durable = true
	default:
		return nil, badParameter("wait", "durable", wait)
	}
	if len(request.Key) > mostKey {
		return nil, newProblem(http.StatusBadRequest, "bad_input", "The idempotency key is too long",
			fmt.Sprintf("Idempotency-Key: expected at most %d characters, found %d", mostKey, len(request.Key)))
	}
	d := journal.NewInputDecoder(http.MaxBytesReader(w, r.Body, mostBody), "body")
	var err error
	if request.Inputs, err = readInputs(d); err != nil {
		return nil, err
	}
	if len(request.Inputs) == 0 {
		return nil, newProblem(http.StatusBadRequest, "bad_input", "The body has no inputs", "expected lines of JSON, one an input, found none")
	}
	return request, nil
}

func readInputs(d *journal.Decoder) (list []core.Input, err error) {
	for {
		e, err := d.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, e.Input)
	}
}

// only refuses parameters that a route does not have.
func only(query url.Values, names ...string) error {
	var all []error
	for name := range query {
		known := false
		for _, n := range names {
			known = known || n == name
		}
		if !known {
			all = append(all, newProblem(http.StatusBadRequest, "bad_parameter", "A parameter cannot be used", fmt.Sprintf("%q: expected a parameter of this route", name)))
		}
	}
	return errors.Join(all...)
}

func badParameter(name, expected, found string) error {
	return newProblem(http.StatusBadRequest, "bad_parameter", "A parameter cannot be used", fmt.Sprintf("%s: expected %s, found %q", name, expected, found))
}
