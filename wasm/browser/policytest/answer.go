package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/quern-project/quern/wasm/browser/hostmodules"
	"github.com/quern-project/quern/wasm/browser/rpc"
	"github.com/quern-project/quern/wasm/module/conformance"
)

// head is what the first line of a request may say.
type head struct {
	Op    string
	Name  string // open: what configurations call the policy; empty: the name in its manifest
	Index int    // check: from 0
}

// opened is the answer about a module that passed the gate and its trial. Its names are those of rpc.Loaded in the page.
type opened struct {
	Loaded loaded `json:"loaded"`
	Checks int    `json:"checks"` // so many can be asked for, by index
}

type loaded struct {
	Name     string          `json:"name"`
	SHA256   string          `json:"sha256"`
	Points   []string        `json:"points"`
	Manifest json.RawMessage `json:"manifest"`
	Report   json.RawMessage `json:"report"`
	Fuel     int64           `json:"fuel"`
}

type checked struct {
	Check conformance.Check `json:"check"`
}

// refused is the answer to what was not served. Its names are those of rpc.Error in the page.
type refused struct {
	Error refusal `json:"error"`
}

type refusal struct {
	Code    rpc.Code `json:"code"`
	Message string   `json:"message"`
	Key     string   `json:"key,omitempty"`
	Offset  int      `json:"offset,omitempty"` // the byte of the module
	Section string   `json:"section,omitempty"`
	Reason  string   `json:"reason,omitempty"` // the gate's code
}

// tester holds one module to the contract, the one opened last.
type tester struct {
	subject *conformance.Subject
}

// operations are all there are: a module goes through the gate and its trial; it is held to one check.
var operations = map[string]func(t *tester, h *head, body []byte) (any, error){
	"open":  (*tester).open,
	"check": (*tester).check,
}

// answer serves one request. It always answers, if by a refusal.
func (t *tester) answer(request []byte) []byte {
	served, err := t.serve(request)
	if err != nil {
		served = refused{refusalOf(err)}
	}
	line, err := json.Marshal(served)
	if err != nil {
		panic("policytest: an answer cannot be written: " + err.Error()) // our bug
	}
	return append(line, '\n')
}

func (t *tester) serve(request []byte) (served any, err error) {
	line, body, _ := bytes.Cut(request, []byte("\n"))
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, &rpc.Error{Code: rpc.BadRequest, Message: "head: " + err.Error()}
	}
	operate, known := operations[h.Op]
	if !known {
		return nil, &rpc.Error{Code: rpc.UnknownOp, Key: "op", Message: fmt.Sprintf("op: expected open or check, found %.40q", h.Op)}
	}
	defer func() {
		if fault := recover(); fault != nil {
			served, err = nil, &rpc.Error{Code: rpc.Internal, Message: fmt.Sprint(fault)}
		}
	}()
	return operate(t, &h, body)
}

// open replaces the module that was opened before.
func (t *tester) open(h *head, body []byte) (any, error) {
	t.subject = nil
	modules := &hostmodules.Modules{}
	found, err := modules.Load(h.Name, body, rpc.Limits{})
	if err != nil {
		return nil, err
	}
	if t.subject, err = hostmodules.NewSubject(modules, found.Name, nil); err != nil {
		return nil, err
	}
	return opened{loaded(*found), conformance.Count()}, nil
}

func (t *tester) check(h *head, _ []byte) (any, error) {
	if t.subject == nil {
		return nil, &rpc.Error{Code: rpc.NotThere, Message: "no module was opened"}
	}
	if h.Index < 0 || h.Index >= conformance.Count() {
		return nil, &rpc.Error{Code: rpc.BadRequest, Key: "index", Message: fmt.Sprintf("index: expected 0 to %d, found %d", conformance.Count()-1, h.Index)}
	}
	return checked{t.subject.Check(h.Index)}, nil
}

// refusalOf is an error in the form of the answers.
func refusalOf(err error) refusal {
	var known *rpc.Error
	if errors.As(err, &known) {
		return refusal{known.Code, known.Message, known.Key, known.Offset, known.Section, known.Reason}
	}
	return refusal{Code: rpc.BadModule, Message: err.Error()}
}
