package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

// live reports whether a question is put to a live scheduler: it is one that hosts answer, and there is nothing else to put it to.
func (f *explainFlags) live(journals []string, kind explain.Kind) bool {
	switch kind {
	case explain.Ask, explain.App, explain.Queue, explain.Preemption:
		return len(journals) == 0 && f.trace == "" && f.nodes == "" && f.pods == "" && f.maps == "" && f.at == "" && !f.typed("config")
	}
	return false
}

// askHost puts a question to a live scheduler.
func (f *explainFlags) askHost(ctx context.Context, q *explain.Question, s streams) error {
	host, err := f.host.dial()
	if err != nil {
		return err
	}
	object, err := answerOf(ctx, host, q)
	if err != nil {
		return hostError(err)
	}
	text, err := explanation(object)
	if err != nil {
		return hostError(err)
	}
	return s.show(f.json, func(w io.Writer) error { return listing.Object(w, listing.JSON, object) }, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, format.Within(text, mostExplanation))
		return err
	})
}

// answerOf is what a host answers to a question.
func answerOf(ctx context.Context, host remote.Host, q *explain.Question) (json.RawMessage, error) {
	switch q.Kind {
	case explain.Ask:
		return host.Explain(ctx, remote.Asks, q.Name)
	case explain.App:
		return host.Explain(ctx, remote.Apps, q.Name)
	case explain.Queue:
		return host.Explain(ctx, remote.Queues, q.Name)
	}
	return host.Victims(ctx, q.Name)
}
