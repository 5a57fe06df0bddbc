package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// lists are read in turn.
var lists = []string{
	"/v1/queues", "/v1/nodes?limit=1000", "/v1/apps", "/v1/asks?state=pending", "/v1/asks?queue=root.q7&limit=1000", "/v1/stats", "/v1/decisions?last=1000", "/v1/config/history",
	"/v1/queues/root.q3/explanation", "/v1/apps/w1-1/explanation", "/v1/asks/w1-5-1-0/explanation", "/v1/asks/w2-7-big/explanation", "/v1/asks/w2-7-big/victims",
	"/ws/v1/queues", "/ws/v1/partition/default/queue/root.q3/applications", "/ws/v1/partition/default/nodes", "/ws/v1/events/batch", "/ws/v1/scheduler/node-utilizations",
	"/", "/v1/version", "/readyz",
}

// read reads a list or an explanation.
func (h *host) read(ctx context.Context, n int) error {
	_, err := h.get(ctx, lists[n%len(lists)])
	return err
}

// get reads what a route answers.
func (h *host) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.http+path, nil)
	if err != nil {
		return nil, err
	}
	return answer(request)
}

// answer sends a request, and reads its answer. That there is no such thing any more is no error.
func answer(request *http.Request) ([]byte, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusBadRequest && response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusConflict {
		err = fmt.Errorf("%s %s: %s: %s", request.Method, request.URL.Path, response.Status, text)
	}
	return text, err
}

// follow follows decisions for a while, and goes away in the middle.
func (h *host) follow(ctx context.Context, random *rand.Rand, events *atomic.Int64) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(200+random.IntN(5000))*time.Millisecond)
	defer cancel()
	path := "/v1/decisions?follow=true&last=100"
	if random.IntN(2) == 0 {
		path += fmt.Sprintf("&queue=root.q%d", random.IntN(leaves))
	}
	err := h.events(ctx, path, func(string) { events.Add(1) })
	if ctx.Err() != nil {
		return nil //nolint:nilerr // it was ended
	}
	return err
}

// events reads Server-Sent Events until they end, and shows the lines with data, except the one with the reason of the end.
func (h *host) events(ctx context.Context, path string, show func(data string)) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.http+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, response.Status)
	}
	lines := bufio.NewScanner(response.Body)
	for event := ""; lines.Scan(); {
		name, isName := strings.CutPrefix(lines.Text(), "event: ")
		data, isData := strings.CutPrefix(lines.Text(), "data: ")
		switch {
		case isName:
			event = name
		case isData && event != "end":
			show(data)
		}
	}
	return lines.Err()
}
