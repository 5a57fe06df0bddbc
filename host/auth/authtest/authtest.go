// Package authtest makes what the tests of authentication need: authorities, certificates, issuers of tokens, and a clock.
package authtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Clock is a clock that a test sets.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at the present.
func NewClock() *Clock { return &Clock{now: time.Now()} }

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Pass has time pass.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Authority signs certificates.
type Authority struct {
	t           testing.TB
	certificate *x509.Certificate
	key         crypto.Signer
	serial      int64
}

// NewAuthority makes an authority.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{t: t, key: newKey(t), serial: 1}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.certificate = a.sign(template, template, a.key)
	return a
}

func newKey(t testing.TB) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *Authority) sign(template, parent *x509.Certificate, key crypto.Signer) *x509.Certificate {
	a.t.Helper()
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	c, err := x509.ParseCertificate(raw)
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

// issue signs a certificate for a subject that is valid until a time.
func (a *Authority) issue(subject pkix.Name, until time.Time, usage x509.ExtKeyUsage) tls.Certificate {
	a.t.Helper()
	a.serial++
	key := newKey(a.t)
	c := a.sign(&x509.Certificate{SerialNumber: big.NewInt(a.serial), Subject: subject, NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{usage}, DNSNames: []string{"localhost", "quern.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}, a.certificate, key)
	return tls.Certificate{Certificate: [][]byte{c.Raw}, PrivateKey: key, Leaf: c}
}

// Server signs a certificate for localhost, 127.0.0.1 and quern.example.
func (a *Authority) Server() tls.Certificate {
	return a.issue(pkix.Name{CommonName: "localhost"}, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)
}

// Client signs a certificate for a user and groups that is valid until a time.
func (a *Authority) Client(until time.Time, user string, groups ...string) tls.Certificate {
	return a.issue(pkix.Name{CommonName: user, Organization: groups}, until, x509.ExtKeyUsageClientAuth)
}

// Renamed signs a client certificate with several common names.
func (a *Authority) Renamed(until time.Time, users ...string) tls.Certificate {
	var subject pkix.Name
	for _, user := range users {
		subject.ExtraNames = append(subject.ExtraNames, pkix.AttributeTypeAndValue{Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: user})
	}
	return a.issue(subject, until, x509.ExtKeyUsageClientAuth)
}

// Pool is a pool of the authority alone.
func (a *Authority) Pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.certificate)
	return p
}

// Write writes the authority's certificate to a file in a folder, and returns its path.
func (a *Authority) Write(folder, name string) string {
	return write(a.t, filepath.Join(folder, name), "CERTIFICATE", a.certificate.Raw)
}

// WritePair writes a certificate and its key to files in a folder.
func WritePair(t testing.TB, folder string, c tls.Certificate) (certificate, key string) {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate = write(t, filepath.Join(folder, "tls.crt"), "CERTIFICATE", c.Certificate[0])
	return certificate, write(t, filepath.Join(folder, "tls.key"), "PRIVATE KEY", raw)
}

func write(t testing.TB, path, kind string, raw []byte) string {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
