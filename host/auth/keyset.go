package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/quern-project/quern/host/observe/logging"
)

// The keys of an issuer are fetched again after some time, or for a token that is signed with another key, but not often. Keys that
// could not be fetched again for long are not trusted any more.
const (
	keysAge   = 10 * time.Minute
	keysPause = 10 * time.Second
	keysLast  = 24 * time.Hour

	fetchTime = 10 * time.Second
	mostFetch = 1 << 20 // bytes
	mostKeys  = 100
)

// errNoKey says that a token is signed with a key that the issuer does not have.
var errNoKey = errors.New("the issuer has no such key")

// keySet are the keys of an issuer.
type keySet struct {
	issuer string
	client *http.Client
	log    *slog.Logger
	now    func() time.Time

	trouble logging.Trouble // with fetching

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	fetched time.Time     // keys
	tried   time.Time     // to fetch them
	running chan struct{} // closed when the fetch that runs is over; nil: none runs
}

func newKeySet(issuer string, log *slog.Logger, now func() time.Time) *keySet {
	client := &http.Client{Timeout: fetchTime, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > 3 || !safeURL(r.URL) {
			return errors.New("the redirection is not followed")
		}
		return nil
	}}
	return &keySet{issuer: issuer, client: client, log: log, now: now}
}

// safeURL reports whether the answers of an address cannot be changed on the way.
func safeURL(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && ip != nil && ip.IsLoopback())
}

// find returns the keys that may have signed a token.
func (s *keySet) find(ctx context.Context, id, algorithm string) ([]jose.JSONWebKey, error) {
	found, wait := s.known(id, algorithm)
	if len(found) == 0 && wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		found, _ = s.known(id, algorithm)
	}
	if len(found) == 0 {
		return nil, errNoKey
	}
	return found, nil
}

// known returns the keys that fit and, where it pays to wait for others, a channel that is closed once they are there.
func (s *keySet) known(id, algorithm string) (found []jose.JSONWebKey, wait <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if now.Sub(s.fetched) < keysLast {
		for _, k := range s.keys {
			if (id == "" || k.KeyID == id) && (k.Algorithm == "" || k.Algorithm == algorithm) {
				found = append(found, k)
			}
		}
	}
	due := len(found) == 0 || now.Sub(s.fetched) >= keysAge
	if due && s.running == nil && now.Sub(s.tried) >= keysPause {
		s.tried, s.running = now, make(chan struct{})
		go s.fetch(s.running)
	}
	return found, s.running
}

// fetch gets the keys again.
func (s *keySet) fetch(over chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
	defer cancel()
	keys, err := s.load(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.keys, s.fetched = keys, s.now()
	}
	s.trouble.Report(s.log, err, "the keys of the issuer cannot be fetched", "the keys of the issuer can be fetched again", "issuer", s.issuer)
	s.running = nil
	close(over)
}

// load asks the issuer where its keys are, and for these.
func (s *keySet) load(ctx context.Context) (list []jose.JSONWebKey, err error) {
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := s.get(ctx, strings.TrimSuffix(s.issuer, "/")+"/.well-known/openid-configuration", &about); err != nil {
		return nil, err
	}
	if about.Issuer != s.issuer {
		return nil, fmt.Errorf("expected the issuer %q, found %q", s.issuer, about.Issuer)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := s.get(ctx, about.Keys, &set); err != nil {
		return nil, err
	}
	for _, text := range set.Keys {
		var k jose.JSONWebKey
		if json.Unmarshal(text, &k) == nil && usable(&k) && len(list) < mostKeys { // an issuer may have keys of kinds to come
			list = append(list, k)
		}
	}
	return list, nil
}

// usable reports whether a key may sign tokens.
func usable(k *jose.JSONWebKey) bool {
	if k.Use != "" && k.Use != "sig" {
		return false
	}
	switch key := k.Key.(type) {
	case *rsa.PublicKey:
		return key.N.BitLen() >= 2048
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false
}

// get reads an object of JSON.
func (s *keySet) get(ctx context.Context, address string, into any) (err error) {
	u, err := url.Parse(address)
	if err != nil || !safeURL(u) {
		return fmt.Errorf("expected an address that begins with https://, found %q", address)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: expected status 200, found %s", address, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostFetch))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}
