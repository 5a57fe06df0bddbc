package auth

import (
	"encoding/pem"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/auth/authtest"
)

func TestWhatIsNoCertificateAndKeyIsNamed(t *testing.T) {
	ours, dir, other := authtest.NewAuthority(t), t.TempDir(), t.TempDir()
	certificate, key := authtest.WritePair(t, dir, ours.Server())
	_, foreign := authtest.WritePair(t, other, ours.Server())
	file := func(name, kind string) string {
		var text []byte
		if kind != "" {
			text = pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: []byte("x")})
		}
		if err := os.WriteFile(dir+"/"+name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return dir + "/" + name
	}
	empty, encrypted, broken := file("empty", ""), file("encrypted", "ENCRYPTED PRIVATE KEY"), file("broken", "CERTIFICATE")
	for want, names := range map[string][2]string{
		empty + ": expected a certificate in PEM, found nothing in PEM":                     {empty, key},
		key + ": expected a certificate in PEM, found private key":                          {key, certificate},
		certificate + ": expected a private key in PEM, found certificate":                  {certificate, certificate},
		encrypted + ": expected a private key without a passphrase, found an encrypted one": {certificate, encrypted},
		foreign + ": expected the private key of the certificate in " + certificate:         {certificate, foreign},
		broken + ", " + key + ": not a certificate and its key: ":                           {broken, key},
		dir + "/none: no such file or directory":                                            {certificate, dir + "/none"},
	} {
		if _, err := readPair(names[0], names[1]); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("expected %q, found %v", want, err)
		}
	}
	if _, err := readPair(certificate, key); err != nil {
		t.Error(err)
	}
}
