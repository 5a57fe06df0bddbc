package servecmd

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/clients"
	"github.com/quern-project/quern/host/observe/audit"
	"github.com/quern-project/quern/host/observe/logging"
)

// securityFlags say who may do what, and how much a client may take.
type securityFlags struct {
	certificate, key, clientCA string
	tokens                     string
	issuer                     auth.Issuer
	insecure                   bool
	origins                    []string
	bounds                     clients.Bounds
	connections                int
	audit                      string
}

func (f *securityFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.certificate, "tls-cert", "", "serve TLS with the certificate in this `FILE` (PEM, with its chain)")
	flags.StringVar(&f.key, "tls-key", "", "the `FILE` with the key of --tls-cert")
	flags.StringVar(&f.clientCA, "client-ca", "", "authenticate clients by certificates that an authority in this `FILE` has signed")
	flags.StringVar(&f.tokens, "tokens", "", "authenticate clients by the bearer tokens in `FILE`.toml, which must have mode 0600")
	flags.StringVar(&f.issuer.URL, "oidc-issuer", "", "authenticate clients by JSON Web Tokens of the issuer at this `ADDRESS`")
	flags.StringVar(&f.issuer.Audience, "oidc-audience", "", "the `AUDIENCE` that JSON Web Tokens must have")
	flags.StringVar(&f.issuer.UserClaim, "oidc-user-claim", "sub", "the `CLAIM` of JSON Web Tokens that names the user")
	flags.BoolVar(&f.insecure, "insecure", false, "allow other machines to connect without TLS or authentication")
	flags.StringSliceVar(&f.origins, "cors-origin", nil, "allow pages of these `ORIGINS` to use the API, such as https://board.example")
	flags.IntVar(&f.bounds.Rate, "client-rate", 1000, "at most `N` requests a second from one client; 0: no limit")
	flags.IntVar(&f.bounds.Requests, "client-requests", 256, "at most `N` concurrent requests from one client; 0: no limit")
	flags.IntVar(&f.bounds.Streams, "client-streams", 128, "at most `N` concurrent streams of one client; 0: no limit")
	flags.IntVar(&f.connections, "connections", 10_000, "at most `N` concurrent connections, for HTTP and gRPC each")
	flags.StringVar(&f.audit, "audit", "", "append a line of JSON to `FILE` for each request that changes state and for each refused request")
	for _, name := range []string{"tls-cert", "tls-key", "client-ca", "tokens", "audit"} {
		_ = cmd.MarkFlagFilename(name)
	}
}

// check refuses what does not go together.
func (f *securityFlags) check(flags *pflag.FlagSet) error {
	switch {
	case f.certificate != "" && f.key == "":
		return cli.Wrong(flags, "tls-cert", "expected --tls-key beside it, found none")
	case f.certificate == "" && f.key != "":
		return cli.Wrong(flags, "tls-key", "expected --tls-cert beside it, found none")
	case f.certificate == "" && f.clientCA != "":
		return cli.Wrong(flags, "client-ca", "expected --tls-cert and --tls-key beside it, found none")
	case f.issuer.URL != "" && f.issuer.Audience == "":
		return cli.Wrong(flags, "oidc-issuer", "expected --oidc-audience beside it, found none: without it, tokens for other services would be accepted")
	case f.issuer.URL == "" && f.issuer.Audience != "":
		return cli.Wrong(flags, "oidc-audience", "expected --oidc-issuer beside it, found none")
	case f.issuer.URL == "" && flags.Changed("oidc-user-claim"):
		return cli.Wrong(flags, "oidc-user-claim", "expected --oidc-issuer beside it, found none")
	}
	return f.checkBounds(flags)
}

// checkBounds refuses bounds that cannot be, and origins that are none.
func (f *securityFlags) checkBounds(flags *pflag.FlagSet) error {
	var all []error
	for _, b := range []struct {
		flag string
		most int
	}{{"client-rate", f.bounds.Rate}, {"client-requests", f.bounds.Requests}, {"client-streams", f.bounds.Streams}} {
		if b.most < 0 {
			all = append(all, cli.Wrong(flags, b.flag, "expected 0 or more, found %d", b.most))
		}
	}
	if f.connections < 1 {
		all = append(all, cli.Wrong(flags, "connections", "expected 1 or more, found %d", f.connections))
	}
	for _, origin := range f.origins {
		if err := web.CheckOrigin(origin); err != nil {
			all = append(all, cli.Wrong(flags, "cors-origin", "%w", err))
		}
	}
	return errors.Join(all...)
}

// checkAddress refuses an address that cannot be. One that others reach needs TLS and authentication.
func (f *securityFlags) checkAddress(flags *pflag.FlagSet, name, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return cli.Wrong(flags, name, "expected an address such as 127.0.0.1:9080, found %q", address)
	}
	known := f.tokens != "" || f.clientCA != "" || f.issuer.URL != ""
	if !thisMachine(host) && (!known || f.certificate == "") && !f.insecure {
		return cli.Wrong(flags, name, "other machines may reach %q, which needs TLS (--tls-cert, --tls-key) and authentication (--tokens, --client-ca or --oidc-issuer), or --insecure", address)
	}
	return nil
}

// open reads the files that say who may do what.
func (f *securityFlags) open(logs *logging.Logs, roles *auth.Roles) (*security, error) {
	log := logs.For(logging.HTTP)
	s := &security{insecure: f.insecure, log: log, origins: web.NewOrigins(f.origins...), clients: clients.NewTable(f.bounds, time.Now)}
	s.connect(f.connections)
	var err error
	if f.certificate != "" {
		if s.certificates, err = auth.NewCertificates(f.certificate, f.key, f.clientCA, log, time.Now); err != nil {
			return nil, cli.Usage(err)
		}
		cli.WarnOpen(log, f.key, cli.NoReads, "can read the private key, and answer in this host's name")
	}
	s.auth, err = auth.New(auth.Options{Tokens: f.tokens, Issuer: f.issuer, Certificates: f.clientCA != "", Roles: roles, Log: log, Now: time.Now})
	if err != nil {
		return nil, cli.Usage(err)
	}
	if f.audit != "" {
		if s.audit, err = audit.Open(f.audit, logs.For(logging.Audit), time.Now); err != nil {
			return nil, cli.Usage(fmt.Errorf("--audit: %w", err))
		}
	}
	s.say()
	return s, nil
}

// say tells who may do what, where that is more than operators may expect.
func (s *security) say() {
	log := s.log.With(slog.Bool("tls", s.certificates != nil), slog.Bool("authentication", s.auth != nil))
	switch {
	case s.insecure && s.auth == nil:
		log.Warn("--insecure: there is no authentication: every client that can connect may do everything")
	case s.insecure && s.certificates == nil:
		log.Warn("--insecure: there is no TLS: tokens and all other data can be read on the network")
	case s.auth == nil:
		log.Warn("there is no authentication: every user of this machine may do everything")
	}
}
