package authtest

import (
	"crypto"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Issuer is an OIDC issuer on this machine.
type Issuer struct {
	URL string

	t       testing.TB
	mu      sync.Mutex
	key     crypto.Signer
	id      string
	fetches int
	down    bool
	claims  string // what it says its own address is; empty: the truth
}

// NewIssuer starts an issuer with one key.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{t: t, key: newKey(t), id: "first"}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		issuer := i.URL
		if i.claims != "" {
			issuer = i.claims
		}
		i.answer(w, map[string]string{"issuer": issuer, "jwks_uri": i.URL + "/keys"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.fetches++
		i.answer(w, map[string]any{"keys": []any{
			jose.JSONWebKey{Key: i.key.Public(), KeyID: i.id, Algorithm: "ES256", Use: "sig"},
			map[string]string{"kty": "of-a-kind-to-come", "kid": "later"},
		}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

func (i *Issuer) answer(w http.ResponseWriter, o any) {
	if i.down {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if err := json.NewEncoder(w).Encode(o); err != nil {
		i.t.Error(err)
	}
}

// Rotate has the issuer sign with another key.
func (i *Issuer) Rotate(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key, i.id = newKey(i.t), id
}

// Down has the issuer answer nothing, or answer again.
func (i *Issuer) Down(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Claim has the issuer say that it has another address.
func (i *Issuer) Claim(address string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.claims = address
}

// Fetches counts how often its keys were fetched.
func (i *Issuer) Fetches() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

// Sign signs claims with the issuer's key.
func (i *Issuer) Sign(claims map[string]any) string {
	i.t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	return SignWith(i.t, jose.SigningKey{Algorithm: jose.ES256, Key: i.key}, i.id, claims)
}

// SignWith signs claims with any key.
func SignWith(t testing.TB, key jose.SigningKey, id string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(key, (&jose.SignerOptions{}).WithHeader("kid", id))
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
