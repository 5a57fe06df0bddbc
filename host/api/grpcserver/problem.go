package grpcserver

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

const internalCode = codes.Internal

// Problem is an error with a code of gRPC and one of quern.
type Problem struct {
	Status codes.Code
	Code   string // such as bad_input
	Detail string
	Input  int    // from 1; 0: none in particular
	Key    string // field of the input
	First  uint64 // the first decision that is kept
	Errors []string
}

func (p *Problem) Error() string { return p.Detail }

// BadInput says what is wrong with an input, from 1.
func BadInput(input int, key, expected, found string) *Problem {
	return &Problem{Status: codes.InvalidArgument, Code: "bad_input", Input: input, Key: key,
		Detail: fmt.Sprintf("input %d: %s: expected %s, found %s", input, key, expected, found)}
}

// BadParameter says what is wrong with a field of a request.
func BadParameter(name, expected, found string) *Problem {
	return &Problem{Status: codes.InvalidArgument, Code: "bad_parameter", Key: name, Detail: fmt.Sprintf("%s: expected %s, found %s", name, expected, found)}
}

// NotFound says that there is nothing of a name.
func NotFound(kind, name string) *Problem {
	return &Problem{Status: codes.NotFound, Code: "not_found", Detail: fmt.Sprintf("there is no %s %q", kind, name)}
}

// known are the problems of a host.
var known = []struct {
	err    error
	status codes.Code
	code   string
}{
	{server.ErrBusy, codes.ResourceExhausted, "busy"},
	{server.ErrStoreFailed, codes.Unavailable, "store_failed"},
	{server.ErrUndecided, codes.Unavailable, "undecided"},
	{server.ErrStopping, codes.Unavailable, "stopping"},
	{server.ErrConfigChanged, codes.Aborted, "config_changed"},
	{server.ErrKeyReused, codes.FailedPrecondition, "key_reused"},
	{server.ErrTooLarge, codes.InvalidArgument, "too_large"},
	{server.ErrTooMuch, codes.FailedPrecondition, "too_much"},
	{server.ErrHeld, codes.FailedPrecondition, "too_much"},
	{errUnread, codes.ResourceExhausted, "too_slow"},
	{context.DeadlineExceeded, codes.DeadlineExceeded, "deadline"},
	{context.Canceled, codes.Canceled, "cancelled"},
}

// ProblemOf returns an error as a problem; nil: it is none that a client is told.
func ProblemOf(err error) *Problem {
	var p *Problem
	var gone *server.CompactedError
	var names *server.NameError
	var denied *permission.Error
	switch {
	case errors.As(err, &denied):
		return &Problem{Status: codes.PermissionDenied, Code: "permission_denied", Detail: denied.Error()}
	case errors.As(err, &p):
		return p
	case errors.As(err, &names):
		return &Problem{Status: codes.FailedPrecondition, Code: "too_many_names", Detail: names.Error(), Input: names.Input, Key: names.Key}
	case errors.As(err, &gone):
		return &Problem{Status: codes.OutOfRange, Code: "compacted", Detail: gone.Error(), First: gone.First}
	}
	for _, k := range known {
		if errors.Is(err, k.err) {
			return &Problem{Status: k.status, Code: k.code, Detail: k.err.Error()}
		}
	}
	return nil
}

// Message returns a problem in the form that is sent.
func (p *Problem) Message() *quernv1.Problem {
	return &quernv1.Problem{Status: int32(p.Status), Code: p.Code, Detail: p.Detail, Input: int32(p.Input), Key: p.Key, First: p.First, Errors: p.Errors}
}

// Status returns what a client is told of an error. Of one that is not meant for it, it is told no more than that.
func Status(err error) *status.Status {
	p := ProblemOf(err)
	if p == nil {
		if s, ok := status.FromError(err); ok {
			return s
		}
		return status.New(internalCode, "the host could not answer; its log says why")
	}
	s := status.New(p.Status, p.Detail)
	if detailed, err := s.WithDetails(p.Message()); err == nil {
		return detailed
	}
	return s
}
