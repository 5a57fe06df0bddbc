package rest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
)

const (
	usualDecisions = 100
	mostDecisions  = 1000
	heartbeat      = 15 * time.Second
)

// listing is what is asked of decisions.
type listing struct {
	filter server.Filter
	from   uint64
	last   uint64 // begin so many before the next one, as far as they are kept; 0: at from
	limit  int    // 0: none
	follow bool
	events bool // as Server-Sent Events
}

func readListing(r *http.Request) (l listing, err error) {
	query := r.URL.Query()
	l.events = strings.Contains(r.Header.Get("Accept"), "text/event-stream")
	l.filter = server.Filter{ID: query.Get("id"), App: query.Get("app"), Queue: query.Get("queue"), Node: query.Get("node"), Type: query.Get("type")}
	l.from = 1
	if l.from, err = number(query, "from", 1, 1<<63); err != nil {
		return l, err
	}
	if query.Has("from") && query.Has("last") {
		return l, badParameter("last", "from or last, not both", query.Get("last"))
	}
	if l.last, err = number(query, "last", 0, mostDecisions); err != nil {
		return l, err
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" && l.events {
		seq, err := strconv.ParseUint(last, 10, 63)
		if err != nil {
			return l, badParameter("Last-Event-ID", "the seq of a decision", last)
		}
		l.from, l.last = seq+1, 0
	}
	follow := query.Get("follow")
	l.follow = follow == "true" || l.events && follow == ""
	if !l.follow || query.Has("limit") {
		n, err := number(query, "limit", usualDecisions, mostDecisions)
		l.limit = int(n)
		return l, err
	}
	return l, nil
}

// number reads a parameter from 1 on.
func number(query url.Values, name string, usual, most uint64) (uint64, error) {
	text := query.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, badParameter(name, fmt.Sprintf("a number from 1 to %d", most), text)
	}
	return n, nil
}

// decisions lists decisions by seq, and goes on with new ones where that is asked for.
func (h *API) decisions(w http.ResponseWriter, r *http.Request) error {
	l, err := readListing(r)
	if err != nil {
		return err
	}
	next := h.server.View().NextDecision()
	if l.from > next {
		return badParameter("from", fmt.Sprintf("at most %d, the next decision", next), strconv.FormatUint(l.from, 10))
	}
	if l.last > 0 {
		l.from = max(1, next-min(l.last, next-1))
	}
	stream, err := h.server.Decisions(l.from)
	var gone *server.CompactedError
	for l.last > 0 && errors.As(err, &gone) { // the record may be cut off once more meanwhile
		stream, err = h.server.Decisions(gone.First)
	}
	switch {
	case errors.As(err, &gone):
		return notKept(gone)
	case err != nil:
		return err
	}
	stream.Only(l.filter)
	stream.Gather()
	out := &decisionWriter{w: w, events: l.events}
	if l.follow {
		if out.stream, err = web.NewStream(w, r); err != nil {
			return errors.Join(err, stream.Close())
		}
		out.w = out.stream
	}
	return errors.Join(out.write(r, stream, &l), stream.Close())
}

// notKept is the problem that decisions are not kept any more.
func notKept(gone *server.CompactedError) error {
	p := web.NewProblem(http.StatusGone, "compacted", "These decisions have been compacted", gone.Error())
	p.First = gone.First
	return p
}

// decisionWriter writes decisions as lines or events.
type decisionWriter struct {
	w      http.ResponseWriter
	stream *web.Stream // nil: it ends with the last decision there is
	events bool
	text   []byte // to be written
}

// mostText is how much is written at once, in bytes.
const mostText = 16 << 10

// write writes what a stream has. Once it has begun, an error only ends the answer.
func (o *decisionWriter) write(r *http.Request, stream *server.Decisions, l *listing) error {
	o.w.Header().Set("Content-Type", "application/jsonl")
	if o.events {
		o.w.Header().Set("Content-Type", "text/event-stream")
	}
	over := false // nothing more will come
	for n := 0; l.limit == 0 || n < l.limit; {
		d, err := stream.Next()
		var gone *server.CompactedError
		switch {
		case err == io.EOF && !l.follow:
			return o.put()
		case err == io.EOF && over:
			return o.end("stopping")
		case err == io.EOF:
			over, err = o.idle(r, stream)
		case errors.As(err, &gone) && l.follow:
			return o.end("compacted")
		case errors.As(err, &gone) && n > 0:
			return o.put() // who asks for what comes next is told
		case errors.As(err, &gone):
			return notKept(gone)
		case err != nil:
			return errors.Join(o.put(), err)
		case d == nil: // many were not wanted
			err = r.Context().Err()
		default:
			n++
			err = o.one(d.Line)
		}
		if err != nil {
			return nil //nolint:nilerr // the reader went away
		}
	}
	return o.put()
}

// one writes one decision.
func (o *decisionWriter) one(line []byte) error {
	if o.events {
		o.text = strconv.AppendUint(append(o.text, "id: "...), server.SeqOf(line), 10)
		o.text = append(append(append(o.text, "\ndata: "...), line...), "\n\n"...)
	} else {
		o.text = append(append(o.text, line...), '\n')
	}
	if len(o.text) < mostText {
		return nil
	}
	return o.put()
}

// put sends what was written.
func (o *decisionWriter) put() error {
	if len(o.text) == 0 {
		return nil
	}
	_, err := o.w.Write(o.text)
	o.text = o.text[:0]
	return err
}

// end says why the stream ends, though its reader wants more.
func (o *decisionWriter) end(reason string) error {
	text := fmt.Sprintf(`{"type":"end","reason":%q}`+"\n", reason)
	if o.events {
		text = fmt.Sprintf("event: end\ndata: {\"reason\":%q}\n\n", reason)
	}
	o.text = append(o.text, text...)
	_ = o.put() // the reader may be gone
	return nil
}

// idle waits for more, with a sign of life now and then. It reports whether the scheduler has ended.
func (o *decisionWriter) idle(r *http.Request, stream *server.Decisions) (over bool, err error) {
	if err := errors.Join(o.put(), o.stream.Flush()); err != nil {
		return false, err
	}
	beat := time.NewTimer(heartbeat)
	defer beat.Stop()
	select {
	case <-stream.More():
		return false, nil
	case <-stream.Ended():
		return true, nil
	case <-r.Context().Done():
		return false, r.Context().Err()
	case <-beat.C:
	}
	if o.events {
		o.text = append(o.text, ":\n\n"...)
	}
	return false, nil
}
