package manager

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/server"
)

// decision is what the loop reads of a decision's line.
type decision struct {
	Type      core.DecisionType
	At        time.Duration // since the Unix epoch
	ID        string
	App       string
	Gang      string
	For       string
	Quota     string
	Queue     string
	Node      string
	To        string
	Reason    core.Reason
	Message   string
	Resources resource.Set
}

// concern are the decisions that the loop acts on.
var concern = map[core.DecisionType]bool{
	core.Allocation: true, core.Release: true, core.Preemption: true, core.Lapsed: true, core.Replaced: true, core.TimedOut: true,
	core.AskRejected: true, core.AppRejected: true, core.AppState: true, core.NodeRejected: true, core.GangFallback: true, core.ConfigAccepted: true,
}

// typeOf is the type of a decision's line, without reading the rest.
func typeOf(line []byte) core.DecisionType {
	_, rest, _ := bytes.Cut(line, []byte(`"type":"`))
	name, _, _ := bytes.Cut(rest, []byte{'"'})
	return core.DecisionType(name)
}

// read reads a line.
func read(line []byte) (decision, error) {
	var text struct {
		decision
		At        time.Time
		Resources map[string]json.RawMessage
	}
	if err := json.Unmarshal(line, &text); err != nil {
		return decision{}, fmt.Errorf("decision %s: %w", line, err)
	}
	d := text.decision
	d.At = time.Duration(text.At.UnixNano())
	var set []resource.Quantity
	for typ, amount := range text.Resources {
		value, err := resource.Parse(typ, strings.Trim(string(amount), `"`))
		if err != nil {
			return decision{}, fmt.Errorf("decision %s: %s: %w", line, typ, err)
		}
		set = append(set, resource.Quantity{Type: typ, Value: value})
	}
	d.Resources = resource.NewSet(set...)
	return d, nil
}

// followDecisions puts the decisions into the inbox, until the context or the server ends.
func followDecisions(ctx context.Context, list *server.Decisions, to *inbox) error {
	for {
		batch, err := gather(list)
		if len(batch) > 0 {
			to.put(func(m *mail) { m.decisions = append(m.decisions, batch...) })
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		select {
		case <-list.More():
		case <-list.Ended():
			return server.ErrStopping
		case <-ctx.Done():
			return nil
		}
	}
}

// gather reads the decisions that are there. The error is io.EOF at their end.
func gather(list *server.Decisions) (batch []decision, err error) {
	for {
		line, err := list.Next()
		if err != nil {
			return batch, err
		}
		if line == nil || !concern[typeOf(line)] {
			continue
		}
		d, err := read(line)
		if err != nil {
			return batch, err
		}
		batch = append(batch, d)
	}
}
