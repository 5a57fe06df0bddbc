package webhook

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// The keys of the Secret.
const (
	secretAuthorities = "authorities.pem" // pairs of a certificate and its key, the oldest first
	secretBundle      = "ca.crt"          // the certificates among them, for readers
	secretCertificate = "tls.crt"
	secretKey         = "tls.key"
)

// The types of PEM blocks.
const (
	blockCertificate = "CERTIFICATE"
	blockKey         = "PRIVATE KEY"
)

// data returns the content of a Secret.
func (c *certificates) data() (map[string][]byte, error) {
	var all bytes.Buffer
	for _, a := range c.authorities {
		certificate, key, err := a.pem()
		if err != nil {
			return nil, err
		}
		all.Write(certificate)
		all.Write(key)
	}
	certificate, key, err := c.serving.pem()
	return map[string][]byte{secretAuthorities: all.Bytes(), secretBundle: c.bundle(), secretCertificate: certificate, secretKey: key}, err
}

// bundle is the authorities that clients trust, as PEM.
func (c *certificates) bundle() []byte {
	var out []byte
	for _, a := range c.authorities {
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: blockCertificate, Bytes: a.certificate.Raw})...)
	}
	return out
}

func (p *pair) pem() (certificate, key []byte, err error) {
	der, err := x509.MarshalPKCS8PrivateKey(p.key)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: blockCertificate, Bytes: p.certificate.Raw}), pem.EncodeToMemory(&pem.Block{Type: blockKey, Bytes: der}), nil
}

// tls returns the serving certificate for a server.
func (c *certificates) tls() *tls.Certificate {
	return &tls.Certificate{Certificate: [][]byte{c.serving.certificate.Raw}, PrivateKey: c.serving.key, Leaf: c.serving.certificate}
}

// readCertificates reads the content of a Secret. A Secret without any has none.
func readCertificates(data map[string][]byte) (*certificates, error) {
	c := &certificates{}
	rest := data[secretAuthorities]
	for len(bytes.TrimSpace(rest)) > 0 {
		var p *pair
		var err error
		if p, rest, err = readPair(rest); err != nil {
			return nil, fmt.Errorf("%s: pair %d: %w", secretAuthorities, len(c.authorities)+1, err)
		}
		if !p.certificate.IsCA {
			return nil, fmt.Errorf("%s: pair %d: expected an authority, found another certificate", secretAuthorities, len(c.authorities)+1)
		}
		c.authorities = append(c.authorities, *p)
	}
	if len(data[secretCertificate]) == 0 && len(data[secretKey]) == 0 {
		return c, nil
	}
	both := append(append(bytes.Clone(data[secretCertificate]), '\n'), data[secretKey]...)
	p, rest, err := readPair(both)
	if err == nil && len(bytes.TrimSpace(rest)) > 0 {
		err = errors.New("expected one certificate and one key, found more")
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", secretCertificate, secretKey, err)
	}
	c.serving = p
	return c, nil
}

// readPair reads a certificate and its key from the beginning of a text.
func readPair(text []byte) (*pair, []byte, error) {
	first, rest := pem.Decode(text)
	if first == nil || first.Type != blockCertificate {
		return nil, nil, errors.New("expected a certificate as PEM")
	}
	certificate, err := x509.ParseCertificate(first.Bytes)
	if err != nil {
		return nil, nil, err
	}
	second, rest := pem.Decode(rest)
	if second == nil || second.Type != blockKey {
		return nil, nil, errors.New("expected a private key (PKCS #8) as PEM after the certificate")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(second.Bytes)
	if err != nil {
		return nil, nil, err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || !key.PublicKey.Equal(certificate.PublicKey) {
		return nil, nil, errors.New("expected the ECDSA key of the certificate, found another key")
	}
	return &pair{certificate, key}, rest, nil
}
