// Package retry has requests that read wait for an API server that is away, and others wait between two attempts.
//
// Informers wait after each request that has failed, longer each time, up to a minute; they restart only after two minutes without one. After
// an API server's restart, and worse after a few, they would see nothing for that long. A request that is repeated here has not failed to them:
// they go on within a second or so. An answer that a request cannot be repeated for, such as 410, reaches them at once.
package retry

import (
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
)

// Reads has the clients that are made of a configuration repeat each GET until it is answered or its context ends. What an answer is, and not
// a sign of a server that is away or overloaded, says unanswered.
func Reads(config *rest.Config, log *slog.Logger) {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &reads{next: next, log: log} })
}

// The pauses between two attempts. Up to a half is added at random, so that clients do not come all at once.
const (
	firstPause   = 50 * time.Millisecond
	lastPause    = time.Second
	longestAfter = 10 * time.Second // that an answer may ask to wait for
)

type reads struct {
	next http.RoundTripper
	log  *slog.Logger
	away atomic.Bool // as far as is known; for the log alone
}

// RoundTrip implements http.RoundTripper.
func (r *reads) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet {
		return r.next.RoundTrip(request)
	}
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		answer, err := r.next.RoundTrip(request)
		why, after := unanswered(answer, err)
		if why == "" {
			if r.away.CompareAndSwap(true, false) {
				r.log.Info("the API server answers again")
			}
			return answer, err
		}
		if !Wait(request.Context(), max(pause+rand.N(pause/2), after)) {
			return answer, err // the last answer has the reason
		}
		if answer != nil {
			discard(answer)
		}
		if r.away.CompareAndSwap(false, true) {
			r.log.Warn("the API server does not answer; reads are repeated", "path", request.URL.Path, "error", why)
		}
	}
}

// unanswered says why a request has to be repeated, and after what time at least; empty: it was answered.
func unanswered(answer *http.Response, err error) (why string, after time.Duration) {
	if err != nil {
		return err.Error(), 0
	}
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return "", 0
	}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 {
		after = min(time.Duration(seconds)*time.Second, longestAfter)
	}
	return answer.Status, after
}

// discard reads what is left of an answer, as far as it is short, so that its connection can be used again.
func discard(answer *http.Response) {
	const short = 64 << 10
	_, _ = io.CopyN(io.Discard, answer.Body, short) // the answer is of no interest any more
	_ = answer.Body.Close()
}
