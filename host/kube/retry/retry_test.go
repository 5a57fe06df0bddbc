package retry

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"
)

// script answers requests one after the other; the last answer stays.
type script struct {
	steps []step
	sent  int
	open  int // bodies that were not closed
}

type step struct {
	status int // 0: an error instead of an answer
	after  string
}

var errRefused = errors.New("connection refused")

func (s *script) RoundTrip(*http.Request) (*http.Response, error) {
	now := s.steps[min(s.sent, len(s.steps)-1)]
	s.sent++
	if now.status == 0 {
		return nil, errRefused
	}
	s.open++
	header := http.Header{}
	if now.after != "" {
		header.Set("Retry-After", now.after)
	}
	return &http.Response{StatusCode: now.status, Status: http.StatusText(now.status), Header: header, Body: &body{strings.NewReader("text"), s}}, nil
}

type body struct {
	io.Reader
	of *script
}

func (b *body) Close() error { b.of.open--; return nil }

func send(ctx context.Context, t *testing.T, method string, s *script) (*http.Response, error) {
	t.Helper()
	config := &rest.Config{}
	Reads(config, slog.New(slog.DiscardHandler))
	request, err := http.NewRequestWithContext(ctx, method, "http://server/api/v1/pods", nil)
	if err != nil {
		t.Fatal(err)
	}
	return config.WrapTransport(s).RoundTrip(request)
}

func TestAReadIsRepeatedUntilItIsAnswered(t *testing.T) {
	for _, test := range []struct {
		name   string
		method string
		steps  []step
		sent   int
		status int // 0: the error
		least  time.Duration
		most   time.Duration
	}{
		{name: "an answer is taken", method: http.MethodGet, steps: []step{{status: 200}}, sent: 1, status: 200},
		{name: "a server that is away is waited for", method: http.MethodGet, steps: []step{{}, {}, {status: 200}}, sent: 3, status: 200,
			least: 150 * time.Millisecond, most: 225 * time.Millisecond},
		{name: "an overloaded server is waited for, as long as it says", method: http.MethodGet, steps: []step{{status: 429, after: "3"}, {status: 503}, {status: 200}}, sent: 3, status: 200,
			least: 3100 * time.Millisecond, most: 3150 * time.Millisecond},
		{name: "a server whose store is away is waited for", method: http.MethodGet, steps: []step{{status: 500}, {status: 504}, {status: 502}, {status: 200}}, sent: 4, status: 200,
			least: 350 * time.Millisecond, most: 525 * time.Millisecond},
		{name: "a gap in a watch is an answer", method: http.MethodGet, steps: []step{{status: 410}}, sent: 1, status: 410},
		{name: "what is forbidden is an answer", method: http.MethodGet, steps: []step{{status: 403}}, sent: 1, status: 403},
		{name: "a write is sent once, since its outcome is not known", method: http.MethodPost, steps: []step{{}}, sent: 1},
		{name: "a write that was refused is the caller's", method: http.MethodPatch, steps: []step{{status: 500}}, sent: 1, status: 500},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, began := &script{steps: test.steps}, time.Now()
				answer, err := send(t.Context(), t, test.method, s)
				if took := time.Since(began); took < test.least || took > test.most {
					t.Errorf("it took %v, expected %v to %v", took, test.least, test.most)
				}
				if s.sent != test.sent {
					t.Errorf("%d requests were sent, expected %d", s.sent, test.sent)
				}
				if test.status == 0 {
					if !errors.Is(err, errRefused) {
						t.Errorf("expected %v, found %v", errRefused, err)
					}
					return
				}
				if err != nil || answer.StatusCode != test.status || s.open != 1 {
					t.Errorf("expected one open answer with %d, found %v, %v, %d open", test.status, answer, err, s.open)
				}
			})
		})
	}
}

// A caller that has waited for long enough is told what was wrong, not only that its time is over.
func TestAReadEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		s, began := &script{steps: []step{{}}}, time.Now()
		if _, err := send(ctx, t, http.MethodGet, s); !errors.Is(err, errRefused) {
			t.Errorf("expected %v, found %v", errRefused, err)
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("it took %v", took)
		}
		if s.sent < 40 || s.sent > 70 { // one a second or so
			t.Errorf("%d requests were sent in a minute", s.sent)
		}
	})
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		if !Wait(ctx, 50*time.Second) || Wait(ctx, time.Hour) || time.Since(began) != time.Minute {
			t.Error("waited", time.Since(began))
		}
		if Wait(ctx, 0) {
			t.Error("the context has ended, and the wait says that it has not")
		}
	})
}
