package clientcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/listing"
)

type topFlags struct {
	HostFlags
	interval time.Duration
}

// shortestInterval keeps a screen from being all that a host does.
const shortestInterval = 200 * time.Millisecond

func NewTop(s cli.Streams) *cobra.Command {
	var f topFlags
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Show a live overview of a scheduler",
		Long: `Show a live overview of a scheduler: cluster use, rates, the queues where asks wait, the asks that wait longest, and the fullest nodes.
Tab moves to the next list, q quits. If standard output is not a terminal, the overview is printed once.`,
		Example: `  quern top
  quern top --server https://quern.example.org --interval 5s`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.interval < shortestInterval {
				return cli.Misused(cmd, fmt.Errorf("--interval: expected at least %s, found %s", shortestInterval, f.interval))
			}
			return f.run(cmd.Context(), s)
		},
	}
	f.Register(cmd)
	cmd.Flags().DurationVar(&f.interval, "interval", 2*time.Second, "the `DURATION` between updates")
	return cmd
}

func (f *topFlags) run(ctx context.Context, s cli.Streams) error {
	host, err := f.Dial()
	if err != nil {
		return err
	}
	c, _, err := f.chosen()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := watchHost(ctx, host, c.Server)
	if err := w.look(ctx); err != nil {
		return HostError(err)
	}
	if !cli.Terminal(s.Out) {
		return printOnce(w, s)
	}
	return f.screen(ctx, w, s)
}

// The size of what is printed where there is no terminal.
const (
	plainWidth  = 80
	plainHeight = 60
)

func printOnce(w *watched, s cli.Streams) error {
	lines, err := w.overview.Lines(listing.OfAll, plainWidth, plainHeight, nil)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.Out, strings.Join(lines, "\n"))
	return err
}

// What a terminal is told: to show another screen without a cursor, to go back, and to begin at the top.
const (
	OpenScreen  = "\x1b[?1049h\x1b[?25l"
	CloseScreen = "\x1b[?25h\x1b[?1049l"
	topOfScreen = "\x1b[H"
	RestOfLine  = "\x1b[K"
	restOfAll   = "\x1b[J"
)

// screen draws until a key ends it.
func (f *topFlags) screen(ctx context.Context, w *watched, s cli.Streams) (err error) {
	keys, restore := readKeys(s)
	defer restore()
	if _, err := fmt.Fprint(s.Out, OpenScreen); err != nil {
		return err
	}
	defer func() {
		_, failed := fmt.Fprint(s.Out, CloseScreen)
		err = errors.Join(err, failed)
	}()
	tick := time.NewTicker(f.interval)
	defer tick.Stop()
	view := listing.OfAll
	for {
		if err := draw(w, view, s); err != nil {
			return err
		}
		select {
		case k := <-keys:
			switch k {
			case 'q', 'Q', ctrlC:
				return nil
			case '\t':
				view = (view + 1) % listing.Views
			}
		case <-tick.C:
			if err := w.look(ctx); err != nil {
				w.overview.Problem = "not up to date: " + err.Error()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

const ctrlC = 3

// readKeys has keys come one by one, if there is a terminal.
func readKeys(s cli.Streams) (keys <-chan byte, restore func()) {
	in, ok := s.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return nil, func() {}
	}
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, func() {}
	}
	typed := make(chan byte)
	go func() { // until the process ends: a terminal cannot be asked whether a key comes
		var b [1]byte
		for {
			if n, err := in.Read(b[:]); err != nil || n == 0 {
				return
			}
			typed <- b[0]
		}
	}()
	return typed, func() { _ = term.Restore(int(in.Fd()), before) }
}

// draw draws one picture.
func draw(w *watched, view listing.View, s cli.Streams) error {
	width, height := plainWidth, 24
	if out, ok := cli.Below(s.Out).(*os.File); ok {
		if columns, rows, err := term.GetSize(int(out.Fd())); err == nil && columns > 0 && rows > 0 {
			width, height = columns, rows
		}
	}
	lines, err := w.overview.Lines(view, width, height, dimmed(s.Out))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(s.Out, topOfScreen+strings.Join(lines, RestOfLine+"\r\n")+RestOfLine+restOfAll)
	return err
}
