package process

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/sdk/goplugin/wire"
)

// instance is one run of the program.
type instance struct {
	child    *child
	plugin   *plugin.Client
	wire     *wire.Client
	manifest []byte
	start    time.Duration
	faulty   chan struct{} // closed when an answer of it was a fault
	texts    int           // of the dictionary that it was sent
}

// open starts the program and shakes hands. Whatever goes wrong, nothing of it is left when open returns.
func open(ctx context.Context, o *Options, log *lines) (*instance, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Start)
	defer cancel()
	log.note("")
	in := &instance{child: newChild(o), start: o.Start, faulty: make(chan struct{})}
	in.plugin = plugin.NewClient(clientConfig(o, in.child, log))
	// go-plugin waits for a connection without end: killing the program is what wakes it up.
	defer context.AfterFunc(ctx, in.child.kill)()
	if err := in.shake(ctx); err != nil {
		over := ctx.Err()
		in.stop()
		err = explain(over, err, "a handshake", o.Start, in.child)
		if said := log.note(""); said != "" {
			err = fmt.Errorf("%w; its last output: %.200q", err, said)
		}
		return nil, fmt.Errorf("start: %w", err)
	}
	return in, nil
}

func clientConfig(o *Options, c *child, log *lines) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: map[int]plugin.PluginSet{wire.Version: {wire.Name: &wire.Plugin{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,
		StartTimeout:     o.Start,
		Logger:           hclog.NewNullLogger(),
		// Before the handshake, and from the runtime of a program that crashes, lines come by the pipe; else by gRPC.
		Stderr:     log.writer("info"),
		SyncStderr: log.writer("info"),
		SyncStdout: log.writer("debug"),
		RunnerFunc: func(_ hclog.Logger, given *exec.Cmd, dir string) (runner.Runner, error) {
			return c, c.prepare(given.Env, dir)
		},
		GRPCDialOptions: append(wire.DialOptions(), failAtOnce(o.Start)...),
	}
}

// failAtOnce has a connection that cannot be made fail and be freed. Without, gRPC would go on trying in the background,
// and go-plugin forgets such connections.
func failAtOnce(within time.Duration) []grpc.DialOption {
	//lint:ignore SA1019 go-plugin dials with grpc.Dial, which alone knows these
	return []grpc.DialOption{grpc.WithReturnConnectionError(), grpc.WithTimeout(within)}
}

// shake starts the program, connects to it and reads its manifest.
func (in *instance) shake(ctx context.Context) error {
	protocol, err := in.plugin.Client()
	if err != nil {
		return err
	}
	client, err := protocol.Dispense(wire.Name)
	if err != nil {
		return err
	}
	in.wire = client.(*wire.Client)
	if in.manifest, err = in.wire.Manifest(ctx); err != nil {
		if status.Code(err) == codes.DeadlineExceeded {
			return err
		}
		return fmt.Errorf("manifest: %w", short(err))
	}
	return nil
}

// configure gives the instance its parameters.
func (in *instance) configure(ctx context.Context, json []byte) error {
	ctx, cancel := context.WithTimeout(ctx, in.start)
	defer cancel()
	if err := in.wire.Configure(ctx, json); err != nil {
		return explain(ctx.Err(), err, "an answer", in.start, in.child)
	}
	return nil
}

// stop kills the program and waits until it and all that served it is gone.
func (in *instance) stop() {
	in.child.kill()
	in.plugin.Kill()
	in.child.free()
}

// explain makes an error of a call say what the program did: it let the time pass, ended, or answered badly. over is the
// error of the call's context.
func explain(over, err error, expected string, within time.Duration, c *child) error {
	// gRPC has a timer of its own, and the plugin another, which may be a little early.
	if errors.Is(over, context.DeadlineExceeded) || status.Code(err) == codes.DeadlineExceeded {
		return fmt.Errorf("expected %s within %v, found none", expected, within)
	}
	if over != nil {
		return over
	}
	if death := c.death(); death != nil {
		return fmt.Errorf("%w (%w)", death, short(err))
	}
	return short(err)
}

// short is an error that the program had a hand in, without gRPC's words around it, cut and on one line.
func short(err error) error {
	text := err.Error()
	if s, ok := status.FromError(err); ok {
		text = s.Message()
	}
	const most = 512
	if len(text) > most {
		text = text[:most] + "…"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) {
		text = strconv.Quote(text) // no escape sequence reaches a terminal
	}
	return errors.New(text)
}
