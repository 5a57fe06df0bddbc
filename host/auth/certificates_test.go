package auth

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/auth/authtest"
)

// shake connects to a server, and says who the server finds the client to be.
func shake(t *testing.T, a *Authenticator, server *Certificates, client *tls.Config) string {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", server.TLS())
	if err != nil {
		t.Fatal(err)
	}
	found := make(chan string, 1)
	go func() {
		c, err := listener.Accept()
		if err != nil {
			found <- err.Error()
			return
		}
		defer func() { _ = c.Close() }()
		if err := c.(*tls.Conn).Handshake(); err != nil {
			found <- "refused: " + err.Error()
			return
		}
		state := c.(*tls.Conn).ConnectionState()
		caller, err := a.Caller(t.Context(), nil, &state, "")
		if err != nil {
			found <- "nobody"
			return
		}
		found <- fmt.Sprint(caller.User, " ", caller.Groups, " ", caller.Role)
	}()
	c, err := tls.Dial("tcp", listener.Addr().String(), client)
	if err == nil {
		_, _ = io.ReadAll(c) // until the server has made up its mind
		_ = c.Close()
	}
	said := <-found
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil && strings.Contains(err.Error(), "x509") {
		return "not trusted"
	}
	return said
}

func TestACertificateSaysWhoSendsARequest(t *testing.T) {
	dir, clock, log := t.TempDir(), authtest.NewClock(), slog.New(slog.DiscardHandler)
	ours, foreign := authtest.NewAuthority(t), authtest.NewAuthority(t)
	certificate, key := authtest.WritePair(t, dir, ours.Server())
	clients := ours.Write(dir, "clients.pem")
	server, err := NewCertificates(certificate, key, clients, log, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	a := authenticator(t, Options{Certificates: true, Roles: rolesOf(t, someRoles)}, clock)
	later, before := time.Now().Add(time.Hour), time.Now().Add(-time.Minute)
	show := func(c ...tls.Certificate) string {
		return shake(t, a, server, &tls.Config{RootCAs: ours.Pool(), Certificates: c, ServerName: "localhost"})
	}
	if found := show(ours.Client(later, "ann", "vision")); found != "ann [vision] operator" {
		t.Errorf("found %q", found)
	}
	if found := show(); found != "nobody" {
		t.Errorf("without a certificate: found %q", found)
	}
	if found := show(ours.Client(later, "")); found != "nobody" {
		t.Errorf("without a name: found %q", found)
	}
	for _, users := range [][]string{{"ann", "bob"}, {"bob", "ann"}, {"ann", "ann"}} {
		if found := show(ours.Renamed(later, users...)); found != "nobody" {
			t.Errorf("the common names %q: found %q", users, found)
		}
	}
	for name, c := range map[string]tls.Certificate{"expired": ours.Client(before, "ann"), "foreign": foreign.Client(later, "ann"), "a server's": ours.Server(),
		"not valid yet": ours.Client(later.Add(48*time.Hour), "ann")} {
		if name == "foreign" { // Go's client shows no certificate that the server does not ask for
			forced := c
			if found := shake(t, a, server, &tls.Config{RootCAs: ours.Pool(), ServerName: "localhost",
				GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &forced, nil }}); !strings.HasPrefix(found, "refused") {
				t.Errorf("%s: found %q", name, found)
			}
			continue
		}
		if found := show(c); !strings.HasPrefix(found, "refused") {
			t.Errorf("%s: found %q", name, found)
		}
	}
	// The files change: a foreign authority signs the server and its clients from now on.
	authtest.WritePair(t, dir, foreign.Server())
	foreign.Write(dir, "clients.pem")
	clock.Pass(time.Minute)
	if found := show(ours.Client(later, "ann")); found != "not trusted" {
		t.Errorf("with the certificate of before: found %q", found)
	}
	if found := shake(t, a, server, &tls.Config{RootCAs: foreign.Pool(), Certificates: []tls.Certificate{foreign.Client(later, "bob")}, ServerName: "localhost"}); found != "bob [] none" {
		t.Errorf("found %q", found)
	}
	if !server.Names("quern.example") || !server.Names("127.0.0.1") || server.Names("elsewhere.example") {
		t.Error("the names of the certificate are others")
	}
}

func TestCertificatesThatCannotBeUsed(t *testing.T) {
	dir, clock, log := t.TempDir(), authtest.NewClock(), slog.New(slog.DiscardHandler)
	authority := authtest.NewAuthority(t)
	certificate, key := authtest.WritePair(t, dir, authority.Server())
	for want, files := range map[string][3]string{
		"nowhere": {dir + "/nowhere", key, ""},
		"expected a certificate in PEM, found nothing in PEM": {file(t, "x"), key, ""},
		"expected certificates in PEM":                        {certificate, key, file(t, "x")},
		"expected a private key in PEM, found certificate":    {certificate, certificate, ""},
		"nothing": {certificate, key, dir + "/nothing"},
	} {
		if _, err := NewCertificates(files[0], files[1], files[2], log, clock.Now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q, found %v", want, err)
		}
	}
}

func FuzzSubject(f *testing.F) {
	authority := authtest.NewAuthority(f)
	f.Add(authority.Client(time.Now().Add(time.Hour), "ann", "vision").Certificate[0])
	f.Add(authority.Client(time.Now().Add(time.Hour), "a\x00b", "").Certificate[0])
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := x509.ParseCertificate(raw)
		if err != nil {
			c = &x509.Certificate{Subject: pkix.Name{CommonName: string(raw), Organization: []string{string(raw)}}}
		}
		user, groups, ok := subject(c)
		if ok && !validName(user) {
			t.Fatalf("found the user %q", user)
		}
		for _, g := range groups {
			if !validName(g) {
				t.Fatalf("found the group %q", g)
			}
		}
	})
}
