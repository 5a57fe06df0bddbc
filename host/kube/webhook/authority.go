package webhook

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"slices"
	"time"
)

// pair is a certificate with its key.
type pair struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// certificates are what a Secret holds. They are never changed once they were made.
type certificates struct {
	authorities []pair // by age, the oldest first; clients trust all of them
	serving     *pair  // nil: not made yet
}

// lifetimes say when certificates are renewed. Each is renewed when a third of its life is left.
type lifetimes struct {
	authority, serving time.Duration
	settle             time.Duration // from when a new authority is trusted until it signs: API servers learn of it meanwhile
}

var usualLifetimes = lifetimes{authority: 365 * 24 * time.Hour, serving: 90 * 24 * time.Hour, settle: time.Hour}

// backdate is how far the clocks of API servers may be behind.
const backdate = 5 * time.Minute

// next returns the certificates for a time. changed is false if they are those of c.
func (c *certificates) next(now time.Time, names []string, l lifetimes) (next *certificates, changed bool, err error) {
	next = &certificates{serving: c.serving}
	for _, a := range c.authorities {
		if now.Before(a.certificate.NotAfter) {
			next.authorities = append(next.authorities, a)
		}
	}
	changed = len(next.authorities) < len(c.authorities)
	if n := len(next.authorities); n == 0 || aged(next.authorities[n-1].certificate, now) {
		a, err := newAuthority(now, l.authority)
		if err != nil {
			return nil, false, err
		}
		next.authorities, changed = append(next.authorities, *a), true
	}
	signer := next.signer(now, l.settle)
	if c.serving == nil || !fits(c.serving.certificate, now, names, signer) {
		if next.serving, err = newServing(now, l.serving, signer, names); err != nil {
			return nil, false, err
		}
		changed = true
	}
	return next, changed, nil
}

// aged reports whether less than a third of the life of a certificate is left.
func aged(c *x509.Certificate, now time.Time) bool {
	return c.NotAfter.Sub(now) < c.NotAfter.Sub(c.NotBefore.Add(backdate))/3
}

// fits reports whether a serving certificate may stay: it is young, for these names, and of the authority that signs.
func fits(c *x509.Certificate, now time.Time, names []string, signer pair) bool {
	return !aged(c, now) && sameNames(c, names) && c.CheckSignatureFrom(signer.certificate) == nil
}

// signer is the newest authority that API servers have had time to learn of.
func (c *certificates) signer(now time.Time, settle time.Duration) pair {
	for _, a := range slices.Backward(c.authorities) {
		if !now.Before(a.certificate.NotBefore.Add(backdate + settle)) {
			return a
		}
	}
	return c.authorities[0]
}

func newAuthority(now time.Time, life time.Duration) (*pair, error) {
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Quern admission webhook authority of " + now.UTC().Format(time.RFC3339)},
		NotBefore: now.Add(-backdate), NotAfter: now.Add(life), IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	return sign(template, nil)
}

func newServing(now time.Time, life time.Duration, signer pair, names []string) (*pair, error) {
	until := now.Add(life)
	if end := signer.certificate.NotAfter; end.Before(until) {
		until = end
	}
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: names[0]},
		NotBefore: now.Add(-backdate), NotAfter: until, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	return sign(template, &signer)
}

// sign makes a key and a certificate for it; without a signer, it signs itself.
func sign(template *x509.Certificate, signer *pair) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return nil, err
	}
	if signer == nil {
		signer = &pair{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, signer.certificate, &key.PublicKey, signer.key)
	if err != nil {
		return nil, fmt.Errorf("certificate of %s: %w", template.Subject.CommonName, err)
	}
	made, err := x509.ParseCertificate(der)
	return &pair{made, key}, err
}

func sameNames(c *x509.Certificate, names []string) bool {
	for _, name := range names {
		if c.VerifyHostname(name) != nil {
			return false
		}
	}
	return len(c.DNSNames)+len(c.IPAddresses) == len(names)
}
