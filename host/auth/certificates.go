package auth

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"time"

	"github.com/quern-project/quern/host/files/safefile"
)

// Certificates are the server's own, and those of the authorities that sign its clients'.
type Certificates struct {
	pair    *reloading[*tls.Certificate]
	clients *reloading[*x509.CertPool] // nil: clients show none
}

// mostPEM is the length of a file of certificates, in bytes.
const mostPEM = 1 << 20

// NewCertificates reads certificates, and the file of client authorities unless its name is empty.
func NewCertificates(certificate, key, clients string, log *slog.Logger, now func() time.Time) (*Certificates, error) {
	c := &Certificates{}
	var err error
	if c.pair, err = newReloading([]string{certificate, key}, func() (*tls.Certificate, error) { return readPair(certificate, key) }, log, now); err != nil {
		return nil, err
	}
	if clients == "" {
		return c, nil
	}
	c.clients, err = newReloading([]string{clients}, func() (*x509.CertPool, error) { return readPool(clients) }, log, now)
	return c, err
}

func readPair(certificate, key string) (*tls.Certificate, error) {
	chain, err := safefile.Read(certificate, mostPEM)
	if err != nil {
		return nil, err
	}
	secret, err := safefile.Read(key, mostPEM)
	if err != nil {
		return nil, err
	}
	return parsePair(certificate, key, chain, secret)
}

func readPool(file string) (*x509.CertPool, error) {
	text, err := safefile.Read(file, mostPEM)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: expected certificates in PEM, found none", file)
	}
	return pool, nil
}

// TLS returns what a server needs. A client may do without a certificate, but a wrong one ends the connection. Sessions are not
// resumed: each connection is held against the authorities of its time.
func (c *Certificates) TLS() *tls.Config {
	config := func() *tls.Config {
		o := &tls.Config{MinVersion: tls.VersionTLS12, SessionTicketsDisabled: true, NextProtos: []string{"h2", "http/1.1"}}
		o.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.get(), nil }
		return o
	}
	outer := config()
	outer.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		o := config()
		if c.clients != nil {
			o.ClientAuth, o.ClientCAs = tls.VerifyClientCertIfGiven, c.clients.get()
		}
		return o, nil
	}
	return outer
}

// Names reports whether the server's certificate names a host.
func (c *Certificates) Names(host string) bool {
	leaf := c.pair.get().Leaf
	return leaf != nil && leaf.VerifyHostname(host) == nil
}
