package program

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth/authtest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestWhatOthersReachNeedsTLSAndAuthentication(t *testing.T) {
	authority := authtest.NewAuthority(t)
	dir := folder(t, map[string]string{"bad.toml": "[[token]]\nuser = 'ann'\n"})
	certificate, key := authtest.WritePair(t, dir, authority.Server())
	ca, tokens := authority.Write(dir, "ca.pem"), authtest.Tokens(t, "viewer")
	open := filepath.Join(dir, "open.toml")
	if err := os.WriteFile(open, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	secure := []string{"--tls-cert", certificate, "--tls-key", key}
	for name, c := range map[string]struct {
		args []string
		err  string
	}{
		"nothing":               {[]string{"--http", "0.0.0.0:0"}, "--http: other machines may reach"},
		"every address":         {[]string{"--http", ":0"}, "--http: other machines may reach"},
		"gRPC":                  {[]string{"--grpc", "[::]:0"}, "--grpc: other machines may reach"},
		"tokens alone":          {[]string{"--http", "0.0.0.0:0", "--tokens", tokens}, "which needs TLS"},
		"TLS alone":             {append([]string{"--http", "0.0.0.0:0"}, secure...), "and authentication"},
		"a key too few":         {[]string{"--tls-cert", certificate}, "expected --tls-key beside it"},
		"a certificate too few": {[]string{"--tls-key", key}, "expected --tls-cert beside it"},
		"clients without TLS":   {[]string{"--client-ca", ca}, "expected --tls-cert"},
		"no such key":           {[]string{"--tls-cert", certificate, "--tls-key", "nowhere"}, "nowhere"},
		"no such tokens":        {[]string{"--tokens", "nowhere"}, "nowhere"},
		"an open file":          {[]string{"--tokens", open}, "expected mode 0600, found 0644"},
		"a bad file":            {[]string{"--tokens", "bad.toml"}, "bad.toml:1: token.role: expected viewer"},
		"no audience":           {[]string{"--oidc-issuer", "https://issuer.example"}, "expected --oidc-audience"},
		"no issuer":             {[]string{"--oidc-audience", "quern"}, "expected --oidc-issuer"},
		"a claim of nobody":     {[]string{"--oidc-user-claim", "email"}, "expected --oidc-issuer"},
		"a plain issuer":        {[]string{"--oidc-issuer", "http://issuer.example", "--oidc-audience", "quern"}, "https://"},
		"an origin":             {[]string{"--cors-origin", "*"}, "--cors-origin: expected an origin"},
		"a rate":                {[]string{"--client-rate", "-1"}, "expected 0 or more"},
		"no connections":        {[]string{"--connections", "0"}, "--connections: expected 1 or more"},
	} {
		args := append([]string{"serve", "--ephemeral"}, c.args...)
		for _, flag := range []string{"--http", "--grpc"} {
			if !strings.Contains(strings.Join(args, " "), flag) {
				args = append(args, flag, "127.0.0.1:0")
			}
		}
		if r := quern("", args...); r.code != cli.BadInput || !strings.Contains(r.err, c.err) {
			t.Errorf("%s: exit code %d, %s", name, r.code, r.err)
		}
	}
}

// fetch is a GET with a token.
func fetch(t *testing.T, client *http.Client, address, token string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func TestALiveSchedulerKnowsItsCallers(t *testing.T) {
	authority, dir := authtest.NewAuthority(t), folder(t, map[string]string{"quern.toml": "[roles.users]\nann = 'viewer'\n[roles.groups]\nops = 'admin'\n"})
	certificate, key := authtest.WritePair(t, dir, authority.Server())
	h := hostedWith(t, "--ephemeral", "--tls-cert", certificate, "--tls-key", key, "--client-ca", authority.Write(dir, "ca.pem"), "--tokens", authtest.Tokens(t, "viewer", "submitter"), "--audit", "audit.jsonl")
	plain := &tls.Config{RootCAs: authority.Pool()}
	client := func(c *tls.Config) *http.Client { return &http.Client{Transport: &http.Transport{TLSClientConfig: c}} }
	known := plain.Clone()
	known.Certificates = []tls.Certificate{authority.Client(time.Now().Add(time.Hour), "ann")}
	for _, c := range []struct {
		config *tls.Config
		token  string
		want   int
	}{{plain, "", 401}, {plain, "viewer", 200}, {plain, "wrong", 401}, {known, "", 200}, {known, "wrong", 401}} {
		if status, body := fetch(t, client(c.config), "https://"+h.http+"/v1/nodes", c.token); status != c.want {
			t.Errorf("%q: found %d %s, expected %d", c.token, status, body, c.want)
		}
	}
	if status, _ := fetch(t, client(plain), "https://"+h.http+"/healthz", ""); status != 200 {
		t.Errorf("health: found %d", status)
	}
	answer, err := http.Get("http://" + h.http + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	if _ = answer.Body.Close(); answer.StatusCode != 400 {
		t.Errorf("without TLS: found %s", answer.Status)
	}
	calls := func(c *tls.Config) quernv1.SchedulerClient {
		conn, err := grpc.NewClient(h.grpc, grpc.WithTransportCredentials(credentials.NewTLS(c)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return quernv1.NewSchedulerClient(conn)
	}
	submit := func(c *tls.Config, token string) codes.Code {
		ctx := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
		_, err := calls(c).Submit(ctx, &quernv1.SubmitRequest{})
		return status.Code(err)
	}
	r, err := http.NewRequest(http.MethodPost, "https://"+h.http+"/v1/inputs", strings.NewReader(`{"type":"app.add","id":"a1","queue":"root.default"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer submitter")
	if answer, err = client(plain).Do(r); err != nil {
		t.Fatal(err)
	}
	if _ = answer.Body.Close(); answer.StatusCode != 200 {
		t.Errorf("inputs: found %s", answer.Status)
	}
	for token, want := range map[string]codes.Code{"wrong": codes.Unauthenticated, "viewer": codes.PermissionDenied, "submitter": codes.InvalidArgument} {
		if found := submit(plain, token); found != want {
			t.Errorf("%s: found %s, expected %s", token, found, want)
		}
	}
	if _, err := calls(known).Explain(context.Background(), &quernv1.ExplainRequest{}); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a certificate: found %v", err)
	}
	if code := h.end(); code != cli.Succeeded || strings.Contains(h.said(), "there is no authentication") {
		t.Errorf("exit code %d, %s", code, h.said())
	}
	lines := read(t, "audit.jsonl")
	for _, want := range []string{
		`"user":"submitter","groups":["all"],"from":"127.0.0.1","action":"applied","inputs":{"app.add":1},"ids":["a1"],"first":1,"last":1,"seq":1}`,
		`"user":"","from":"127.0.0.1","action":"refused","what":"GET /v1/nodes","why":"unauthenticated"}`,
		`"user":"viewer","groups":["all"],"from":"127.0.0.1","action":"refused","what":"/quern.v1.Scheduler/Submit","why":"permission_denied"}`,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("expected %s, found\n%s", want, lines)
		}
	}
}

func TestFolder_OpenToOthersIsSaid(t *testing.T) {
	const record, modules = "have access to the folder of the record", "may put policies in the folder"
	for mode, want := range map[os.FileMode]map[string]bool{
		0o700: {}, 0o755: {record: true}, 0o770: {record: true}, 0o777: {record: true, modules: true},
	} {
		data, dir := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "modules")
		for _, folder := range []string{data, dir} {
			if err := errors.Join(os.Mkdir(folder, 0o700), os.Chmod(folder, mode)); err != nil {
				t.Fatal(err)
			}
		}
		h := hostedWith(t, "--data", data, "--policies", dir)
		h.end()
		for _, text := range []string{record, modules} {
			if strings.Contains(h.said(), text) != want[text] {
				t.Errorf("%04o: %q is expected: %t, found %s", mode, text, want[text], h.said())
			}
		}
	}
}

func TestAStartWithoutAuthenticationSaysSo(t *testing.T) {
	for want, args := range map[string][]string{
		"there is no authentication":                      nil,
		"every client that can connect may do everything": {"--insecure", "--http", "0.0.0.0:0"},
		"tokens and all other data can be read":           {"--insecure", "--http", "0.0.0.0:0", "--tokens", authtest.Tokens(t, "viewer")},
	} {
		h := hostedWith(t, append([]string{"--ephemeral"}, args...)...)
		h.end()
		if !strings.Contains(h.said(), want) {
			t.Errorf("expected %q, found %s", want, h.said())
		}
	}
}
