package program

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth/authtest"
)

func TestTheTokenOfAFileSaysWhoAsks(t *testing.T) {
	authority, dir := authtest.NewAuthority(t), folder(t, map[string]string{"viewer": "viewer\n", "operator": "operator\n", "wrong": "wrong\n"})
	t.Setenv("XDG_CONFIG_HOME", dir)
	certificate, key := authtest.WritePair(t, dir, authority.Server())
	ca := authority.Write(dir, "ca.pem")
	h := hostedWith(t, "--ephemeral", "--tls-cert", certificate, "--tls-key", key, "--tokens", authtest.Tokens(t, "viewer", "operator"))
	server := "https://" + h.http
	with := func(token string, args ...string) result {
		return quern(`{"type":"node.add","id":"n1","capacity":{"vcore":1}}`, append(args, "--server", server, "--ca", ca, "--token-file", token)...)
	}
	with("operator", "submit", "-").want(t, cli.Succeeded, "node.accepted", "")
	with("viewer", "get", "nodes").want(t, cli.Succeeded, "n1", "")
	with("viewer", "drain", "n1").want(t, cli.Failed, "", "Use the token of a user who has that role")
	with("wrong", "get", "nodes").want(t, cli.Failed, "", "Give the file of a token that the host knows")
	quern("", "get", "nodes", "--server", server, "--ca", ca).want(t, cli.Failed, "", "--token-file")
	quern("", "get", "nodes", "--server", server, "--token-file", "viewer").want(t, cli.Failed, "", "certificate with --ca")
	quern("", "context", "add", "there", "--server", server, "--ca", "ca.pem", "--token-file", "viewer").want(t, cli.Succeeded, "", "")
	if err := os.Mkdir("elsewhere", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir("elsewhere")
	quern("", "get", "nodes", "-o", "name").want(t, cli.Succeeded, "n1\n", "")
	if found := completed(t, "drain", ""); found != "n1" {
		t.Errorf("found %q", found)
	}
	h.end()
}

func TestACertificateSaysWhoAsks(t *testing.T) {
	authority, dir := authtest.NewAuthority(t), folder(t, map[string]string{"quern.toml": "[roles.users]\nann = \"operator\"\n"})
	t.Setenv("XDG_CONFIG_HOME", dir)
	certificate, key := authtest.WritePair(t, t.TempDir(), authority.Server())
	own, ownKey := authtest.WritePair(t, dir, authority.Client(time.Now().Add(time.Hour), "ann"))
	ca := authority.Write(dir, "ca.pem")
	h := hostedWith(t, "--ephemeral", "--tls-cert", certificate, "--tls-key", key, "--client-ca", ca)
	server := "https://" + h.http
	with := func(args ...string) result {
		return quern(`{"type":"node.add","id":"n1","capacity":{"vcore":1}}`, append(args, "--server", server, "--ca", ca)...)
	}
	with("submit", "-", "--cert", own, "--cert-key", ownKey).want(t, cli.Succeeded, "node.accepted", "")
	with("get", "nodes").want(t, cli.Failed, "", "--cert")
	with("get", "nodes", "--cert", own).want(t, cli.BadInput, "", "--cert: expected a key beside it (--cert-key)")
	with("get", "nodes", "--cert-key", ownKey).want(t, cli.BadInput, "", "--cert-key: expected a certificate beside it (--cert)")
	with("get", "nodes", "--cert", ca, "--cert-key", ownKey).want(t, cli.BadInput, "", "--cert: ")
	quern("", "get", "nodes", "--server", "http://"+h.http, "--cert", own, "--cert-key", ownKey).want(t, cli.BadInput, "", "expected https://")
	quern("", "context", "add", "there", "--server", server, "--ca", ca, "--cert", filepath.Base(own), "--cert-key", filepath.Base(ownKey)).want(t, cli.Succeeded, "", "")
	if err := os.Mkdir("elsewhere", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir("elsewhere")
	quern("", "get", "nodes", "-o", "name").want(t, cli.Succeeded, "n1\n", "")
	h.end()
}
