package servecmd

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/clients"
	"github.com/quern-project/quern/host/observe/audit"
	"github.com/quern-project/quern/host/server"
)

// security is how a service knows its callers, and bounds them.
type security struct {
	auth         *auth.Authenticator // nil: all callers may do everything
	certificates *auth.Certificates  // nil: there is no TLS
	clients      *clients.Table
	origins      *web.Origins
	insecure     bool
	connections  atomic.Int64 // at a time
	audit        *audit.Log   // nil: there is none
	log          *slog.Logger
}

// connect has so many connections be open at a time from now on, as far as the process may.
func (s *security) connect(most int) {
	may := web.Connections(most)
	if may < most {
		s.log.Warn("the limit on open files is too low for that many connections: fewer are allowed", "wanted", most, "connections", may)
	}
	s.connections.Store(int64(may))
}

// listen listens on the address of a flag.
func (s *security) listen(ctx context.Context, flag, address string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("%s: %w; try another address, or port 0 for any free port", flag, err))
	}
	return web.Bound(listener, func() int { return int(s.connections.Load()) }), nil
}

// applied is what is told of requests that change something; nil: nothing is.
func (s *security) applied() func(*server.Request, *server.Answer, error) {
	if s.audit == nil {
		return nil
	}
	return s.audit.Applied
}

// changed is what is told of requests that change the host itself; nil: nothing is.
func (s *security) changed() rest.Changed {
	if s.audit == nil {
		return nil
	}
	return s.audit.Changed
}

// refused is what is told of requests that were refused; nil: nothing is.
func (s *security) refused() func(c *auth.Caller, what, why string) {
	if s.audit == nil {
		return nil
	}
	return func(c *auth.Caller, what, why string) {
		s.audit.Refused(&server.Actor{User: c.User, Groups: c.Groups, From: c.From}, what, why)
	}
}

// Close ends the audit log.
func (s *security) Close() error {
	if s.audit == nil {
		return nil
	}
	return s.audit.Close()
}

// thisMachine reports whether only this machine reaches a host.
func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || ip != nil && ip.IsLoopback()
}

// guard stands before the routes that are served on an address.
func (s *security) guard(address string) *web.Guard {
	return &web.Guard{Auth: s.auth, Hosts: s.hosts(address), Origins: s.origins, Clients: s.clients, Refused: s.refused()}
}

// hosts are the names of a host that is served on an address, beside those of this machine. A page of another site may have its own name
// lead here, and then ask as if it were ours: names are those of the certificate, and of the flag. Addresses cannot be made to lead
// elsewhere. With authentication but without TLS, a proxy stands before the host, whose names it does not know; such a page has no token.
func (s *security) hosts(address string) func(name string) bool {
	own, _, _ := net.SplitHostPort(address)
	own = strings.ToLower(strings.TrimSuffix(own, ".")) // as a guard names hosts
	return func(name string) bool {
		switch {
		case s.certificates != nil && s.certificates.Names(name), name == own && own != "":
			return true
		case net.ParseIP(name) != nil:
			return !thisMachine(own)
		}
		return s.certificates == nil && s.auth != nil
	}
}

// tls is what a listener needs to serve TLS; nil: there is none.
func (s *security) tls() *tls.Config {
	if s.certificates == nil {
		return nil
	}
	return s.certificates.TLS()
}
