// Package rpc is the scheduler behind one function: a request of bytes goes in, an answer of bytes comes out.
//
// A request is one line of JSON, its head, and after it a body if the operation takes one: journal lines, a snapshot, the
// text of a configuration, the bytes of a module. An answer has the same form. What a request may say is at the
// operations (operations.go), what an answer holds at the types in answers.go.
//
// A request that cannot be served is answered by an Error, and changes nothing. The caller owns the clock: nothing here
// reads a time, opens a file or starts anything.
package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// Version is that of the requests and answers.
const Version = 1

// maxRequest bounds a request, and the journal of a session.
const maxRequest = 64 << 20

// Server serves requests, and keeps machines and sessions by number. Make one with New.
type Server struct {
	policies   Policies
	operations map[string]operation
	machines   map[int]*machine
	sessions   map[int]*session
	last       int // id given out
	modules    map[string]*Loaded
	writer     writer
	lines      lines
}

// New makes a server without machines or sessions. Nil policies: modules cannot be run here.
func New(policies Policies) *Server {
	return &Server{
		policies: policies, operations: operations(), machines: map[int]*machine{}, sessions: map[int]*session{}, modules: map[string]*Loaded{},
		writer: writer{plans: plans{}},
	}
}

// Call serves one request. The answer is the caller's.
func (server *Server) Call(request []byte) []byte { return server.Append(nil, request) }

// Append serves one request and appends the answer to out, so that a caller who needs something before it copies nothing.
func (server *Server) Append(out, request []byte) []byte {
	answer, body, err := server.serve(request)
	if err != nil {
		return server.writer.appendLine(out, errorAnswer{refusal(err)})
	}
	return append(server.writer.appendLine(out, answer), body...)
}

// serve finds the operation and lets it answer.
func (server *Server) serve(request []byte) (answer any, body []byte, err error) {
	if len(request) > maxRequest {
		return nil, nil, &Error{Code: TooLarge, Message: fmt.Sprintf("request: expected at most %d bytes, found %d", maxRequest, len(request))}
	}
	head, body, _ := bytes.Cut(request, []byte("\n"))
	var name struct {
		Op string
		ID int
	}
	if err := json.Unmarshal(head, &name); err != nil {
		return nil, nil, badHead(err)
	}
	operate, known := server.operations[name.Op]
	if !known {
		return nil, nil, &Error{Code: UnknownOp, Key: "op", Message: fmt.Sprintf("op: expected an operation, found %.40q", name.Op)}
	}
	defer func() {
		if fault := recover(); fault != nil {
			server.shut(name.ID)
			answer, body, err = nil, nil, &Error{Code: Internal, Message: fmt.Sprint(fault)}
		}
	}()
	return operate.serve(server, head, body)
}

// shut closes what an error of ours may have left half changed: its history can still be read.
func (server *Server) shut(id int) {
	if m := server.machines[id]; m != nil {
		m.closed = true
	}
	if s := server.sessions[id]; s != nil {
		s.closed = true
	}
}

// operation serves a request whose head was found to be JSON.
type operation struct {
	serve        func(server *Server, head, body []byte) (answer any, out []byte, err error)
	head, answer reflect.Type
}

// with makes an operation of a function that takes what the head says.
func with[Head, Answer any](f func(server *Server, h *Head, body []byte) (*Answer, []byte, error)) operation {
	serve := func(server *Server, head, body []byte) (any, []byte, error) {
		h := new(Head)
		d := json.NewDecoder(bytes.NewReader(head))
		d.DisallowUnknownFields()
		if err := d.Decode(h); err != nil {
			return nil, nil, badHead(err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, nil, &Error{Code: BadRequest, Message: "head: expected one JSON object on the first line"}
		}
		a, out, err := f(server, h, body)
		if a == nil {
			a = new(Answer)
		}
		return a, out, err
	}
	return operation{serve, reflect.TypeFor[Head](), reflect.TypeFor[Answer]()}
}

// nothing is the answer of an operation that has nothing to say.
type nothing struct{}

// number gives out the next id.
func (server *Server) number() int {
	server.last++
	return server.last
}
