package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"github.com/quern-project/quern/host/auth/authtest"
)

func sum(token string) string {
	digest := sha256.Sum256([]byte(token))
	return hex.EncodeToString(digest[:])
}

// slowSum is a cheap argon2id hash of a token.
func slowSum(token string) string {
	salt := []byte("saltsalt")
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=19$m=64,t=1,p=1$%s$%s", encode(salt), encode(argon2.IDKey([]byte(token), salt, 1, 64, 1, 32)))
}

func entry(hash, user, role string) string {
	return fmt.Sprintf("[[token]]\n%s\nuser = %q\ngroups = [\"vision\"]\nrole = %q\n", hash, user, role)
}

// known is an entry for a token.
func known(token, user, role string) string {
	return entry(fmt.Sprintf("sha256 = %q", sum(token)), user, role)
}

// file writes a token file that its owner alone may read.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func authenticator(t *testing.T, o Options, clock *authtest.Clock) *Authenticator {
	t.Helper()
	o.Log, o.Now = slog.New(slog.DiscardHandler), clock.Now
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// who is the user and the role of a request with some headers, or what is wrong with it.
func (a *Authenticator) who(headers ...string) string {
	c, err := a.Caller(context.Background(), headers, nil, "10.0.0.1")
	switch {
	case errors.Is(err, ErrUnauthenticated):
		return "nobody"
	case err != nil:
		return err.Error()
	}
	return fmt.Sprintf("%s %v %s %s", c.User, c.Groups, c.Role, c.From)
}

func TestATokenSaysWhoSendsARequest(t *testing.T) {
	text := known("swift", "ann", "submitter") + entry(fmt.Sprintf("argon2id = %q", slowSum("slow")), "bob", "admin")
	a := authenticator(t, Options{Tokens: file(t, text)}, authtest.NewClock())
	const ann, bob = "ann [vision] submitter 10.0.0.1", "bob [vision] admin 10.0.0.1"
	for _, c := range []struct {
		want    string
		headers []string
	}{
		{ann, []string{"Bearer swift"}},
		{ann, []string{"bearer  swift"}},
		{bob, []string{"Bearer slow"}},
		{bob, []string{"Bearer slow"}}, // remembered
		{"nobody", nil},
		{"nobody", []string{""}},
		{"nobody", []string{"Bearer"}},
		{"nobody", []string{"Bearer "}},
		{"nobody", []string{"Bearer swift "}},
		{"nobody", []string{"Bearer swif"}},
		{"nobody", []string{"Bearer swiftly"}},
		{"nobody", []string{"Basic swift"}},
		{"nobody", []string{"swift"}},
		{"nobody", []string{"Bearer swift", "Bearer swift"}},
		{"nobody", []string{"Bearer wrong, Bearer swift"}},
		{"nobody", []string{"Bearer " + sum("swift")}},
		{"nobody", []string{"Bearer " + strings.Repeat("a", mostHeader)}},
		{"nobody", []string{"Bearer a.b.c"}},
	} {
		if found := a.who(c.headers...); found != c.want {
			t.Errorf("%.40q: found %q, expected %q", c.headers, found, c.want)
		}
	}
}

func TestATokenFileThatOthersCanReadIsRefused(t *testing.T) {
	path := file(t, "")
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := readTokens(path); err == nil || !strings.Contains(err.Error(), "expected mode 0600, found 0"+fmt.Sprintf("%o", mode)) {
			t.Errorf("%o: found %v", mode, err)
		}
	}
}

