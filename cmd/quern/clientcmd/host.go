package clientcmd

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/remote"
)

// HostFlags say which live scheduler a command is about.
type HostFlags struct {
	server, tokenFile, ca, cert, key, context string
}

// usualServer is where a live scheduler of this machine is.
const usualServer = "127.0.0.1:9080"

func (f *HostFlags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.server, "server", "", "the `ADDRESS` of the live scheduler, such as https://quern.example.org (default: the address in the context, else "+usualServer+")")
	flags.StringVar(&f.tokenFile, "token-file", "", "the `FILE` that holds the token to send")
	flags.StringVar(&f.ca, "ca", "", "the `FILE` with the certificates of the authority that signed the scheduler's certificate (default: the authorities of the system)")
	flags.StringVar(&f.cert, "cert", "", "the `FILE` with the certificate that says who you are, for a scheduler that asks for one (PEM)")
	flags.StringVar(&f.key, "cert-key", "", "the `FILE` with the key of --cert")
	flags.StringVar(&f.context, "context", "", "the `NAME` of the context to use instead of the current one")
	for _, file := range []string{"token-file", "ca", "cert", "cert-key"} {
		_ = cmd.MarkFlagFilename(file)
	}
	_ = cmd.RegisterFlagCompletionFunc("context", completeContexts)
}

// patience is how long inputs are repeated that a host cannot take at the moment.
const patience = 30 * time.Second

// Dial returns the host that flags and contexts name.
func (f *HostFlags) Dial() (remote.Host, error) {
	c, origins, err := f.chosen()
	if err != nil {
		return nil, err
	}
	host, err := remote.Dial(remote.Options{Server: c.Server, TokenFile: c.TokenFile, CA: c.CA, Cert: c.Cert, Key: c.Key, Origins: origins, Patience: patience})
	return host, HostError(err)
}

// chosen is the context to use, and where those of its options come from that no flag gives: what flags say goes before what it says.
// The files of a context belong to its server, and go to no other.
func (f *HostFlags) chosen() (c hostContext, origins map[string]string, err error) {
	origins = map[string]string{}
	if f.server == "" || f.context != "" {
		kept, err := readContexts()
		if err != nil {
			return c, nil, err
		}
		if c, err = kept.named(f.context); err != nil {
			return c, nil, err
		}
		name := cmp.Or(f.context, kept.Current)
		for _, option := range []string{"server", "token-file", "ca", "cert", "cert-key"} {
			origins[option] = fmt.Sprintf("context %s: %s", name, option)
		}
	}
	if f.server != "" && f.server != c.Server {
		c = hostContext{Server: f.server}
		delete(origins, "server")
	}
	if f.cert != "" || f.key != "" { // they belong together
		c.Cert, c.Key = "", ""
	}
	for _, o := range []struct {
		name, flag string
		used       *string
	}{{"token-file", f.tokenFile, &c.TokenFile}, {"ca", f.ca, &c.CA}, {"cert", f.cert, &c.Cert}, {"cert-key", f.key, &c.Key}} {
		if o.flag != "" {
			*o.used = o.flag
			delete(origins, o.name)
		}
	}
	if c.Server == "" {
		c.Server = usualServer
	}
	return c, origins, nil
}

// problemHints say what to do about problems, by code.
var problemHints = map[string]string{
	"busy":         "The host has too many requests waiting: try again in a moment",
	"compacted":    "Begin with a later decision, or print the last ones with --last",
	"store_failed": "The host cannot write to its disk; it continues by itself when it can",
	"stopping":     "Try again when the host has restarted",
	"too_large":    "Divide the inputs into several files",
	"misdirected":  "Use an address that the host knows as its own",
}

// HostError gives an error of a host its exit code, and says what to do.
func HostError(err error) error {
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
		return cli.Usage(option)
	case errors.As(err, &away) && errors.As(err, &untrusted):
		return cli.CodeError{Err: fmt.Errorf("the host is not trusted: %w", away), Code: cli.Failed, Hint: trustHint(untrusted)}
	case errors.As(err, &away) && errors.Is(err, http.ErrSchemeMismatch), errors.Is(err, remote.ErrNeedsTLS):
		return cli.CodeError{Err: err, Code: cli.Failed, Hint: "Give the address with http:// or https:// in front, with --server or in a context"}
	case errors.As(err, &away):
		return cli.CodeError{Err: fmt.Errorf("no live scheduler answers: %w", away), Code: cli.Failed, Hint: "Start one with quern serve, or choose another with --server or quern context use"}
	case errors.Is(err, remote.ErrNotQuern):
		return cli.CodeError{Err: err, Code: cli.Failed, Hint: "Choose a live scheduler with --server or quern context use"}
	case errors.As(err, &p):
		return cli.CodeError{Err: p, Code: problemExit(p.Status), Hint: problemHint(p)}
	}
	return err
}

// trustHint says what to do about a certificate that is not trusted.
func trustHint(err error) string {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
	)
	switch {
	case errors.As(err, &unknown):
		return "Give the certificates of the authority that signed the host's certificate with --ca, or in a context"
	case errors.As(err, &name):
		return "Use an address that the certificate is for"
	}
	return "The host needs another certificate (quern serve --tls-cert)"
}

// problemExit is the exit code of a problem: 2 where the request was wrong.
func problemExit(status int) int {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return cli.BadInput
	}
	return cli.Failed
}

func problemHint(p *remote.Problem) string {
	switch p.Status {
	case http.StatusUnauthorized:
		return "Give the file of a token that the host knows with --token-file, or a certificate with --cert and --cert-key, or either in a context"
	case http.StatusForbidden:
		return "Use the token of a user who has that role"
	case http.StatusNotFound:
		if method, path, _ := strings.Cut(p.Detail, " "); method == strings.ToUpper(method) && strings.HasPrefix(path, "/") {
			return "The host runs a release that cannot do that"
		}
	}
	return problemHints[p.Code()]
}
