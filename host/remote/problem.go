package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/host/errtext"
)

// Problem is an error that a host answered with.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Line   int    `json:"line"` // of the inputs
	Key    string `json:"key"`
	First  uint64 `json:"first"` // of the decisions that are kept
	// Errors are all that is wrong with a configuration.
	Errors []Fault `json:"errors"`
	// Warnings are those about a configuration with errors.
	Warnings []string `json:"warnings"`

	after time.Duration // when to try again
}

// Fault is one thing that is wrong with a configuration. What is not known is left out.
type Fault struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Queue   string `json:"queue"`
	Key     string `json:"key"`
	Message string `json:"message"`
}

func (p *Problem) Error() string {
	switch {
	case p.Title == "":
		return fmt.Sprintf("the host answered %d %s", p.Status, http.StatusText(p.Status))
	case p.Detail == "":
		return p.Title
	}
	return p.Title + ": " + p.Detail
}

// Code is the last part of the type, such as not_found.
func (p *Problem) Code() string { return p.Type[strings.LastIndexByte(p.Type, ':')+1:] }

// passing reports whether the same request may succeed later.
func (p *Problem) passing() bool {
	return p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable || p.Status == http.StatusBadGateway || p.Status == http.StatusGatewayTimeout
}

// UnreachableError says that a host did not answer.
type UnreachableError struct {
	Server string
	Cause  error
}

func (e *UnreachableError) Error() string {
	reason := errtext.Reason(e.Cause)
	if address, rest, ok := strings.Cut(reason, ": "); ok && strings.HasSuffix(e.Server, "//"+address) {
		reason = rest // the address is named once
	}
	return e.Server + ": " + reason
}

// Unwrap returns why.
func (e *UnreachableError) Unwrap() error { return e.Cause }

// ErrNotQuern says that what answered is no live scheduler.
var ErrNotQuern = errors.New("the server at this address is not a live scheduler of quern")

// ErrNeedsTLS says that a server that uses TLS was asked without it.
var ErrNeedsTLS = errors.New("the server at this address uses TLS: its address begins with https://")

// asksForTLS reports whether a response is that of a server that uses TLS to a request without it. Go's servers send this text.
func asksForTLS(r *http.Response) bool {
	if r.StatusCode != http.StatusBadRequest || r.TLS != nil || r.Header.Get("Content-Type") != "" {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, 100))
	return err == nil && strings.Contains(string(text), "HTTP request to an HTTPS server")
}

// mostProblem bounds the body of an error, in bytes.
const mostProblem = 1 << 20

// problemOf reads the error that a response is.
func problemOf(r *http.Response) error {
	p := &Problem{Status: r.StatusCode}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/problem+json" {
		text, err := io.ReadAll(io.LimitReader(r.Body, mostProblem))
		if err != nil {
			return err
		}
		if json.Unmarshal(text, p) != nil {
			return ErrNotQuern
		}
		p.Status = r.StatusCode
	}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && seconds > 0 {
		p.after = time.Duration(seconds) * time.Second
	}
	return p
}
