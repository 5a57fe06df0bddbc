package auth

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// argon is an argon2id hash.
type argon struct {
	memory, passes uint32 // KiB
	lanes          uint8
	salt, sum      []byte
}

// The bounds of what checking a hash may cost.
const (
	mostMemory = 256 << 10 // KiB
	mostPasses = 16
	mostLanes  = 16
)

var errArgon = errors.New("expected a hash such as $argon2id$v=19$m=65536,t=3,p=4$SALT$HASH, as the argon2 command prints it")

// parseArgon reads a hash in the usual form.
func parseArgon(text string) (*argon, error) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return nil, errArgon
	}
	a := &argon{}
	n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &a.memory, &a.passes, &a.lanes)
	if err != nil || n != 3 || fmt.Sprintf("m=%d,t=%d,p=%d", a.memory, a.passes, a.lanes) != parts[3] {
		return nil, errArgon
	}
	encoding := base64.RawStdEncoding.Strict()
	var errSalt, errSum error
	a.salt, errSalt = encoding.DecodeString(parts[4])
	a.sum, errSum = encoding.DecodeString(parts[5])
	switch {
	case errSalt != nil || errSum != nil || len(a.salt) < 8 || len(a.salt) > 64 || len(a.sum) < 16 || len(a.sum) > 64:
		return nil, errArgon
	case a.memory > mostMemory || a.passes < 1 || a.passes > mostPasses || a.lanes < 1 || a.lanes > mostLanes || a.memory < 8*uint32(a.lanes):
		return nil, fmt.Errorf("expected a hash with m up to %d, t from 1 to %d, p from 1 to %d and m at least 8 times p, found %s", mostMemory, mostPasses, mostLanes, parts[3])
	}
	return a, nil
}

// fits reports whether the hash is that of a token.
func (a *argon) fits(token string) bool {
	sum := argon2.IDKey([]byte(token), a.salt, a.passes, a.memory, a.lanes, uint32(len(a.sum)))
	return subtle.ConstantTimeCompare(sum, a.sum) == 1
}
