package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/remote"
)

// hostFlags say which live scheduler a command is about.
type hostFlags struct {
	server, tokenFile, ca, context string
}

// usualServer is where a live scheduler of this machine is.
const usualServer = "127.0.0.1:9080"

func (f *hostFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.server, "server", "", "the live scheduler (`ADDRESS`), such as https://quern.example.org (default: that of the context, else "+usualServer+")")
	flags.StringVar(&f.tokenFile, "token-file", "", "the `FILE` that holds the token to send")
	flags.StringVar(&f.ca, "ca", "", "the `FILE` of certificates that the scheduler's is signed by (default: those of the system)")
	flags.StringVar(&f.context, "context", "", "the context (`NAME`) to use, instead of the current one")
	_ = cmd.MarkFlagFilename("token-file")
	_ = cmd.MarkFlagFilename("ca")
	_ = cmd.RegisterFlagCompletionFunc("context", completeContexts)
}

// patience is how long inputs are repeated that a host cannot take at the moment.
const patience = 30 * time.Second

// dial returns the host that flags and contexts name.
func (f *hostFlags) dial() (remote.Host, error) {
	c, err := f.chosen()
	if err != nil {
		return nil, err
	}
	host, err := remote.Dial(remote.Options{Server: c.Server, TokenFile: c.TokenFile, CA: c.CA, Patience: patience})
	return host, hostError(err)
}

// chosen is the context to use: what flags say goes before what it says. The files of a context belong to its server, and go to no other.
func (f *hostFlags) chosen() (hostContext, error) {
	var c hostContext
	if f.server == "" || f.context != "" {
		kept, err := readContexts()
		if err != nil {
			return c, err
		}
		if c, err = kept.named(f.context); err != nil {
			return c, err
		}
	}
	if f.server != "" && f.server != c.Server {
		c = hostContext{Server: f.server}
	}
	if f.tokenFile != "" {
		c.TokenFile = f.tokenFile
	}
	if f.ca != "" {
		c.CA = f.ca
	}
	if c.Server == "" {
		c.Server = usualServer
	}
	return c, nil
}

// problemHints say what to do about problems, by code.
var problemHints = map[string]string{
	"busy":         "Too much is on its way to the host: try again in a moment",
	"compacted":    "Begin with a later one, or ask for the last ones with --last",
	"store_failed": "The host's disk cannot be written to; it goes on by itself when that has changed",
	"stopping":     "Try again when the host has been started again",
	"too_large":    "Cut the inputs into several files",
	"misdirected":  "Name the host by an address that it knows as its own",
}

// hostError gives an error of a host its exit code, and says what to do.
func hostError(err error) error {
	var (
		p      *remote.Problem
		away   *remote.UnreachableError
		option *remote.OptionError

		untrusted *tls.CertificateVerificationError
	)
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &option):
		return usage(fmt.Errorf("--%w", option))
	case errors.As(err, &away) && errors.As(err, &untrusted):
		return codeError{error: fmt.Errorf("the host is not trusted: %w", away), code: failed, hint: "Name the certificates that the host's is signed by with --ca, or in a context"}
	case errors.As(err, &away):
		return codeError{error: fmt.Errorf("no live scheduler answers: %w", away), code: failed, hint: "Start one with quern serve, or name another with --server or quern context use"}
	case errors.Is(err, remote.ErrNotQuern):
		return codeError{error: err, code: failed, hint: "Name a live scheduler with --server or quern context use"}
	case errors.As(err, &p):
		return codeError{error: p, code: problemExit(p.Status), hint: problemHint(p)}
	}
	return err
}

// problemExit is the exit code of a problem: 2 where the request was wrong.
func problemExit(status int) int {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return badInput
	}
	return failed
}

func problemHint(p *remote.Problem) string {
	switch p.Status {
	case http.StatusUnauthorized:
		return "Name the file of a token that the host knows with --token-file, or in a context"
	case http.StatusForbidden:
		return "Use the token of somebody who may do that"
	case http.StatusNotFound:
		if method, path, _ := strings.Cut(p.Detail, " "); method == strings.ToUpper(method) && strings.HasPrefix(path, "/") {
			return "The host is of a release that cannot do that"
		}
	}
	return problemHints[p.Code()]
}
