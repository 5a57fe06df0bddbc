package auth

import (
	"log/slog"
	"time"

	"github.com/quern-project/quern/host/clients"
)

// Options say how callers are known. The zero value asks for nothing.
type Options struct {
	Tokens       string // a token file; empty: none
	Issuer       Issuer // of JSON Web Tokens; none without a URL
	Certificates bool   // clients have certificates, which the TLS layer verifies
	Roles        *Roles // of users and groups that have none by a token file
	Log          *slog.Logger
	Now          func() time.Time
}

// guesses is how many tokens an address may have tried with argon2id in a second, each of which costs up to that of 16 hashes.
const guesses = 5

// New returns an authenticator, nil where the options ask for none.
func New(o Options) (*Authenticator, error) {
	if o.Tokens == "" && o.Issuer.URL == "" && !o.Certificates {
		return nil, nil
	}
	a := &Authenticator{certificates: o.Certificates, guesses: clients.NewTable(clients.Bounds{Rate: guesses}, o.Now)}
	var err error
	if o.Tokens != "" {
		read := func() (*tokenSet, error) { return readTokens(o.Tokens) }
		if a.tokens, err = newReloading([]string{o.Tokens}, read, o.Log, o.Now); err != nil {
			return nil, err
		}
	}
	if o.Issuer.URL != "" {
		if a.issuer, err = newIssuer(o.Issuer, o.Log, o.Now); err != nil {
			return nil, err
		}
	}
	a.SetRoles(o.Roles)
	return a, nil
}
