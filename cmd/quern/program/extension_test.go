package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/internal/await"
)

// island is a platform with one node.
type island struct {
	node   string
	turn   chan struct{} // closed once this process schedules; nil: at once
	lost   chan struct{} // closed once it does no longer
	driven chan struct{} // closed once the node is there
	stuck  *atomic.Bool
}

func (i *island) Register(flags *pflag.FlagSet) {
	flags.StringVar(&i.node, "node", "n1", "the `NAME` of the node")
}

func (i *island) Check(flags *pflag.FlagSet) error {
	if i.node == "" {
		return servecmd.Wrong(flags, "node", "expected a name, found none")
	}
	return nil
}

func (i *island) Connect(context.Context, servecmd.Surroundings) (servecmd.Connection, error) {
	if i.node == "nowhere" {
		return nil, servecmd.BadInput(errors.New("there is no such island"))
	}
	return i, nil
}

var errLost = errors.New("another process schedules now")

func (i *island) Lead(ctx context.Context, serve func(context.Context) error) error {
	if i.turn != nil {
		select {
		case <-ctx.Done():
			return nil
		case <-i.turn:
		}
	}
	leading, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { <-i.lost; cancel(errLost) }()
	err := serve(leading)
	if errors.Is(context.Cause(leading), errLost) {
		err = errors.Join(err, errLost)
	}
	return err
}

func (i *island) Alive() error {
	if i.stuck.Load() {
		return errors.New("the boat has not come")
	}
	return nil
}

func (*island) Policies(each func(bool) server.Policies) func(bool) server.Policies { return each }

func (i *island) Drive(ctx context.Context, live *server.Server) error {
	answer, err := live.Source().Submit(ctx, &server.Request{Inputs: []core.Input{{Event: &core.AddNode{ID: i.node}}}})
	if err == nil && answer.Refused {
		err = fmt.Errorf("the node was refused: %s", answer.Decisions)
	}
	if err == nil {
		err = live.View().Await(ctx, answer.Batch)
	}
	if err != nil {
		return err
	}
	close(i.driven)
	<-ctx.Done()
	return nil
}

// islands make an extension of one island.
func islands(i *island) []servecmd.Extension {
	i.lost, i.driven, i.stuck = make(chan struct{}), make(chan struct{}), &atomic.Bool{}
	return []servecmd.Extension{{Use: "island [flags]", Short: "Schedule an island", New: func() servecmd.Platform { fresh := *i; return &fresh },
		Below: func() []*cobra.Command {
			return []*cobra.Command{{Use: "name", RunE: func(cmd *cobra.Command, _ []string) error {
				_, err := io.WriteString(cmd.OutOrStdout(), "Föhr\n")
				return err
			}}}
		}}}
}

func TestAPlatformIsServedLikeAnyScheduler(t *testing.T) {
	folder(t, nil)
	i := &island{}
	h := started(t, islands(i), "island", "--node", "sylt")
	<-i.driven
	if body, response := get(t, "http://"+h.http+"/v1/nodes/sylt"); response.StatusCode != http.StatusOK {
		t.Errorf("found %s %s", response.Status, body)
	}
	if code := h.end(); code != cli.Succeeded {
		t.Errorf("exit code %d: %s", code, h.said())
	}
}

func TestAProcessThatIsNoLongerTheOneThatSchedulesEnds(t *testing.T) {
	folder(t, nil)
	i := &island{}
	h := started(t, islands(i), "island")
	<-i.driven
	close(i.lost)
	if code := h.ended(); code != cli.Failed || !strings.Contains(h.said(), errLost.Error()) {
		t.Errorf("exit code %d: %s", code, h.said())
	}
}

func TestAProcessThatWaitsForItsTurnIsReadyToTakeOver(t *testing.T) {
	folder(t, nil)
	i := &island{turn: make(chan struct{})}
	var said lines
	out, write := io.Pipe()
	code := make(chan int, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	extensions := islands(i)
	go func() {
		code <- run(ctx, []string{"island", "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--health", "127.0.0.1:0"}, cli.Streams{In: strings.NewReader(""), Out: write, Err: &said}, extensions...)
	}()
	var address []string
	await.True(t, "the address of the health checks in the log", func() bool {
		address = regexp.MustCompile(`health".* address=(127\.0\.0\.1:\d+)`).FindStringSubmatch(said.text())
		return address != nil
	})
	expect := func(path string, want int, part string) {
		t.Helper()
		if body, response := get(t, "http://"+address[1]+path); response.StatusCode != want || !strings.Contains(body, part) {
			t.Errorf("%s: found %s %s", path, response.Status, body)
		}
	}
	expect("/healthz", http.StatusOK, "ok")
	expect("/readyz", http.StatusOK, "standby")
	expect("/metrics", http.StatusForbidden, "metrics-open")
	close(i.turn)
	line := make([]byte, 256)
	n, err := out.Read(line)
	if err != nil || !strings.HasPrefix(string(line[:n]), "serving http=") {
		t.Fatalf("found %q (%v)", line[:n], err)
	}
	<-i.driven
	expect("/readyz", http.StatusOK, "ready")
	i.stuck.Store(true)
	expect("/healthz", http.StatusServiceUnavailable, "the boat has not come")
	cancel()
	if c := <-code; c != cli.Succeeded {
		t.Errorf("exit code %d: %s", c, said.text())
	}
}

func TestAPlatformRefusesSettingsAsServeDoes(t *testing.T) {
	folder(t, map[string]string{"quern.toml": "node = \"\"\n"})
	for text, args := range map[string][]string{
		"quern.toml:1: node: expected a name, found none": {"island"},
		"there is no such island":                         {"island", "--node", "nowhere"},
		"unknown flag: --demo":                            {"island", "--demo"},
		"--health: expected an address":                   {"island", "--health", "9082"},
	} {
		var said strings.Builder
		if code := run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &said}, islands(&island{})...); code != cli.BadInput || !strings.Contains(said.String(), text) {
			t.Errorf("%v: exit code %d, %s", args, code, said.String())
		}
	}
}

func TestCommandsBelowAPlatformWriteToStandardOutput(t *testing.T) {
	folder(t, nil)
	var out strings.Builder
	if code := run(t.Context(), []string{"island", "name"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard}, islands(&island{})...); code != cli.Succeeded || out.String() != "Föhr\n" {
		t.Errorf("exit code %d, %q", code, out.String())
	}
}

// lines are what a command that runs has written.
type lines struct {
	mu      sync.Mutex
	written strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.String()
}
