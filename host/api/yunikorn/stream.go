package yunikorn

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
)

const (
	mostBatch  = 10_000 // events of one answer
	partEvents = 1_000  // copied while the view is held
)

// eventBatch is some events, with the numbers of the first and the last that are kept.
type batch struct {
	InstanceUUID string        `json:"InstanceUUID"` // of those that the numbers are of
	LowestID     uint64        `json:"LowestID"`
	HighestID    uint64        `json:"HighestID"`
	EventRecords []eventRecord `json:"EventRecords"`
}

// eventBatch answers events by number.
func (a *API) eventBatch(w http.ResponseWriter, r *http.Request) error {
	count, err := numberOf(r, "count", mostBatch, 1, math.MaxUint64)
	if err != nil {
		return err
	}
	start, err := numberOf(r, "start", 0, 0, math.MaxUint64)
	if err != nil {
		return err
	}
	if !r.URL.Query().Has("start") {
		a.view.Read(func(*scheduler.Scheduler) { start = a.memory.events.first() })
	}
	return answer(w, a.events(start, int(min(count, mostBatch))))
}

// events are at most so many from a number on. Where that one is not kept, or has not come yet, there are none.
func (a *API) events(start uint64, count int) batch {
	out := batch{InstanceUUID: a.memory.id, EventRecords: []eventRecord{}}
	for more := true; more; {
		var part []event
		a.view.Read(func(*scheduler.Scheduler) {
			kept := a.memory.events
			out.LowestID, out.HighestID = kept.first(), max(kept.next, 1)-1
			if start >= kept.first() {
				part = a.memory.eventsFrom(start, min(count-len(out.EventRecords), partEvents))
			}
		})
		for i := range part {
			out.EventRecords = append(out.EventRecords, part[i].record())
		}
		start += uint64(len(part))
		more = len(part) == partEvents && len(out.EventRecords) < count
	}
	return out
}

// eventsFrom copies events that are kept.
func (m *Memory) eventsFrom(start uint64, count int) []event {
	var part []event
	for ; start < m.events.next && len(part) < count; start++ {
		part = append(part, *m.events.at(start))
	}
	return part
}

// eventStream writes events as they come, one a line, after as many that were before as count says.
func (a *API) eventStream(w http.ResponseWriter, r *http.Request) error {
	count, err := numberOf(r, "count", 0, 0, math.MaxUint64)
	if err != nil {
		return err
	}
	var next uint64
	a.view.Read(func(*scheduler.Scheduler) {
		kept := a.memory.events
		next = kept.next - min(count, uint64(len(kept.items)))
	})
	out, err := web.NewStream(w, r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson; charset=UTF-8")
	s := stream{api: a, next: next, encoder: json.NewEncoder(out), out: out}
	for {
		changed := a.view.Changed()
		if s.write() != nil {
			return nil //nolint:nilerr // the reader is gone, or too slow
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return nil
		}
	}
}

// stream writes events to one reader.
type stream struct {
	api     *API
	next    uint64
	encoder *json.Encoder
	out     *web.Stream
}

var errBehind = errors.New("the reader is too slow: events are lost")

// write writes the events that have come since it was last called.
func (s *stream) write() error {
	for {
		var part []event
		behind := false
		s.api.view.Read(func(*scheduler.Scheduler) {
			if behind = s.next < s.api.memory.events.first(); !behind {
				part = s.api.memory.eventsFrom(s.next, partEvents)
			}
		})
		if behind {
			return errBehind
		}
		if len(part) == 0 {
			return s.out.Flush()
		}
		for i := range part {
			if err := s.encoder.Encode(part[i].record()); err != nil {
				return err
			}
		}
		s.next += uint64(len(part))
	}
}
