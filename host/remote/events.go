package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Decisions implements Host.
func (h *overHTTP) Decisions(ctx context.Context, wanted Wanted) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		f := &following{h: h, wanted: wanted, pause: firstPause}
		for {
			if on := f.read(ctx, yield); !on {
				return
			}
			if err := h.o.Pause(ctx, f.pause); err != nil {
				yield(nil, err)
				return
			}
			f.pause = min(2*f.pause, lastPause)
		}
	}
}

// following is how far decisions were read.
type following struct {
	h      *overHTTP
	wanted Wanted
	last   string // id of the last event; empty: none has come
	pause  time.Duration
	begun  bool // the host has answered once
}

// read reads until a connection ends, and reports whether to go on with another one.
func (f *following) read(ctx context.Context, yield func(json.RawMessage, error) bool) bool {
	response, err := f.h.send(ctx, f.call())
	if err == nil {
		f.begun = true
		on := f.events(response, yield)
		_ = response.Body.Close() // it was read
		if on && ctx.Err() != nil {
			yield(nil, ctx.Err())
			return false
		}
		return on && f.wanted.Follow
	}
	if _, again := backOff(err, 0); again && f.begun {
		return true
	}
	yield(nil, err)
	return false
}

func (f *following) call() call {
	query := url.Values{"follow": {strconv.FormatBool(f.wanted.Follow)}}
	for name, value := range f.wanted.Filter {
		query.Set(name, value)
	}
	header := map[string]string{"Accept": "text/event-stream"}
	switch {
	case f.last != "":
		header["Last-Event-ID"] = f.last
	case f.wanted.From > 0:
		query.Set("from", strconv.FormatUint(f.wanted.From, 10))
	default:
		query.Set("last", strconv.Itoa(max(f.wanted.Last, 1)))
	}
	if !f.wanted.Follow {
		limit := f.wanted.Limit
		if limit == 0 {
			limit = mostItems
		}
		query.Set("limit", strconv.Itoa(limit))
	}
	return call{method: http.MethodGet, path: []string{"decisions"}, query: query, header: header}
}

// mostEvent bounds a line of an event, in bytes.
const mostEvent = 64 << 20

// events hands on events until the connection ends; it is false where whoever reads wants no more.
func (f *following) events(r *http.Response, yield func(json.RawMessage, error) bool) bool {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "text/event-stream" {
		yield(nil, ErrNotQuern)
		return false
	}
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(make([]byte, 64<<10), mostEvent)
	var id, kind string
	var data []byte
	for lines.Scan() {
		field, value, _ := bytes.Cut(lines.Bytes(), []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "id":
			id = string(value)
		case "event":
			kind = string(value)
		case "data":
			data = append(data, value...)
		case "":
			if len(lines.Bytes()) > 0 {
				continue // a comment
			}
			if len(data) > 0 && (kind == "" || kind == "decision" || kind == "message") {
				f.pause, f.last = firstPause, id
				if !yield(bytes.Clone(data), nil) {
					return false
				}
			}
			id, kind, data = f.last, "", data[:0]
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		yield(nil, err)
		return false
	} else if err != nil && !f.wanted.Follow && !errors.Is(err, io.EOF) {
		yield(nil, &UnreachableError{f.h.base.String(), err})
		return false
	}
	return true
}
