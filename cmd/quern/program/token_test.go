package program

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/clientcmd"
	"github.com/quern-project/quern/host/auth"
)

func TestANewTokenIsTaken(t *testing.T) {
	folder(t, nil)
	r := quern("", "token", "--user", "ann", "--role", "viewer", "--groups", "vision,audio")
	r.want(t, cli.Succeeded, `groups = ["vision", "audio"]`, "")
	token, entry, _ := strings.Cut(r.out, "\n\n")
	if !strings.HasPrefix(token, clientcmd.TokenPrefix) || len(token) < 40 {
		t.Errorf("found the token %q", token)
	}
	if err := auth.CheckTokens("tokens.toml", []byte(entry)); err != nil {
		t.Error(err)
	}
	for _, user := range []string{"bob", "cat"} {
		r := quern("", "token", "--user", user, "--role", "submitter", "--file", "tokens.toml")
		r.want(t, cli.Succeeded, clientcmd.TokenPrefix, "")
		if strings.Count(r.out, "\n") != 1 || strings.Contains(read(t, "tokens.toml"), strings.TrimSpace(r.out)) {
			t.Errorf("found %s", r.out)
		}
		token = strings.TrimSpace(r.out)
	}
	if info, err := os.Stat("tokens.toml"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("found %v, %v", info, err)
	}
	h := hostedWith(t, "--ephemeral", "--tokens", "tokens.toml")
	if status, body := fetch(t, http.DefaultClient, "http://"+h.http+"/v1/nodes", token); status != 200 {
		t.Errorf("found %d %s", status, body)
	}
	h.end()
}

func TestATokenThatCannotBeMade(t *testing.T) {
	folder(t, map[string]string{"other.toml": "a = 3\n"})
	for name, c := range map[string]struct {
		args []string
		err  string
	}{
		"no user":      {[]string{"--role", "viewer"}, "expected --user and --role"},
		"no role":      {[]string{"--user", "ann"}, "expected --user and --role"},
		"another role": {[]string{"--user", "ann", "--role", "root"}, "expected viewer, submitter, operator, admin or rm"},
		"no name":      {[]string{"--user", "ann\n", "--role", "rm"}, "expected the name of a user"},
		"no group":     {[]string{"--user", "ann", "--role", "rm", "--groups", " "}, "expected the name of a group"},
		"another file": {[]string{"--user", "ann", "--role", "rm", "--file", "other.toml"}, "other.toml:1: a: expected one of"},
		"no folder":    {[]string{"--user", "ann", "--role", "rm", "--file", "nowhere/x.toml"}, "--file: nowhere/x.toml: no such file or directory\n"},
	} {
		if r := quern("", append([]string{"token"}, c.args...)...); r.code != cli.BadInput || !strings.Contains(r.err, c.err) || strings.Contains(r.out, clientcmd.TokenPrefix) {
			t.Errorf("%s: exit code %d, %s%s", name, r.code, r.out, r.err)
		}
	}
	if found := read(t, "other.toml"); found != "a = 3\n" {
		t.Errorf("found %s", found)
	}
}
