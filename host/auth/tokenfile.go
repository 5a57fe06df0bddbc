package auth

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
)

// tokenEntry is an entry of a token file.
type tokenEntry struct {
	SHA256   string   `toml:"sha256"`
	Argon2id string   `toml:"argon2id"`
	User     string   `toml:"user"`
	Groups   []string `toml:"groups"`
	Role     string   `toml:"role"`
}

// fault is what is wrong with an entry, at one of its keys.
type fault struct{ key, what string }

// readTokens reads a token file. Only its owner may read it, and a group of this process if root lends it to that, as Kubernetes does with Secrets.
func readTokens(path string) (*tokenSet, error) {
	f, info, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if mode := info.Mode().Perm(); mode&0o077 != 0 && (mode&0o037 != 0 || !lent(info)) {
		return nil, fmt.Errorf("%s: expected mode 0600, found %04o: others can read or change the tokens", path, mode)
	}
	text, err := io.ReadAll(io.LimitReader(f, config.MostSettings+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return parseTokens(path, text)
}

// CheckTokenFile reports what is wrong with a token file.
func CheckTokenFile(path string) error {
	_, err := readTokens(path)
	return err
}

// CheckTokens reports what is wrong with the text of a token file.
func CheckTokens(file string, text []byte) error {
	_, err := parseTokens(file, text)
	return err
}

// parseTokens reads the text of a token file. The error names everything that is wrong.
func parseTokens(file string, text []byte) (*tokenSet, error) {
	var content struct {
		Token []tokenEntry `toml:"token"`
	}
	meta, err := config.DecodeTOML(file, text, &content)
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, unknownKeys(file, text, unknown)
	}
	if len(content.Token) > mostTokens {
		return nil, fmt.Errorf("%s: token: expected at most %d tokens, found %d", file, mostTokens, len(content.Token))
	}
	s := &tokenSet{quickly: map[[sha256.Size]byte]*Caller{}, seen: map[[sha256.Size]byte]*Caller{}}
	var all []error
	for i := range content.Token {
		if bad := s.add(&content.Token[i]); bad != nil {
			line, key := placeOf(text, i, bad.key), strings.TrimSuffix("token."+bad.key, ".")
			all = append(all, fmt.Errorf("%s:%d: %s: %s", file, line, key, bad.what))
		}
	}
	if err := errors.Join(all...); err != nil {
		return nil, err
	}
	return s, nil
}

func unknownKeys(file string, text []byte, unknown []toml.Key) error {
	var all []error
	for _, key := range unknown {
		all = append(all, fmt.Errorf("%s:%d: %s: expected one of sha256, argon2id, user, groups and role in a [[token]], found something unknown", file, lineOf(text, key), key))
	}
	return errors.Join(all...)
}

// lineOf is the first line that gives a key a value.
func lineOf(text []byte, key toml.Key) (line int) {
	for l := range bytes.Lines(text) {
		line++
		if names(l, key[len(key)-1]) {
			return line
		}
	}
	return 1
}

// names reports whether a line gives a key a value.
func names(line []byte, key string) bool {
	name, _, given := bytes.Cut(line, []byte("="))
	return given && strings.Trim(string(name), " \t\"'") == key
}

var entryHead = regexp.MustCompile(`^\s*\[\[\s*["']?token["']?\s*\]\]`)

// placeOf is the line of a key of the entry with a number; without such a line, that of the entry.
func placeOf(text []byte, entry int, key string) (line int) {
	n, number := -1, 0
	for l := range bytes.Lines(text) {
		number++
		if entryHead.Match(l) {
			if n++; n == entry {
				line = number
			}
		}
		if n == entry && names(l, key) {
			return number
		}
	}
	return line
}
