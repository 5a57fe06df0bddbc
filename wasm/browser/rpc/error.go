package rpc

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/quern-project/quern/core/journal"
)

// Code says what kind of refusal an Error is. Codes are constants: pages decide by them, never by the message.
type Code string

// The codes.
const (
	BadRequest       Code = "bad-request"       // the head is not what the operation takes
	UnknownOp        Code = "unknown-op"        //
	UnknownSession   Code = "unknown-session"   // no machine or session, as the operation needs, has the id
	BadJournal       Code = "bad-journal"       // a line cannot be used; Line and Key say which
	BadConfiguration Code = "bad-configuration" // Errors lists what is wrong
	BadSnapshot      Code = "bad-snapshot"      //
	BadModule        Code = "bad-module"        // a policy module did not pass the gate, or its trial
	BadTime          Code = "bad-time"          // a time that is over, or one that a deadline stands before
	TooLarge         Code = "too-large"         //
	NotThere         Code = "not-there"         // nothing has the name
	Internal         Code = "internal"          // our bug: the machine or session takes no more changes, but can be read
)

// Error is a refusal. Nothing has changed.
type Error struct {
	Code     Code
	Message  string
	Line     int      `json:",omitempty"` // of the body, from 1
	Column   int      `json:",omitempty"`
	Key      string   `json:",omitempty"`
	Expected string   `json:",omitempty"`
	Found    string   `json:",omitempty"`
	Errors   []string `json:",omitempty"`
	Offset   int      `json:",omitempty"` // BadModule: the byte of the module
	Section  string   `json:",omitempty"` // BadModule
	Reason   string   `json:",omitempty"` // BadModule: the gate's code
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// errorAnswer is the answer that holds an Error.
type errorAnswer struct{ Error *Error }

// refusal makes an Error of whatever stopped an operation.
func refusal(err error) *Error {
	var own *Error
	var line *journal.Error
	var config *journal.ConfigError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &line):
		return &Error{Code: BadJournal, Message: line.Error(), Line: line.Line, Key: line.Key, Expected: line.Expected, Found: line.Found}
	case errors.As(err, &config):
		return &Error{Code: BadConfiguration, Message: config.Error(), Errors: config.Errors}
	}
	return &Error{Code: BadRequest, Message: err.Error()}
}

// badHead says what is wrong with a head.
func badHead(err error) *Error {
	e := &Error{Code: BadRequest, Message: "head: " + err.Error()}
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) {
		e.Key = jsonName(typed.Field)
	}
	return e
}

func badTime(format string, args ...any) *Error {
	return &Error{Code: BadTime, Message: fmt.Sprintf(format, args...)}
}

func badKey(key, expected string, found any) *Error {
	return &Error{Code: BadRequest, Key: key, Expected: expected, Found: fmt.Sprint(found), Message: fmt.Sprintf("%s: expected %s, found %v", key, expected, found)}
}
