package auth

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Issuer says whose JSON Web Tokens are taken.
type Issuer struct {
	URL      string
	Audience string
	// UserClaim is the claim that names the user.
	UserClaim string
}

// skew is how far the clocks of an issuer and of this host may be apart.
const skew = 30 * time.Second

// algorithms that tokens may be signed with: no shared secrets, and not none.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}

// issuer checks tokens.
type issuer struct {
	Issuer
	keys *keySet
	log  *slog.Logger
	now  func() time.Time
}

// newIssuer checks an issuer's address. Its keys are fetched when a token comes.
func newIssuer(i Issuer, log *slog.Logger, now func() time.Time) (*issuer, error) {
	u, err := url.Parse(i.URL)
	if err != nil || !safeURL(u) || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("--oidc-issuer: expected an address that begins with https://, found %q", i.URL)
	}
	return &issuer{Issuer: i, keys: newKeySet(i.URL, log, now), log: log, now: now}, nil
}

// verify returns the user that a token names, and the user's groups.
func (i *issuer) verify(ctx context.Context, token string) (user string, groups []string, err error) {
	user, groups, err = i.check(ctx, token)
	if err == nil {
		return user, groups, nil
	}
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	i.log.Debug("a token was refused", "reason", err)
	return "", nil, ErrUnauthenticated
}

func (i *issuer) check(ctx context.Context, token string) (user string, groups []string, err error) {
	parsed, err := jwt.ParseSigned(token, algorithms)
	if err != nil {
		return "", nil, err
	}
	if len(parsed.Headers) != 1 {
		return "", nil, fmt.Errorf("expected one signature, found %d", len(parsed.Headers))
	}
	head := parsed.Headers[0]
	keys, err := i.keys.find(ctx, head.KeyID, head.Algorithm)
	if err != nil {
		return "", nil, err
	}
	var claims jwt.Claims
	var others map[string]any
	err = errNoKey
	for _, key := range keys {
		if err = parsed.Claims(key.Key, &claims, &others); err == nil {
			break
		}
	}
	if err != nil {
		return "", nil, err
	}
	if claims.Expiry == nil {
		return "", nil, fmt.Errorf("expected the claim exp, found none")
	}
	expected := jwt.Expected{Issuer: i.URL, AnyAudience: jwt.Audience{i.Audience}, Time: i.now()}
	if err := claims.ValidateWithLeeway(expected, skew); err != nil {
		return "", nil, err
	}
	return i.names(others)
}

// names reads the user and the groups out of claims.
func (i *issuer) names(claims map[string]any) (user string, groups []string, err error) {
	user, _ = claims[i.UserClaim].(string)
	if !validName(user) {
		return "", nil, fmt.Errorf("expected the claim %s with the name of a user, found %q", i.UserClaim, user)
	}
	if i.UserClaim == "email" && claims["email_verified"] != true {
		return "", nil, fmt.Errorf("expected an e-mail address that the issuer has verified")
	}
	list, _ := claims["groups"].([]any)
	for _, g := range list {
		name, _ := g.(string)
		if !validName(name) {
			return "", nil, fmt.Errorf("expected the claim groups with names of groups, found %v", g)
		}
		groups = append(groups, name)
	}
	return user, groups, nil
}
