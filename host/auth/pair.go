package auth

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
)

// parsePair returns the certificate and its key. Errors name the file, what was expected in it, and what it holds.
func parsePair(certificate, key string, chain, secret []byte) (*tls.Certificate, error) {
	inChain, inSecret := blocksOf(chain), blocksOf(secret)
	isKey := func(kind string) bool { return strings.HasSuffix(kind, "PRIVATE KEY") }
	switch {
	case !slices.Contains(inChain, "CERTIFICATE"):
		return nil, fmt.Errorf("%s: expected a certificate in PEM, found %s", certificate, listOf(inChain))
	case slices.Contains(inSecret, "ENCRYPTED PRIVATE KEY"):
		return nil, fmt.Errorf("%s: expected a private key without a passphrase, found an encrypted one", key)
	case !slices.ContainsFunc(inSecret, isKey):
		return nil, fmt.Errorf("%s: expected a private key in PEM, found %s", key, listOf(inSecret))
	}
	pair, err := tls.X509KeyPair(chain, secret)
	switch {
	case err == nil:
		return &pair, nil
	case strings.Contains(err.Error(), "does not match public key"):
		return nil, fmt.Errorf("%s: expected the private key of the certificate in %s, found another key", key, certificate)
	}
	return nil, fmt.Errorf("%s, %s: not a certificate and its key: %w", certificate, key, err)
}

// blocksOf lists the kinds of the blocks in a text in PEM.
func blocksOf(text []byte) (kinds []string) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		kinds = append(kinds, block.Type)
	}
	return kinds
}

func listOf(kinds []string) string {
	if len(kinds) == 0 {
		return "nothing in PEM"
	}
	return strings.ToLower(strings.Join(slices.Compact(kinds), ", "))
}
