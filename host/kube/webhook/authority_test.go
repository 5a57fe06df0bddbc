package webhook

import (
	"bytes"
	"crypto/x509"
	"strings"
	"testing"
	"time"
)

var serverNames = []string{"quern-webhook.quern.svc", "127.0.0.1"}

// verify checks a serving certificate as an API server does.
func verify(c *certificates, bundle []byte, name string, at time.Time) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	_, err := c.serving.certificate.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	return err
}

// Five years of renewals, with hours for days, and checks every half hour. API servers may be an hour late in what they trust, and replicas in
// what they serve.
func TestCertificatesAreRenewedWithoutAGap(t *testing.T) {
	const step, late = 30 * time.Minute, 2 // steps
	l := lifetimes{authority: 365 * time.Hour, serving: 90 * time.Hour, settle: time.Hour}
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := &certificates{}
	var past []*certificates // of the last steps
	renewals, authorities, calm := 0, map[string]bool{}, 0
	for now := began; now.Before(began.Add(5 * 365 * time.Hour)); now = now.Add(step) {
		next, changed, err := c.next(now, serverNames, l)
		if err != nil {
			t.Fatal(err)
		}
		calm++
		if c = next; changed {
			renewals++
			calm = 0
		}
		if len(c.authorities) > 2 {
			t.Fatalf("%v: %d authorities", now, len(c.authorities))
		}
		authorities[c.authorities[0].certificate.SerialNumber.String()] = true
		past = append(past, c)
		if len(past) > late+1 {
			past = past[1:]
		}
		if calm > late && calm%10 != 0 {
			continue // each look takes milliseconds
		}
		for _, serves := range past {
			for _, trusts := range past {
				for _, name := range serverNames {
					if err := verify(serves, trusts.bundle(), name, now); err != nil {
						t.Fatalf("%v: %v", now, err)
					}
				}
			}
		}
	}
	t.Logf("%d authorities and %d renewals in five years", len(authorities), renewals)
	if len(authorities) < 7 || renewals < 30 {
		t.Error("expected an authority every 240 hours, and a certificate every 60")
	}
}

func TestAChangeOfNamesRenewsTheServingCertificateAlone(t *testing.T) {
	now := time.Now()
	first, _, err := (&certificates{}).next(now, serverNames, usualLifetimes)
	if err != nil {
		t.Fatal(err)
	}
	if same, changed, err := first.next(now, serverNames, usualLifetimes); err != nil || changed || same.serving != first.serving {
		t.Errorf("without a reason: changed %v, %v", changed, err)
	}
	second, changed, err := first.next(now, serverNames[:1], usualLifetimes)
	if err != nil || !changed || !bytes.Equal(first.bundle(), second.bundle()) {
		t.Errorf("changed %v, %v", changed, err)
	}
	if err := verify(second, first.bundle(), serverNames[1], now); err == nil {
		t.Error("the old name is valid still")
	}
}

func TestCertificatesSurviveTheSecret(t *testing.T) {
	now := time.Now()
	c, _, err := (&certificates{}).next(now, serverNames, usualLifetimes)
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err = c.next(now.Add(usualLifetimes.authority*3/4), serverNames, usualLifetimes); err != nil || len(c.authorities) != 2 {
		t.Fatal(len(c.authorities), err)
	}
	data, err := c.data()
	if err != nil {
		t.Fatal(err)
	}
	read, err := readCertificates(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := read.data()
	if err != nil {
		t.Fatal(err)
	}
	for key := range data {
		if !bytes.Equal(data[key], again[key]) {
			t.Errorf("%s: expected\n%s\nfound\n%s", key, data[key], again[key])
		}
	}
	if empty, err := readCertificates(nil); err != nil || empty.serving != nil || empty.authorities != nil {
		t.Errorf("an empty Secret: %+v, %v", empty, err)
	}
	for want, change := range map[string]func(map[string][]byte){
		"expected a certificate as PEM": func(d map[string][]byte) { d[secretAuthorities] = []byte("x") },
		"expected an authority": func(d map[string][]byte) {
			d[secretAuthorities] = append(bytes.Clone(d[secretCertificate]), d[secretKey]...)
		},
		"expected a private key": func(d map[string][]byte) { delete(d, secretKey) },
		"found another key": func(d map[string][]byte) {
			d[secretKey] = d[secretAuthorities][bytes.Index(d[secretAuthorities], []byte("-----BEGIN PRIVATE KEY")):]
		},
		"found more": func(d map[string][]byte) { d[secretKey] = append(bytes.Clone(d[secretKey]), d[secretBundle]...) },
	} {
		broken := map[string][]byte{}
		for key, value := range data {
			broken[key] = value
		}
		change(broken)
		if _, err := readCertificates(broken); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected an error with %q, found %v", want, err)
		}
	}
}

func FuzzReadCertificates(f *testing.F) {
	c, _, err := (&certificates{}).next(time.Now(), serverNames, usualLifetimes)
	if err != nil {
		f.Fatal(err)
	}
	data, err := c.data()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[secretAuthorities], data[secretCertificate], data[secretKey])
	f.Add([]byte("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, authorities, certificate, key []byte) {
		read, err := readCertificates(map[string][]byte{secretAuthorities: authorities, secretCertificate: certificate, secretKey: key})
		if err != nil {
			return
		}
		next, _, err := read.next(time.Now(), serverNames, usualLifetimes)
		if err != nil {
			t.Skip() // an authority may be of any kind
		}
		if _, err := next.data(); err != nil {
			t.Error(err)
		}
	})
}