func TestABadTokenFileIsRefusedWithThePlace(t *testing.T) {
	good := known("x", "ann", "viewer")
	for text, want := range map[string]string{
		"[[token]]\nrole = \"viewer\"\nuser = \"ann\"": "f:1: token: expected the key sha256 or argon2id",
		good + entry(`sha256 = "12"`, "ann", "viewer"): "f:7: token.sha256: expected 64 hexadecimal digits",
		good + good: "f:7: token.sha256: expected a different token",
		good + entry(`argon2id = "$argon2i$x"`, "b", "rm"):                                       "f:7: token.argon2id: expected a hash such as",
		entry(`argon2id = "$argon2id$v=19$m=999999999,t=3,p=4$c2FsdHNhbHQ$"`, "b", "rm"):         "f:2: token.argon2id",
		entry(fmt.Sprintf("sha256 = %q\nargon2id = %q", sum("y"), slowSum("y")), "ann", "admin"): "f:3: token.argon2id: expected sha256 or argon2id",
		strings.Replace(good, "ann", "an\\nn", 1):                                                "f:3: token.user: expected the name of a user",
		strings.Replace(good, "\"ann\"", "\"\"", 1):                                              "f:3: token.user",
		strings.Replace(good, "vision", " vision", 1):                                            "f:4: token.groups: expected the name of a group",
		strings.Replace(good, "viewer", "root", 1):                                               "f:5: token.role: expected viewer, submitter, operator, admin or rm, found \"root\"",
		good + "colour = 3":       "f:6: token.colour: expected one of",
		good + "Role = \"admin\"": "f:6:1: token.Role: expected each key once, in any case, found Role after role in line 5, column 1",
		"tokens = 3":              "f:1: tokens: expected one of",
		"[[token]]\nuser = ":      "f:2:",
		"[[token]]\nuser = 3":     "f:2: token.user:",
		strings.Repeat(entry(fmt.Sprintf("argon2id = %q", slowSum("z")), "a", "rm"), 17): "token.argon2id: expected at most 16 entries",
	} {
		if _, err := parseTokens("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, found %v", text, want, err)
		}
	}
}

func TestATokenFileIsReadAgainWhenItChanges(t *testing.T) {
	clock := authtest.NewClock()
	path := file(t, known("one", "ann", "viewer"))
	a := authenticator(t, Options{Tokens: path}, clock)
	change := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		clock.Pass(lookAgain)
	}
	change(known("two", "bob", "viewer"))
	if old, young := a.who("Bearer one"), a.who("Bearer two"); old != "nobody" || young != "bob [vision] viewer 10.0.0.1" {
		t.Errorf("found %q and %q", old, young)
	}
	change("[[token]]\n")
	if found := a.who("Bearer two"); found != "bob [vision] viewer 10.0.0.1" {
		t.Errorf("a file that cannot be used changed something: %q", found)
	}
	change("")
	if found := a.who("Bearer two"); found != "nobody" {
		t.Errorf("found %q", found)
	}
}

func FuzzTokenFile(f *testing.F) {
	f.Add([]byte(entry(`sha256 = "`+sum("x")+`"`, "ann", "viewer")))
	f.Add([]byte("[[token]]\nargon2id = \"$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA\"\nuser='a'\nrole='rm'"))
	f.Add([]byte("token = 3"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseTokens("f", text)
		if (s == nil) != (err != nil) {
			t.Fatalf("found %v and %v", s, err)
		}
		if err != nil {
			return
		}
		for _, c := range s.quickly {
			if !validName(c.User) || c.Role == Anyone {
				t.Fatalf("found %+v", c)
			}
		}
	})
}

func FuzzAuthorization(f *testing.F) {
	for _, header := range []string{"Bearer swift", "bearer a.b.c", "Basic x", "Bearer ", "Bearer a,b"} {
		f.Add(header)
	}
	tokens, err := parseTokens("f", []byte(known("swift", "ann", "viewer")))
	if err != nil {
		f.Fatal(err)
	}
	a := &Authenticator{tokens: &reloading[*tokenSet]{now: authtest.NewClock().Now, value: tokens}}
	a.tokens.looked = a.tokens.now()
	f.Fuzz(func(t *testing.T, header string) {
		c, err := a.Caller(context.Background(), []string{header}, nil, "")
		if err == nil && (c.User != "ann" || !strings.HasSuffix(header, " swift")) {
			t.Fatalf("%q is %+v", header, c)
		}
	})
}
