package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
)

// mostKey is the length of an idempotency key, in characters.
const mostKey = 256

// accepted answers inputs.
type accepted struct {
	First     uint64             `json:"first"`
	Last      uint64             `json:"last"`
	Decisions *[]json.RawMessage `json:"decisions,omitempty"` // nil: they are not waited for
}

// inputs takes JSON Lines of inputs, all of them or none.
func (h *API) inputs(w http.ResponseWriter, r *http.Request) error {
	request, lines, err := h.readRequest(r)
	if err != nil {
		return err
	}
	if err := permission.NewSender(r.Context(), h.server.View()).Sign(request); err != nil {
		return err
	}
	source, done := h.sources.Of(auth.FromContext(r.Context()).Client())
	defer done()
	given, err := source.Submit(r.Context(), request)
	if err != nil {
		return placed(err, lines)
	}
	out := accepted{First: given.First, Last: given.Last}
	if !request.Durable {
		if err := h.server.View().Await(r.Context(), given.Batch); err != nil {
			return err
		}
		list := raw(given.Decisions)
		out.Decisions = &list
	}
	return web.Answer(w, out)
}

// foretold answers a what-if.
type foretold struct {
	Decisions []json.RawMessage `json:"decisions"`
}

// whatIf answers with the decisions that inputs would bring now. Nothing is kept.
func (h *API) whatIf(w http.ResponseWriter, r *http.Request) error {
	list, lines, err := h.readBody(r, server.WhatIfInputs)
	if err != nil {
		return err
	}
	decisions, err := h.server.WhatIf(r.Context(), list)
	if err != nil {
		return placed(err, lines)
	}
	return web.Answer(w, foretold{raw(decisions)})
}

// raw returns the lines of decisions, which are JSON objects.
func raw(list []server.Decision) []json.RawMessage {
	out := make([]json.RawMessage, 0, len(list))
	for i := range list {
		out = append(out, list[i].Line)
	}
	return out
}

// placed names the line of an input that has one name too many.
func placed(err error, lines []int) error {
	var refused *server.NameError
	if !errors.As(err, &refused) {
		return err
	}
	line := lines[refused.Input-1]
	p := web.NewProblem(http.StatusUnprocessableEntity, "too_many_names", "An input has one name too many", fmt.Sprintf("body:%d: %s: %s", line, refused.Key, refused.Detail))
	p.Line, p.Key = line, refused.Key
	return p
}

// readRequest reads a request, and the lines of its inputs.
func (h *API) readRequest(r *http.Request) (request *server.Request, lines []int, err error) {
	request = &server.Request{Key: r.Header.Get("Idempotency-Key"), Durable: r.URL.Query().Get("wait") == "durable"}
	if len(request.Key) > mostKey {
		return nil, nil, keyTooLong(request.Key)
	}
	request.Inputs, lines, err = h.readBody(r, server.RequestInputs)
	return request, lines, err
}

func keyTooLong(key string) error {
	return web.NewProblem(http.StatusBadRequest, "bad_input", "The idempotency key is too long",
		fmt.Sprintf("Idempotency-Key: expected at most %d characters, found %d", mostKey, len(key)))
}

// readBody reads the inputs of a request and their lines, one at least and no more than it may have: what is behind those is not looked
// at.
func (h *API) readBody(r *http.Request, most int) (list []core.Input, lines []int, err error) {
	d := journal.NewInputDecoder(r.Body, "body")
	inForce := h.server.View().Configuration()
	d.SetDeviceTypes(config.DeviceTypesIn([]byte(inForce.Text), config.Format(inForce.Format)))
	for {
		e, err := d.Next()
		switch {
		case err == io.EOF && len(list) == 0:
			return nil, nil, web.NewProblem(http.StatusBadRequest, "bad_input", "The body has no inputs", "expected lines of JSON, one an input, found none")
		case err == io.EOF:
			return list, lines, nil
		case err != nil:
			return nil, nil, err
		case len(list) == most:
			return nil, nil, server.ErrTooLarge
		}
		list, lines = append(list, e.Input), append(lines, e.Line)
	}
}
