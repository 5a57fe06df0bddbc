package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Predicates asks a question once it is told for whom a client answers, and ends with the next failure once it was answered, or once the
// client has said what has changed.
func (h *host) Predicates(stream grpc.BidiStreamingServer[quernv1.PredicatesRequest, quernv1.PredicatesResponse]) error {
	for number := uint64(1); ; number++ {
		r, err := stream.Recv()
		if err != nil {
			return err
		}
		h.mu.Lock()
		h.told = append(h.told, r)
		h.mu.Unlock()
		if r.GetOpen() == nil {
			if err := h.failure(stream.Context()); err != nil {
				return err
			}
		}
		if err := stream.Send(&quernv1.PredicatesResponse{Question: number, Predicate: h.predicate, Nodes: []string{"n", "node"}, Timeout: durationpb.New(time.Minute)}); err != nil {
			return err
		}
	}
}

// heard is what the host was told, in short.
func (h *host) heard() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.told {
		switch {
		case r.GetOpen() != nil:
			list = append(list, "open "+r.GetOpen().GetOwner())
		case r.GetAnswer() != nil:
			a := r.GetAnswer()
			list = append(list, strings.TrimSpace(fmt.Sprint("answer ", a.GetQuestion(), a.GetCodes(), " ", a.GetFault())))
		default:
			list = append(list, fmt.Sprint("changed ", r.GetChanged().GetPredicates()))
		}
	}
	return list
}

var errTakenOver = status.Error(codes.Aborted, "another client answers")

// lengths says that nodes fit whose names have one letter.
func lengths(_ context.Context, _ string, nodes []string) (codes []uint32, err error) {
	for _, n := range nodes {
		codes = append(codes, uint32(len(n)-1))
	}
	return codes, nil
}

func TestPredicates_OverBreakingConnections(t *testing.T) {
	h := &host{predicate: "fits", failures: []error{status.Error(codes.Unavailable, "stopping"), nil, busy(), errTakenOver}}
	err := connect(t, h, Options{}).Predicates("rm", lengths).Run(t.Context())
	if status.Code(err) != codes.Aborted {
		t.Errorf("found %v", err)
	}
	want := []string{"open rm", "answer 1 [0 3]", "open rm", "answer 1 [0 3]", "answer 2 [0 3]", "open rm", "answer 1 [0 3]"}
	if found := h.heard(); !slices.Equal(found, want) {
		t.Errorf("found  %q\nwanted %q", found, want)
	}
}

func TestAJudgeThatCannotAnswerIsAFault(t *testing.T) {
	for name, c := range map[string]struct {
		judge Judge
		want  string
	}{
		"an error": {func(context.Context, string, []string) ([]uint32, error) {
			return nil, errors.New("the cache is empty")
		}, "answer 1 [] the cache is empty"},
		"too few codes": {func(context.Context, string, []string) ([]uint32, error) { return []uint32{0}, nil }, "answer 1 [] expected 2 codes, found 1"},
		"time": {func(ctx context.Context, predicate string, _ []string) ([]uint32, error) {
			_, bounded := ctx.Deadline()
			return nil, fmt.Errorf("%s: bounded %v", predicate, bounded)
		}, "answer 1 [] fits: bounded true"},
	} {
		h := &host{predicate: "fits", failures: []error{errTakenOver}}
		if err := connect(t, h, Options{}).Predicates("rm", c.judge).Run(t.Context()); status.Code(err) != codes.Aborted {
			t.Errorf("%s: found %v", name, err)
		}
		if found := h.heard(); len(found) != 2 || found[1] != c.want {
			t.Errorf("%s: found %q", name, found)
		}
	}
}

func TestAClientSaysWhichPredicatesHaveChanged(t *testing.T) {
	h := &host{predicate: "fits", failures: []error{nil, nil, errTakenOver}}
	var p *Predicates
	asked := 0
	p = connect(t, h, Options{}).Predicates("rm", func(ctx context.Context, predicate string, nodes []string) ([]uint32, error) {
		if asked++; asked == 1 {
			p.Changed("fits", "other")
		}
		return lengths(ctx, predicate, nodes)
	})
	p.Changed() // there is no connection
	if err := p.Run(t.Context()); status.Code(err) != codes.Aborted {
		t.Errorf("found %v", err)
	}
	p.Changed() // nor now
	want := []string{"open rm", "changed [fits other]", "answer 1 [0 3]", "answer 2 [0 3]"}
	if found := h.heard(); !slices.Equal(found, want) {
		t.Errorf("found  %q\nwanted %q", found, want)
	}
}

func TestPredicatesAreAnsweredUntilTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := connect(t, &host{}, Options{}).Predicates("rm", func(context.Context, string, []string) ([]uint32, error) {
		cancel()
		return nil, ctx.Err()
	}).Run(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
}

func TestAQuestionIsRepeatedWhileTheHostIsBusy(t *testing.T) {
	h := &host{failures: []error{busy(), status.Error(codes.Unavailable, "stopping"), nil, busy(), status.Error(codes.NotFound, "no ask")}}
	c := connect(t, h, Options{})
	if e, err := c.Explain(t.Context(), &quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Queue{Queue: "root.a"}}); err != nil || e.GetText() != "root.a" {
		t.Errorf("found %v (%v)", e, err)
	}
	if _, err := c.Victims(t.Context(), "k1"); status.Code(err) != codes.NotFound || len(h.failures) != 0 {
		t.Errorf("found %v", err)
	}
}

func (h *host) Explain(ctx context.Context, r *quernv1.ExplainRequest) (*quernv1.ExplainResponse, error) {
	return &quernv1.ExplainResponse{Text: r.GetQueue()}, h.failure(ctx)
}

func (h *host) Victims(ctx context.Context, r *quernv1.VictimsRequest) (*quernv1.VictimsResponse, error) {
	return &quernv1.VictimsResponse{Text: r.GetAsk()}, h.failure(ctx)
}

// A resource manager answers from what it knows of its nodes.
func ExampleClient_Predicates() {
	c, err := New("127.0.0.1:9081", Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	licensed := map[string]bool{"n1": true}
	predicates := c.Predicates("rm", func(_ context.Context, predicate string, nodes []string) ([]uint32, error) {
		const noLicense = 2
		codes := make([]uint32, len(nodes))
		for i, node := range nodes {
			if predicate == "licensed" && !licensed[node] {
				codes[i] = noLicense
			}
		}
		return codes, nil
	})
	fmt.Println(predicates.Run(context.Background())) // it answers until the host refuses it
}
