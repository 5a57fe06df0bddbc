package errtext

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"
	"time"
)

// certificateReason returns the plain words for an error of TLS; empty: it is none of these.
func certificateReason(err error) string {
	switch e := err.(type) {
	case *tls.CertificateVerificationError:
		if text := certificateReason(e.Err); text != "" {
			return text
		}
		return "the certificate is not trusted: " + Text(e.Err)
	case x509.UnknownAuthorityError:
		return "the certificate is signed by an authority that is not trusted here" + issuerOf(e.Cert)
	case x509.HostnameError:
		return fmt.Sprintf("the certificate is not for %q; it names %s", e.Host, namesOf(e.Certificate))
	case x509.CertificateInvalidError:
		return invalidReason(e)
	case tls.RecordHeaderError:
		return noTLS
	}
	return ""
}

const noTLS = "the server at this address does not use TLS: its address begins with http://, not https://"

func issuerOf(c *x509.Certificate) string {
	if c == nil || c.Issuer.String() == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", c.Issuer)
}

// namesOf lists the hosts that a certificate is for.
func namesOf(c *x509.Certificate) string {
	names := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no host (no subject alternative names)"
	}
	return strings.Join(names, ", ")
}

func invalidReason(e x509.CertificateInvalidError) string {
	switch c := e.Cert; {
	case e.Reason == x509.Expired && c != nil && time.Now().Before(c.NotBefore):
		return fmt.Sprintf("the certificate is valid only from %s; this machine's clock may be slow", c.NotBefore.UTC().Format(time.RFC3339))
	case e.Reason == x509.Expired && c != nil:
		return fmt.Sprintf("the certificate expired at %s", c.NotAfter.UTC().Format(time.RFC3339))
	case e.Reason == x509.IncompatibleUsage:
		return "the certificate may not be used for this purpose (extended key usage)"
	case e.Reason == x509.NotAuthorizedToSign:
		return "the certificate is signed by a certificate that is not an authority"
	}
	return "the certificate is invalid: " + strings.TrimPrefix(e.Error(), "x509: ")
}

// alertReasons are the alerts of TLS with which the other side ends a connection, by the texts of the library: their type is its own.
var alertReasons = map[string]string{
	"tls: handshake failure":              noCommonVersion,
	"tls: protocol version not supported": noCommonVersion,
	"tls: bad certificate":                notAccepted,
	"tls: unknown certificate authority":  notAccepted,
	"tls: expired certificate":            "the other side refused the certificate shown to it: it has expired",
	"tls: certificate required":           "the other side requires a client certificate, and none was shown",
}

const (
	noCommonVersion = "the other side shares no version or cipher of TLS with this one"
	notAccepted     = "the other side does not accept the certificate shown to it"
)

// alertReason returns the plain words for an alert that the other side sent.
func alertReason(err error) string {
	if text := alertReasons[err.Error()]; text != "" {
		return text
	}
	return "the other side ended TLS: " + strings.TrimPrefix(err.Error(), "tls: ")
}
