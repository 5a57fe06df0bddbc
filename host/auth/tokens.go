package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// tokenSet are the tokens of a file, as far as it has them: their hashes.
type tokenSet struct {
	quickly map[[sha256.Size]byte]*Caller
	slowly  []hashed

	mu   sync.Mutex
	seen map[[sha256.Size]byte]*Caller // of slowly: by the SHA-256 of the token that was found to fit
}

// hashed is a token that argon2id made slow to guess.
type hashed struct {
	hash   *argon
	caller *Caller
}

// The bounds of a token file. Each wrong token costs as much as all entries with argon2id.
const (
	mostTokens = 10_000
	mostSlow   = 16
)

// quick looks for a token whose SHA-256 stands in the file, or that was found to fit before. What is compared is digests: how long that
// takes says nothing of the token.
func (s *tokenSet) quick(token string) *Caller {
	digest := sha256.Sum256([]byte(token))
	found, ok := s.quickly[digest]
	if !ok {
		s.mu.Lock()
		found, ok = s.seen[digest]
		s.mu.Unlock()
	}
	if !ok {
		return nil
	}
	c := *found
	return &c
}

// slots bound how many argon2id hashes are made at a time: each takes memory and a processor.
var slots = make(chan struct{}, 2)

// slow tries the entries with argon2id.
func (s *tokenSet) slow(ctx context.Context, token string) (*Caller, error) {
	if len(s.slowly) == 0 {
		return nil, ErrUnauthenticated
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var found *Caller
	for _, h := range s.slowly { // all of them: the time does not say which one fits
		if h.hash.fits(token) {
			found = h.caller
		}
	}
	if found == nil {
		return nil, ErrUnauthenticated
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[sha256.Sum256([]byte(token))] = found
	c := *found
	return &c, nil
}

// add takes an entry in.
func (s *tokenSet) add(e *tokenEntry) *fault {
	c := &Caller{User: e.User, Groups: e.Groups}
	if !validName(e.User) {
		return &fault{"user", fmt.Sprintf("expected the name of a user, found %q", e.User)}
	}
	for _, g := range e.Groups {
		if !validName(g) {
			return &fault{"groups", fmt.Sprintf("expected the name of a group, found %q", g)}
		}
	}
	if err := c.Role.UnmarshalText([]byte(e.Role)); err != nil {
		return &fault{"role", err.Error()}
	}
	switch {
	case e.SHA256 != "" && e.Argon2id != "":
		return &fault{"argon2id", "expected sha256 or argon2id, found both"}
	case e.SHA256 != "":
		return s.addQuick(e.SHA256, c)
	case e.Argon2id != "":
		return s.addSlow(e.Argon2id, c)
	}
	return &fault{"", "expected the key sha256 or argon2id, found neither"}
}

func (s *tokenSet) addQuick(text string, c *Caller) *fault {
	sum, err := hex.DecodeString(text)
	if err != nil || len(sum) != sha256.Size {
		return &fault{"sha256", "expected 64 hexadecimal digits, as sha256sum prints them"}
	}
	digest := [sha256.Size]byte(sum)
	if _, again := s.quickly[digest]; again {
		return &fault{"sha256", "expected a different token, found the one of an earlier entry"}
	}
	s.quickly[digest] = c
	return nil
}

func (s *tokenSet) addSlow(text string, c *Caller) *fault {
	hash, err := parseArgon(text)
	switch {
	case err != nil:
		return &fault{"argon2id", err.Error()}
	case len(s.slowly) == mostSlow:
		return &fault{"argon2id", fmt.Sprintf("expected at most %d entries with argon2id, found more: each request with a wrong token tries them all", mostSlow)}
	}
	s.slowly = append(s.slowly, hashed{hash, c})
	return nil
}
