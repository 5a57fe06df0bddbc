package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/server"
)

// Problem is an error as RFC 9457 has it.
type Problem struct {
	Type   string  `json:"type"`
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Detail string  `json:"detail,omitempty"`
	Line   int     `json:"line,omitempty"` // of the body
	Key    string  `json:"key,omitempty"`
	First  uint64  `json:"first,omitempty"`  // the first decision there is
	Errors []Fault `json:"errors,omitempty"` // all that is wrong with a text

	Warnings []string `json:"warnings,omitempty"` // about a configuration with errors
}

// Fault is one thing that is wrong with a text that was sent.
type Fault struct {
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Queue   string `json:"queue,omitempty"`
	Key     string `json:"key,omitempty"`
	Message string `json:"message"`
}

// problemType is what the types of problems begin with.
const problemType = "urn:quern:problem:"

// NewProblem returns a problem of a code, such as not_found.
func NewProblem(status int, code, title, detail string) *Problem {
	return &Problem{Type: problemType + code, Title: title, Status: status, Detail: detail}
}

func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// problemOf is the problem that an error is.
func problemOf(err error) *Problem {
	var (
		p     *Problem
		line  *journal.Error
		large *http.MaxBytesError
	)
	var denied *permission.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &denied):
		return NewProblem(http.StatusForbidden, "permission_denied", "This needs another role", denied.Error())
	case errors.As(err, &large), errors.Is(err, server.ErrTooLarge):
		return NewProblem(http.StatusRequestEntityTooLarge, "too_large", "The body is too large", err.Error())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return NewProblem(http.StatusRequestTimeout, "too_slow", "The body came too slowly", "expected the whole request within a minute")
	case errors.Is(err, server.ErrTooMuch), errors.Is(err, server.ErrHeld):
		return NewProblem(http.StatusUnprocessableEntity, "too_much", "The question is too large", err.Error())
	case errors.Is(err, server.ErrBusy): // before a line that ends where a body could not be read on
		return NewProblem(http.StatusTooManyRequests, "busy", "Too many requests wait", err.Error())
	case errors.As(err, &line):
		p := NewProblem(http.StatusBadRequest, "bad_input", "An input is invalid", line.Error())
		p.Line, p.Key = line.Line, line.Key
		return p
	case errors.Is(err, server.ErrStoreFailed):
		return NewProblem(http.StatusServiceUnavailable, "store_failed", "The store cannot write", err.Error())
	case errors.Is(err, server.ErrUndecided):
		return NewProblem(http.StatusServiceUnavailable, "undecided", "The store cannot write the decisions", err.Error())
	case errors.Is(err, server.ErrStopping):
		return NewProblem(http.StatusServiceUnavailable, "stopping", "The host is stopping", err.Error())
	case errors.Is(err, server.ErrAnnounced):
		return NewProblem(http.StatusForbidden, "policies_by_folder", "Inputs cannot announce policies", err.Error())
	case errors.Is(err, server.ErrConfigChanged):
		return NewProblem(http.StatusPreconditionFailed, "config_changed", "The configuration has changed", err.Error())
	case errors.Is(err, server.ErrKeyReused):
		return NewProblem(http.StatusUnprocessableEntity, "key_reused", "The idempotency key has been used", err.Error())
	}
	return NewProblem(http.StatusInternalServerError, "internal", "The host failed", err.Error())
}

// Handler answers a request, or returns why not.
type Handler func(w http.ResponseWriter, r *http.Request) error

// ServeHTTP implements http.Handler.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := h(w, r)
	if err == nil {
		return
	}
	p := problemOf(err)
	var denied *permission.Error
	if errors.As(err, &denied) {
		refusedLater(r, denied)
	}
	if r.Context().Err() != nil && p.Status != http.StatusRequestTimeout {
		panic(http.ErrAbortHandler) // who asked is gone; without a word it would be an answer of success
	}
	switch p.Status {
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", strconv.Itoa(1))
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	p.write(w, r.URL.Path)
}

// Answer writes an object.
func Answer(w http.ResponseWriter, object any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(object)
}
