package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/quern-project/quern/features"
)

// head is what the first line of a request may say.
type head struct {
	Op   string
	Line int    // run: only the scenario that begins there; 0: all
	Name string // text: of a feature that ships
}

// Codes of refusals.
const (
	badRequest = "bad-request" // the head is not what the operation takes
	unknownOp  = "unknown-op"
	badFeature = "bad-feature" // Errors says where
	tooLarge   = "too-large"
	internal   = "internal" // our bug
)

// refusal is why a request was not served.
type refusal struct {
	Code    string                `json:"code"`
	Message string                `json:"message"`
	Errors  []features.ParseError `json:"errors,omitempty"`
}

func (r *refusal) Error() string { return r.Code + ": " + r.Message }

type refusalAnswer struct {
	Error *refusal `json:"error"`
}

type shippedAnswer struct {
	Names []string `json:"names"`
}

type textAnswer struct {
	Text string `json:"text"`
}

type stepsAnswer struct {
	Steps []step `json:"steps"`
}

type scenariosAnswer struct {
	Scenarios []*features.Played `json:"scenarios"`
}

// operations are all there are: the sentences; the names of the features that ship, and the text of one; the scenarios of
// a feature, looked at; and the same, played.
var operations = map[string]func(h head, body string) (any, error){
	"steps": func(head, string) (any, error) { return stepsAnswer{steps()}, nil },
	"shipped": func(head, string) (any, error) {
		names, err := fs.Glob(features.Shipped, "*.feature")
		return shippedAnswer{names}, err
	},
	"text": func(h head, _ string) (any, error) {
		text, err := fs.ReadFile(features.Shipped, h.Name)
		if err != nil {
			return nil, &refusal{Code: badRequest, Message: fmt.Sprintf("name: expected a feature that ships, found %.40q", h.Name)}
		}
		return textAnswer{string(text)}, nil
	},
	"check": func(_ head, body string) (any, error) { return scenarios(features.Parse(body)) },
	"run": func(h head, body string) (any, error) {
		return scenarios(features.Play(context.Background(), body, h.Line, features.Native))
	},
}

// most bounds a request: no feature is that long.
const most = 4 << 20

// answer serves one request. It always answers, if by a refusal.
func answer(request []byte) []byte {
	served, err := serve(request)
	if err != nil {
		served = refusalAnswer{refused(err)}
	}
	line, err := json.Marshal(served)
	if err != nil {
		panic("gherkin: an answer cannot be written: " + err.Error()) // our bug
	}
	return append(line, '\n')
}

func serve(request []byte) (served any, err error) {
	if len(request) > most {
		return nil, &refusal{Code: tooLarge, Message: fmt.Sprintf("request: expected at most %d bytes, found %d", most, len(request))}
	}
	line, body, _ := bytes.Cut(request, []byte("\n"))
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, &refusal{Code: badRequest, Message: "head: " + err.Error()}
	}
	operate, known := operations[h.Op]
	if !known {
		return nil, &refusal{Code: unknownOp, Message: fmt.Sprintf("op: expected steps, shipped, text, check or run, found %.40q", h.Op)}
	}
	defer func() {
		if fault := recover(); fault != nil {
			served, err = nil, &refusal{Code: internal, Message: fmt.Sprint(fault)}
		}
	}()
	return operate(h, string(body))
}

func scenarios(list []*features.Played, err error) (any, error) {
	return scenariosAnswer{list}, err
}

func refused(err error) *refusal {
	var own *refusal
	var parse features.ParseErrors
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &parse):
		return &refusal{Code: badFeature, Message: parse.Error(), Errors: parse}
	}
	return &refusal{Code: internal, Message: err.Error()}
}
