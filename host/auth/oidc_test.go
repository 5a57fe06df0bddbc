package auth

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/quern-project/quern/host/auth/authtest"
)

// rolesOf reads the roles of a text of settings.
func rolesOf(t *testing.T, text string) *Roles {
	t.Helper()
	r, err := ParseRoles("quern.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// issuing is an issuer, and who knows callers by its tokens, of which a claim names the user.
func issuing(t *testing.T, claim string, roles *Roles) (*authtest.Issuer, *authtest.Clock, *Authenticator) {
	t.Helper()
	i, clock := authtest.NewIssuer(t), authtest.NewClock()
	return i, clock, authenticator(t, Options{Issuer: Issuer{URL: i.URL, Audience: "quern", UserClaim: claim}, Roles: roles}, clock)
}

const someRoles = "grace = '1s'\n[roles.users]\nann = 'operator'\n'eve@x.org' = 'viewer'\n[roles.groups]\nvision = 'submitter'\nops = 'rm'\n"

// claims of ann that are valid, with some changed; nil removes one.
func claims(i *authtest.Issuer, clock *authtest.Clock, changes map[string]any) map[string]any {
	now := clock.Now()
	all := map[string]any{"iss": i.URL, "aud": "quern", "sub": "ann", "groups": []string{"vision"}, "exp": now.Add(time.Minute).Unix(), "iat": now.Unix(), "nbf": now.Unix()}
	for k, v := range changes {
		all[k] = v
		if v == nil {
			delete(all, k)
		}
	}
	return all
}

func TestATokenOfTheIssuerSaysWhoSendsARequest(t *testing.T) {
	i, clock, a := issuing(t, "sub", rolesOf(t, someRoles))
	at := func(d time.Duration) int64 { return clock.Now().Add(d).Unix() }
	for name, c := range map[string]struct {
		changes map[string]any
		want    string
	}{
		"a good one":               {nil, "ann [vision] operator 10.0.0.1"},
		"a role by group":          {map[string]any{"sub": "bob"}, "bob [vision] submitter 10.0.0.1"},
		"the group that may most":  {map[string]any{"sub": "bob", "groups": []string{"vision", "ops"}}, "bob [vision ops] rm 10.0.0.1"},
		"no role":                  {map[string]any{"sub": "eva", "groups": nil}, "eva [] none 10.0.0.1"},
		"several audiences":        {map[string]any{"aud": []string{"other", "quern"}}, "ann [vision] operator 10.0.0.1"},
		"a clock that is behind":   {map[string]any{"nbf": at(20 * time.Second), "iat": at(20 * time.Second)}, "ann [vision] operator 10.0.0.1"},
		"just expired":             {map[string]any{"exp": at(-20 * time.Second)}, "ann [vision] operator 10.0.0.1"},
		"expired":                  {map[string]any{"exp": at(-40 * time.Second)}, "nobody"},
		"without an end":           {map[string]any{"exp": nil}, "nobody"},
		"not valid yet":            {map[string]any{"nbf": at(time.Minute)}, "nobody"},
		"of the future":            {map[string]any{"iat": at(time.Minute)}, "nobody"},
		"another audience":         {map[string]any{"aud": "other"}, "nobody"},
		"no audience":              {map[string]any{"aud": nil}, "nobody"},
		"another issuer":           {map[string]any{"iss": "https://elsewhere.example"}, "nobody"},
		"no issuer":                {map[string]any{"iss": nil}, "nobody"},
		"no user":                  {map[string]any{"sub": nil}, "nobody"},
		"a user that is no name":   {map[string]any{"sub": "ann\n"}, "nobody"},
		"groups that are no names": {map[string]any{"groups": []any{3}}, "nobody"},
	} {
		if found := a.who("Bearer " + i.Sign(claims(i, clock, c.changes))); found != c.want {
			t.Errorf("%s: found %q, expected %q", name, found, c.want)
		}
	}
	if n := i.Fetches(); n != 1 {
		t.Errorf("the keys were fetched %d times", n)
	}
}

// unsigned is a token of an algorithm that has no signature.
func unsigned(t *testing.T, claims map[string]any) string {
	t.Helper()
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"none","kid":"first"}`)) + "." + encode(body) + "."
}

func TestForgedTokensAreRefused(t *testing.T) {
	i, clock, a := issuing(t, "sub", nil)
	good := i.Sign(claims(i, clock, nil))
	if found := a.who("Bearer " + good); found != "ann [vision] none 10.0.0.1" {
		t.Fatalf("found %q", found)
	}
	other := authtest.NewIssuer(t)
	parts := strings.Split(good, ".")
	payload := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(decoded(t, parts[1])), "ann", "eve", 1)))
	for name, token := range map[string]string{
		"none":             unsigned(t, claims(i, clock, nil)),
		"a shared secret":  authtest.SignWith(t, jose.SigningKey{Algorithm: jose.HS256, Key: []byte(strings.Repeat("k", 32))}, "first", claims(i, clock, nil)),
		"another's key":    other.Sign(claims(i, clock, nil)),
		"another user":     parts[0] + "." + payload + "." + parts[2],
		"no signature":     parts[0] + "." + parts[1] + ".",
		"another one's":    parts[0] + "." + parts[1] + "." + strings.Split(other.Sign(claims(i, clock, nil)), ".")[2],
		"four parts":       good + ".x",
		"empty parts":      "..",
		"no base64":        "!.!.!",
		"a part too few":   parts[0] + "." + parts[1],
		"an open bracket":  base64.RawURLEncoding.EncodeToString([]byte("{")) + "." + parts[1] + "." + parts[2],
		"encrypted to us?": "a.b.c.d.e",
	} {
		if found := a.who("Bearer " + token); found != "nobody" {
			t.Errorf("%s: found %q", name, found)
		}
	}
}

func decoded(t *testing.T, part string) []byte {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestKeysOfTheIssuerRotate(t *testing.T) {
	i, clock, a := issuing(t, "sub", nil)
	expect := func(want, token string) {
		t.Helper()
		if found := strings.Fields(a.who("Bearer " + token))[0]; found != want {
			t.Errorf("found %q, expected %q", found, want)
		}
	}
	i.Down(true)
	expect("nobody", i.Sign(claims(i, clock, nil)))
	i.Down(false)
	expect("nobody", i.Sign(claims(i, clock, nil))) // the issuer is not asked again so soon
	clock.Pass(keysPause)
	first := i.Sign(claims(i, clock, map[string]any{"exp": clock.Now().Add(48 * time.Hour).Unix()}))
	expect("ann", first)
	i.Rotate("second")
	second := i.Sign(claims(i, clock, map[string]any{"exp": clock.Now().Add(48 * time.Hour).Unix()}))
	expect("nobody", second)
	for range 50 {
		expect("nobody", second)
	}
	if n := i.Fetches(); n != 1 {
		t.Errorf("wrong tokens had the keys fetched %d times", n)
	}
	clock.Pass(keysPause)
	expect("ann", second)
	expect("nobody", first)
	i.Down(true)
	clock.Pass(keysLast - time.Hour)
	expect("ann", second) // while the issuer is away, its keys are good for a day
	clock.Pass(time.Hour)
	expect("nobody", second)
}

func TestAnIssuerThatIsNotTheOneIsNotTrusted(t *testing.T) {
	i, clock, a := issuing(t, "sub", nil)
	i.Claim("https://elsewhere.example")
	if found := a.who("Bearer " + i.Sign(claims(i, clock, nil))); found != "nobody" {
		t.Errorf("found %q", found)
	}
	for _, address := range []string{"http://issuer.example", "issuer.example", "https://", "ftp://127.0.0.1", "https://x?y=z", "https://x#y", "::"} {
		if _, err := New(Options{Issuer: Issuer{URL: address, Audience: "quern"}, Log: slog.Default(), Now: clock.Now}); err == nil || !strings.Contains(err.Error(), "https://") {
			t.Errorf("%s: found %v", address, err)
		}
	}
}

func TestAClaimNamesTheUser(t *testing.T) {
	i, clock, a := issuing(t, "email", rolesOf(t, someRoles))
	for want, changes := range map[string]map[string]any{
		"eve@x.org [vision] viewer 10.0.0.1": {"email": "eve@x.org", "email_verified": true},
		"nobody":                             {"email": "eve@x.org", "email_verified": false},
	} {
		if found := a.who("Bearer " + i.Sign(claims(i, clock, changes))); found != want {
			t.Errorf("found %q, expected %q", found, want)
		}
	}
}

func TestOtherRolesHoldFromTheNextRequestOn(t *testing.T) {
	i, clock, a := issuing(t, "sub", rolesOf(t, someRoles))
	ann := "Bearer " + i.Sign(claims(i, clock, nil))
	for want, text := range map[string]string{"ann [vision] viewer 10.0.0.1": "roles.users.ann = 'viewer'", "ann [vision] submitter 10.0.0.1": "roles.groups.vision = 'submitter'", "ann [vision] none 10.0.0.1": ""} {
		a.SetRoles(rolesOf(t, text))
		if found := a.who(ann); found != want {
			t.Errorf("%s: found %q, expected %q", text, found, want)
		}
	}
	rows := rolesOf(t, someRoles).Rows()
	if len(rows) != 4 || rows["roles.users.ann"] != "operator" || rows[`roles.users."eve@x.org"`] != "viewer" || rows["roles.groups.ops"] != "rm" {
		t.Errorf("found %v", rows)
	}
}

func TestBadRolesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"[roles.users]\nann = 'root'":           "f:2:8: roles.users.ann: expected viewer, submitter, operator, admin or rm, found \"root\"",
		"[roles]\nann = 'viewer'":               "f:2: roles.ann: expected roles.users or roles.groups",
		"[roles.people]\nx = 'viewer'":          "f:1: roles.people: expected",
		"[roles.users]\n\" \" = 'rm'":           "f:2: roles.users: expected the name of a user or a group, found",
		"roles = 3":                             "f:1: roles:",
		"[roles.groups]\nann = [3]":             "f:2: roles.groups.ann:",
		"[roles.users]\nann = 'viewer'\n[roles": "f:3:6:",
	} {
		if _, err := ParseRoles("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, found %v", text, want, err)
		}
	}
}

func FuzzToken(f *testing.F) {
	i, clock := authtest.NewIssuer(f), authtest.NewClock()
	checked, err := newIssuer(Issuer{URL: i.URL, Audience: "quern", UserClaim: "sub"}, slog.New(slog.DiscardHandler), clock.Now)
	if err != nil {
		f.Fatal(err)
	}
	good := i.Sign(claims(i, clock, nil))
	f.Add(good)
	f.Add(i.Sign(claims(i, clock, map[string]any{"aud": 3})))
	f.Add("e30.e30.")
	f.Add(fmt.Sprintf("%s.%s.%s", "eyJhbGciOiJub25lIn0", "e30", ""))
	f.Fuzz(func(t *testing.T, token string) {
		user, _, err := checked.verify(t.Context(), token)
		if err == nil && user != "ann" {
			t.Fatalf("%q is %q", token, user)
		}
	})
}
