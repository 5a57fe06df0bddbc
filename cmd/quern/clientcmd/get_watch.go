package clientcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

// mostLast is how many of the last decisions a host gives.
const mostLast = 1000

// usualLast is how many are shown unless a flag says so.
const usualLast = 20

// decisions lists decisions.
func (f *getFlags) decisions(cmd *cobra.Command, s cli.Streams) error {
	filter, err := f.filter(cmd, []string{"app", "id", "node", "queue", "type"}, "from", "last")
	if err != nil {
		return err
	}
	o := listing.Output(f.output)
	switch {
	case f.from > 0 && f.last > 0:
		return cli.Misused(cmd, errors.New("expected --from or --last, found both"))
	case f.limit > mostLast:
		return cli.Misused(cmd, fmt.Errorf("--limit: expected at most %d decisions, found %d", mostLast, f.limit))
	}
	host, err := f.Dial()
	if err != nil {
		return err
	}
	wanted := remote.Wanted{From: f.from, Last: f.last, Limit: f.limit, Filter: filter, Follow: f.watch}
	if wanted.Last == 0 {
		wanted.Last = usualLast
		if len(filter) > 0 && !f.watch {
			wanted.Last = mostLast // of which some are wanted
		}
	}
	n := 0
	for object, err := range host.Decisions(cmd.Context(), wanted) {
		if err != nil {
			return HostError(err)
		}
		line, err := lineOf(s, o, object)
		if err != nil {
			return err
		}
		w := linesTo(s, o)
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if n++; f.limit > 0 && n == f.limit {
			return nil
		}
	}
	return nil
}

// How long a watched list waits before it looks again: at least, and where no decision says that anything has changed. No decision is made
// about a node that goes.
const (
	watchPause  = time.Second
	watchPeriod = 5 * time.Second
)

// watch shows things, and again those that changed.
func (g *getter) watch(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changed, failed := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		for _, err := range g.host.Decisions(ctx, remote.Wanted{Last: 1, Follow: true}) {
			if err != nil {
				failed <- err
				return
			}
			select {
			case changed <- struct{}{}:
			default:
			}
		}
		failed <- nil
	}()
	seen := map[string]json.RawMessage{}
	for {
		if err := g.again(ctx, seen); err != nil {
			return err
		}
		later := after(ctx, watchPeriod)
		for _, wait := range []<-chan struct{}{after(ctx, watchPause), changed} {
			select {
			case <-wait:
			case <-later:
			case err := <-failed:
				return err
			}
		}
	}
}

// after returns a channel that is closed when a time has passed.
func after(ctx context.Context, d time.Duration) <-chan struct{} {
	over, cancel := context.WithTimeout(ctx, d)
	context.AfterFunc(over, cancel)
	return over.Done()
}

// again shows what is not as it was seen last. A host that is away for a moment is waited for.
func (g *getter) again(ctx context.Context, seen map[string]json.RawMessage) error {
	items, err := g.read(ctx)
	var away *remote.UnreachableError
	if errors.As(err, &away) && len(seen) > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	var fresh []json.RawMessage
	there := map[string]bool{}
	for _, item := range items {
		name := listing.NameOf(g.kind, item)
		there[name] = true
		if !bytes.Equal(seen[name], item) {
			seen[name] = item
			fresh = append(fresh, item)
		}
	}
	var gone []string
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if !there[name] {
			delete(seen, name)
			gone = append(gone, name)
		}
	}
	if err := g.left(gone); err != nil || len(fresh) == 0 {
		return err
	}
	if g.output == listing.JSON {
		return g.stream(fresh)
	}
	return g.show(fresh)
}

// left tells which things are no longer in a watched list: they were removed, or are not wanted any more.
func (g *getter) left(names []string) error {
	if len(names) == 0 {
		return nil
	}
	var objects []json.RawMessage
	for _, name := range names {
		object, err := listing.Gone(g.kind, name)
		if err != nil {
			return err
		}
		objects = append(objects, object)
	}
	switch g.output {
	case listing.JSON:
		return g.stream(objects)
	case listing.YAML:
		return g.show(objects)
	case listing.Name: // only names of what is there go to the output
		_, err := fmt.Fprintf(g.s.Err, "no longer listed: %s\n", strings.Join(names, ", "))
		return err
	}
	w := g.s.Text()
	if _, err := fmt.Fprintf(w, "no longer listed: %s\n", strings.Join(names, ", ")); err != nil {
		return err
	}
	return w.Flush()
}

// stream writes things as JSON, one a line.
func (g *getter) stream(items []json.RawMessage) error {
	w := linesTo(g.s, listing.JSON)
	for _, item := range items {
		if _, err := fmt.Fprintf(w, "%s\n", item); err != nil {
			return err
		}
	}
	return w.Flush()
}
