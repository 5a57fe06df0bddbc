package errtext_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/errtext"
)

func TestErrorsOfFilesNameTheFileOnce(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Open(filepath.Join(dir, "none"))
	_, folder := os.ReadFile(dir)
	_, below := os.Open(filepath.Join(file, "below"))
	_, long := os.Open(strings.Repeat("x", 300))
	renamed := os.Rename(filepath.Join(dir, "none"), filepath.Join(dir, "new"))
	var full error
	if f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		_, full = f.WriteString("x")
		_ = f.Close() // nothing was written
	}
	for want, err := range map[string]error{
		dir + "/none: no such file or directory":                                               missing,
		"--config: " + dir + "/none: no such file or directory":                                fmt.Errorf("--config: %w", missing),
		"--data: " + dir + "/none: no such file or directory; try another":                     fmt.Errorf("--data: %s: %w; try another", dir+"/none", missing),
		dir + ": expected a file, found a folder":                                              folder,
		file + "/below: a part of this path is a file, not a folder":                           below,
		strings.Repeat("x", 300) + ": the name is too long":                                    long,
		dir + "/new: no such file or directory":                                                renamed,
		dir + "/none: no such file or directory\n" + dir + ": expected a file, found a folder": errors.Join(missing, folder),
		"other: words": errors.New("other: words"),
	} {
		if found := errtext.Text(err); found != want {
			t.Errorf("expected %q, found %q", want, found)
		}
	}
	if full != nil && errtext.Text(full) != "/dev/full: no space left on device" {
		t.Errorf("found %q", errtext.Text(full))
	}
	if found := errtext.Text(nil); found != "" {
		t.Errorf("found %q for no error", found)
	}
}

func TestErrorsOfTheNetworkSayWhatIsWrongAtWhichAddress(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_, used := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	_ = listener.Close()
	_, refused := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	_, elsewhere := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "203.0.113.7:0")
	past, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, late := (&net.Dialer{}).DialContext(past, "tcp", address)
	for _, c := range []struct {
		err  error
		want string
	}{
		{used, address + ": another program uses this address"},
		{refused, address + ": connection refused: no program listens at this address"},
		{elsewhere, "203.0.113.7:0: this machine does not have this address"},
		{late, address + ": the machine did not answer in time"},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Name: "nohost.invalid", IsNotFound: true}}, `the name "nohost.invalid" is unknown: no address was found for it`},
		{fmt.Errorf("--otlp: %w", &net.DNSError{Name: "x", IsTimeout: true}), `--otlp: the name server did not answer in time for "x"`},
	} {
		if found := errtext.Text(c.err); found != c.want {
			t.Errorf("%v: expected %q, found %q", c.err, c.want, found)
		}
	}
	if _, _, err := net.SplitHostPort("a"); errtext.Text(err) != `"a" is not a valid address: missing port in address` {
		t.Errorf("found %q", errtext.Text(err))
	}
}

// certificate returns a self-signed certificate for 127.0.0.1.
func certificate(t *testing.T, from, until time.Time, host net.IP) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "our authority"}, NotBefore: from, NotAfter: until,
		IPAddresses: []net.IP{host}, IsCA: true, BasicConstraintsValid: true, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}
}

func TestErrorsOfCertificatesSayWhyAServerIsNotTrusted(t *testing.T) {
	now, here := time.Now(), net.IPv4(127, 0, 0, 1)
	for name, c := range map[string]struct {
		certificate tls.Certificate
		trusted     bool
		want        string
	}{
		"foreign":      {certificate(t, now.Add(-time.Hour), now.Add(time.Hour), here), false, "the certificate is signed by an authority that is not trusted here (CN=our authority)"},
		"expired":      {certificate(t, now.Add(-2*time.Hour), now.Add(-time.Hour), here), true, "the certificate expired at " + now.Add(-time.Hour).UTC().Format("2006-01-02T15")},
		"too early":    {certificate(t, now.Add(time.Hour), now.Add(2*time.Hour), here), true, "the certificate is valid only from " + now.Add(time.Hour).UTC().Format("2006-01-02T15")},
		"another host": {certificate(t, now.Add(-time.Hour), now.Add(time.Hour), net.IPv4(10, 0, 0, 1)), true, `the certificate is not for "127.0.0.1"; it names 10.0.0.1`},
	} {
		server := httptest.NewUnstartedServer(nil)
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // the clients hang up
		server.TLS = &tls.Config{Certificates: []tls.Certificate{c.certificate}}
		server.StartTLS()
		pool := x509.NewCertPool()
		if c.trusted {
			pool.AddCert(c.certificate.Leaf)
		}
		err := ask(t, server.URL, &tls.Config{RootCAs: pool})
		server.Close()
		if found := errtext.Reason(err); !strings.HasPrefix(found, c.want) {
			t.Errorf("%s: expected %q, found %q", name, c.want, found)
		}
	}
}

func TestAServerWithoutTLSAndOneThatWantsACertificateAreNamed(t *testing.T) {
	plain := httptest.NewServer(nil)
	defer plain.Close()
	if found := errtext.Reason(ask(t, strings.Replace(plain.URL, "http:", "https:", 1), nil)); !strings.Contains(found, "does not use TLS") {
		t.Errorf("found %q", found)
	}
	strict := httptest.NewUnstartedServer(nil)
	strict.Config.ErrorLog = log.New(io.Discard, "", 0) // the client is refused
	strict.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert}
	strict.StartTLS()
	defer strict.Close()
	pool := x509.NewCertPool()
	pool.AddCert(strict.Certificate())
	if found := errtext.Reason(ask(t, strict.URL, &tls.Config{RootCAs: pool})); !strings.Contains(found, "requires a client certificate") {
		t.Errorf("found %q", found)
	}
}

// ask sends a request, and returns its error.
func ask(t *testing.T, url string, c *tls.Config) error {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: c}}).Do(r)
	if err == nil {
		_ = response.Body.Close() // only the error matters
		t.Fatal("expected an error")
	}
	return err
}
