package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/spf13/pflag"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/playground"
)

// PageFlags are the flags of commands that serve pages for a browser on this machine.
type PageFlags struct {
	listen string
	quiet  bool
}

func (f *PageFlags) Register(flags *pflag.FlagSet, address string) {
	flags.StringVar(&f.listen, "listen", address, "the `ADDRESS` to listen on; port 0 is any free port")
	flags.BoolVar(&f.quiet, "no-open", false, "do not open a browser")
}

// Serve serves pages until the context ends. It prints their address and opens it, with a fragment, in the browser.
func (f *PageFlags) Serve(ctx context.Context, title, fragment string, pages http.Handler, s Streams) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return Usage(fmt.Errorf("--listen: %w; try another address, or port 0 for any free port", err))
	}
	address := AddressOf(listener) + fragment
	if _, err := fmt.Fprintf(s.Out, "%s is at %s (Ctrl-C ends it)\n", title, format.Line(address)); err != nil {
		return errors.Join(err, listener.Close())
	}
	if !f.quiet {
		if err := playground.Open(address); err != nil {
			_, _ = fmt.Fprintf(s.Err, "%v\n", err) // the address is there to be opened by hand
		}
	}
	return playground.Serve(ctx, listener, pages)
}

// AddressOf is where a browser on this machine finds a listener.
func AddressOf(l net.Listener) string {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if ip := net.ParseIP(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}
