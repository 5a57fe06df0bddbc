package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// The pauses between attempts.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Submit implements Host. A request that may have come through is repeated with the same key, so it is applied once.
func (h *overHTTP) Submit(ctx context.Context, lines []byte, key string) (*Applied, error) {
	return patiently(ctx, h, func() (*Applied, error) { return h.submitOnce(ctx, lines, key) })
}

// patiently tries until the host can do something, as far as patience goes.
func patiently[T any](ctx context.Context, h *overHTTP, try func() (*T, error)) (*T, error) {
	var waited time.Duration
	for next := firstPause; ; next = min(2*next, lastPause) {
		done, err := try()
		wait, again := backOff(err, next)
		if !again || waited+wait > h.o.Patience {
			return done, err
		}
		if stopped := h.o.Pause(ctx, wait); stopped != nil {
			return nil, err
		}
		waited += wait
	}
}

func (h *overHTTP) submitOnce(ctx context.Context, lines []byte, key string) (*Applied, error) {
	text, err := h.read(ctx, call{method: http.MethodPost, path: []string{"inputs"}, body: lines, header: map[string]string{"Idempotency-Key": key, "Content-Type": "application/jsonl"}})
	if err != nil {
		return nil, err
	}
	var applied Applied
	if json.Unmarshal(text, &applied) != nil {
		return nil, ErrNotQuern
	}
	return &applied, nil
}

// backOff says whether a request that failed is to be repeated, and after what time.
func backOff(err error, usual time.Duration) (wait time.Duration, again bool) {
	var p *Problem
	var away *UnreachableError
	switch {
	case errors.As(err, &p):
		return max(usual, p.after), p.passing()
	case errors.As(err, &away):
		return usual, true
	}
	return 0, false
}

// WhatIf implements Host.
func (h *overHTTP) WhatIf(ctx context.Context, lines []byte) ([]json.RawMessage, error) {
	text, err := h.read(ctx, call{method: http.MethodPost, path: []string{"what-if"}, body: lines, header: map[string]string{"Content-Type": "application/jsonl"}})
	if err != nil {
		return nil, err
	}
	var made struct {
		Decisions []json.RawMessage `json:"decisions"`
	}
	if json.Unmarshal(text, &made) != nil {
		return nil, ErrNotQuern
	}
	return made.Decisions, nil
}
