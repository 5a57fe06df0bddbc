//go:build linux

package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const inVain = "start: expected a handshake within 700ms, found none"

// starts are programs that do not start, and what Start says.
var starts = map[string][]string{
	"hangs-at-start":    {inVain},
	"exits-at-start":    {"the process ended: exit status 3", `its last output: "no licence found"`},
	"garbage":           {"start: ", "hello, world"},
	"garbage-forever":   {"start: ", "flood flood"},
	"one-endless-line":  {"start: "},
	"another-version":   {"start: ", "incompatible API version", "Plugin version: 2, Client versions: [1]"},
	"by-tcp":            {"address: expected a unix socket in", `"tcp", "127.0.0.1:1"`},
	"socket-elsewhere":  {"address: expected a unix socket in", `"/run/other.sock"`},
	"no-socket":         {"start: "},
	"socket-of-silence": {"start: "},
	"socket-of-garbage": {"start: "},
	"sleeps":            {inVain},
	"hangs-on-manifest": {"start: expected a handshake within 2s, found none"},
	"huge-manifest":     {"start: manifest: ", "larger than max"},
	"no-manifest":       {"manifest:1:35: points: expected one of", `found "node.smile"`},
	"lies":              {"the process ended: exit status 1", "the manifest has node.score: expected a function for it, found none"},
}

func TestBadStarts(t *testing.T) {
	for role, words := range starts {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			o := acting(t, role)
			// What tells of itself has all the time it wants; the others are waited for in vain.
			switch {
			case role == "hangs-on-manifest":
				o.Start = 2 * time.Second // it does start, first
			case words[0] == inVain || strings.HasPrefix(role, "socket-of-"):
				o.Start = 700 * time.Millisecond
			}
			began := time.Now()
			p, err := Start(t.Context(), o)
			if took := time.Since(began); took > o.Start+margin {
				t.Errorf("expected a failure within %v, it took %v", o.Start+margin, took)
			}
			if err == nil {
				closeSoon(t, p)
			}
			expectError(t, err, words...)
			if err != nil && len(err.Error()) > 2000 {
				t.Errorf("expected a short error, found %d bytes", len(err.Error()))
			}
		})
	}
}

func TestConfigureIsBounded(t *testing.T) {
	o := acting(t, "refuses")
	p, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	expectError(t, p.Configure([]byte(`{"weight":2}`)), "configuration: weight: expected 3 or less, found 2")
	closeSoon(t, p)
	if p, err = Start(t.Context(), acting(t, "hangs-on-configure")); err != nil {
		t.Fatal(err)
	}
	p.running.start = 200 * time.Millisecond // it has started, for which it had all the time it wants
	expectError(t, p.Configure([]byte(`{}`)), "expected an answer within 200ms, found none")
	closeSoon(t, p)
}

func TestStart_NamesTheLimitOfSocketPaths(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("d", longestSocket))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	_, err := Start(t.Context(), acting(t, "good"))
	expectError(t, err, long, fmt.Sprintf("at most %d bytes", longestSocket), "set TMPDIR to a shorter path")
	if left, err := os.ReadDir(long); err != nil || len(left) > 0 {
		t.Errorf("expected the folder of the socket to be removed, found %v, %v", left, err)
	}
}
