package quernapi_test

import (
	"context"
	"log/slog"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestACallerSendsItsOwn(t *testing.T) {
	a, err := auth.New(auth.Options{Tokens: authtest.Tokens(t, "ann=submitter", "bob=submitter", "op=operator"), Log: slog.New(slog.DiscardHandler), Now: authtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	l := startWith(t, a)
	as := func(user string) context.Context {
		return metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+user)
	}
	stream, err := l.SubmitStream(as("ann"))
	if err != nil {
		t.Fatal(err)
	}
	// The second does not wait for the first, which the view need not have then.
	for n, in := range []*quernv1.Input{app("a1"), ask("k1", "a1", 1), ask("k2", "a2", 1)} {
		if err := stream.Send(&quernv1.SubmitStreamRequest{Sequence: uint64(n), Request: &quernv1.SubmitRequest{Inputs: []*quernv1.Input{in}}}); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range []codes.Code{codes.OK, codes.OK, codes.PermissionDenied} {
		r, err := stream.Recv()
		if err != nil || codes.Code(r.GetProblem().GetStatus()) != want {
			t.Errorf("answer %d: found %v (%v), expected %s", n, r, err, want)
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	submit := func(user string, in *quernv1.Input) codes.Code {
		_, err := l.Submit(as(user), &quernv1.SubmitRequest{Inputs: []*quernv1.Input{in}})
		return status.Code(err)
	}
	explain := func(user string) codes.Code {
		_, err := l.Explain(as(user), &quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Ask{Ask: "k1"}})
		return status.Code(err)
	}
	for what, c := range map[string][2]codes.Code{
		"another's application": {submit("bob", ask("k3", "a1", 1)), codes.PermissionDenied},
		"a node":                {submit("ann", node("n1", 1)), codes.PermissionDenied},
		"an operator's node":    {submit("op", node("n1", 1)), codes.OK},
		"another's ask":         {explain("bob"), codes.PermissionDenied},
		"one's own ask":         {explain("ann"), codes.OK},
		"an operator asks":      {explain("op"), codes.OK},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: found %s, expected %s", what, c[0], c[1])
		}
	}
}
