package playground

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
)

// most is how many bytes of journal the page takes.
const most = 64 << 20

// givenPath is where a page that is opened with Fragment looks for the journal.
const givenPath = "/given.jsonl"

// Fragment is what an address ends in for the page to open with what was given.
const Fragment = "#given"

// Given is a journal that the page opens with.
type Given struct {
	name    string // of the workload, for people
	Journal []byte
}

// Give reads a workload to its end and makes one journal of it, with its configurations in it, the first of them before
// all else, and with what their first lines say, or the command line in their place. What a journal has no place for, a
// title, the page reads from a comment. A workload that cannot be read is an *stream.Error or a *journal.Error.
func Give(w *stream.Workload, times replay.Times) (*Given, error) {
	g := &Given{name: w.Name}
	out := journal.NewEncoder(g, w.Form)
	if err := errors.Join(out.Header(times.Header()), out.Flush()); err != nil {
		return nil, err
	}
	g.Journal = fmt.Appendf(g.Journal, "# title: %s\n", strings.Join(strings.Fields(w.Name), " "))
	if w.Config != nil {
		first := journal.Entry{Input: core.Input{At: w.Start, Event: w.Config}, Count: 1}
		if err := out.Entry(&first); err != nil {
			return nil, err
		}
	}
	for {
		entry, err := w.Source.Next()
		if errors.Is(err, io.EOF) {
			return g, out.Flush()
		}
		if err == nil {
			err = out.Entry(entry)
		}
		if err != nil {
			return nil, err
		}
	}
}

// Configured is a workload of a configuration alone.
func Configured(config *core.SetConfig) *stream.Workload {
	return &stream.Workload{Source: journal.Merge(), Name: config.File, Form: journal.Relative, Config: config}
}

// Write implements io.Writer, and refuses what the page would refuse.
func (g *Given) Write(p []byte) (int, error) {
	if len(g.Journal)+len(p) > most {
		return 0, &stream.Error{Err: fmt.Errorf("%s: expected a journal of at most 64 MiB as the page takes it, found more", g.name)}
	}
	g.Journal = append(g.Journal, p...)
	return len(p), nil
}

// With serves the journal beside a site, compressed where it is large and the client takes that.
func (g *Given) With(site http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", site)
	zipped := sync.OnceValue(func() []byte { return gzipped(g.Journal) })
	mux.HandleFunc("GET "+givenPath, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/jsonl")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		body := g.Journal
		if len(body) >= leastCompressed {
			w.Header().Set("Vary", "Accept-Encoding")
			if takesGzip(r.Header["Accept-Encoding"]) {
				w.Header().Set("Content-Encoding", "gzip")
				body = zipped()
			}
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
	return mux
}
