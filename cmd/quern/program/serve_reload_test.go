package program

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth/authtest"
	"github.com/quern-project/quern/host/observe/metrics"
	"github.com/quern-project/quern/internal/await"
)

// putSettings puts a text in the place of quern.toml, as editors do.
func putSettings(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile("new.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("new.toml", cli.SettingsFile); err != nil {
		t.Fatal(err)
	}
}

// httpCaller asks a host.
type httpCaller struct {
	*testing.T
	client  *http.Client
	address string
	token   string // empty: none
}

// as is the caller with another token.
func (c httpCaller) as(token string) httpCaller {
	c.token = token
	return c
}

// ask sends a request with headers.
func (c httpCaller) ask(method, path string, headers ...string) (status int, header http.Header, body string) {
	c.Helper()
	r, err := http.NewRequest(method, c.address+path, nil)
	if err != nil {
		c.Fatal(err)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := c.client.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		c.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

// put sends a body.
func (c httpCaller) put(path, body string) (status int) {
	c.Helper()
	r, err := http.NewRequest(http.MethodPut, c.address+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.client.Do(r)
	if err != nil || answer.Body.Close() != nil {
		c.Fatal(err)
	}
	return answer.StatusCode
}

// settings asks how the settings of the host stand.
func (c httpCaller) settings() metrics.Settings {
	c.Helper()
	_, _, body := c.ask(http.MethodGet, "/v1/stats")
	var stats struct{ Settings metrics.Settings }
	if err := json.Unmarshal([]byte(body), &stats); err != nil {
		c.Fatalf("%s: %v", body, err)
	}
	return stats.Settings
}

// reread puts a text in the place of quern.toml, and waits until the host has read it.
func (c httpCaller) reread(text string) (s metrics.Settings) {
	c.Helper()
	before := c.settings().Read
	putSettings(c.T, text)
	await.True(c.T, "that the settings are read", func() bool {
		s = c.settings()
		return s.Read.After(before)
	})
	return s
}

func TestSettingsThatChangeTakeEffectWhileItServes(t *testing.T) {
	tokens := authtest.Tokens(t, "ann=admin", "bob=viewer")
	var traces atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { traces.Add(1) }))
	defer collector.Close()
	folder(t, nil)
	if err := os.Mkdir("modules", 0o700); err != nil {
		t.Fatal(err)
	}
	h := hostedWith(t, "--ephemeral", "--tokens", tokens, "--policies", "modules", "--audit", "audit.jsonl")
	nobody := httpCaller{t, &http.Client{Transport: &http.Transport{}}, "http://" + h.http, ""}
	ann := nobody.as("ann")
	shows := func(when string, open int, levels, origin, upload string, queues int) {
		t.Helper()
		if status, _, _ := nobody.ask("GET", "/metrics"); status != open {
			t.Errorf("%s: /metrics without a token: found %d", when, status)
		}
		if _, _, body := ann.ask("GET", "/v1/log"); !strings.Contains(body, levels) {
			t.Errorf("%s: expected the level %s, found %s", when, levels, body)
		}
		if _, header, _ := ann.ask("GET", "/v1/nodes", "Origin", "https://board.example"); header.Get("Access-Control-Allow-Origin") != origin {
			t.Errorf("%s: found the origin %q", when, header.Get("Access-Control-Allow-Origin"))
		}
		if _, _, body := ann.ask("PUT", "/v1/policies/x"); !strings.Contains(body, upload) {
			t.Errorf("%s: an upload: expected %s, found %s", when, upload, body)
		}
		if _, _, body := ann.ask("GET", "/v1/stats"); strings.Count(body, `"queue":"root`) != queues {
			t.Errorf("%s: expected %d queues, found %s", when, queues, body)
		}
	}
	shows("at first", 401, `"store":"info"`, "", "upload_off", 2)
	if status := ann.put("/v1/log", `{"levels":{"grpc":"error","http":"info"}}`); status != http.StatusOK {
		t.Errorf("found %d", status)
	}
	s := ann.reread(`log-level = "info,store=debug"
log-format = "json"
metrics-open = true
metrics-queues = 1
cors-origin = ["https://board.example"]
policy-upload = true
retain = "72h"
client-rate = 50
client-requests = 7
client-streams = 1
connections = 3
otlp-endpoint = "` + collector.URL + `"
otlp-sample = 1
`)
	if s.File != cli.SettingsFile || s.Failed != "" || len(s.Waiting) != 0 {
		t.Errorf("found %+v", s)
	}
	shows("afterwards", 200, `"store":"debug"`, "https://board.example", "unsupported_media_type", 1)
	for end, limited := time.Now().Add(time.Minute), false; !limited; { // bob sends more than 50 a second, unless the machine stalls
		status, _, _ := nobody.as("bob").ask("GET", "/v1/nodes")
		if limited = status == http.StatusTooManyRequests; time.Now().After(end) {
			t.Fatal("for a minute, all requests of bob were answered, of which 100 may come at once")
		}
	}
	ann.client.CloseIdleConnections()
	if refused := refusedOf(t, h.http, 8); refused < 5 {
		t.Errorf("%d of eight connections were refused, of which three may be open", refused)
	}
	if code := h.end(); code != cli.Succeeded || traces.Load() == 0 {
		t.Errorf("exit code %d, and %d traces were sent", code, traces.Load())
	}
	if said := h.said(); !strings.Contains(said, `"level":"INFO","msg":"settings have changed and have been applied","subsystem":"config"`) {
		t.Errorf("the log is not as JSON: %s", said)
	}
	noted := read(t, "audit.jsonl")
	if who := `"user":"ann","groups":["all"],"from":"127.0.0.1","action":"applied","what":"PUT /v1/log","changes":[{"key":"levels.grpc","from":"info","to":"error"}]}`; !strings.Contains(noted, who) {
		t.Errorf("expected %s, found %s", who, noted)
	}
	for _, change := range []string{`{"key":"client-rate","from":"1000","to":"50"}`, `{"key":"retain","from":"0s","to":"72h0m0s"}`, `{"key":"cors-origin","from":"[]","to":"[https://board.example]"}`} {
		if !strings.Contains(noted, `"user":"","action":"applied","what":"quern.toml","changes":[{"key":"client-rate"`) || !strings.Contains(noted, change) {
			t.Errorf("expected %s, found %s", change, noted)
		}
	}
}

// refusedOf opens connections, counts those that are refused, and closes them all.
func refusedOf(t *testing.T, address string, n int) (refused int) {
	t.Helper()
	open := make([]net.Conn, n)
	for i := range open {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_, err = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		open[i] = c
	}
	for _, c := range open {
		if _, err := c.Read(make([]byte, 1)); err != nil {
			refused++
		}
	}
	for _, c := range open {
		_ = c.Close() // all that was wanted has been read
	}
	return refused
}

func TestAWrongFileOfSettingsChangesNothing(t *testing.T) {
	authority := authtest.NewAuthority(t)
	const right = "metrics-open = true\n[roles.users]\nann = 'viewer'\n"
	dir := folder(t, map[string]string{"quern.toml": right})
	certificate, key := authtest.WritePair(t, dir, authority.Server())
	h := hostedWith(t, "--ephemeral", "--audit", "audit.jsonl", "--tokens", authtest.Tokens(t, "eve=viewer"), "--tls-cert", certificate, "--tls-key", key, "--client-ca", authority.Write(dir, "ca.pem"))
	known := &tls.Config{RootCAs: authority.Pool(), Certificates: []tls.Certificate{authority.Client(time.Now().Add(time.Hour), "ann")}}
	ann := httpCaller{t, &http.Client{Transport: &http.Transport{TLSClientConfig: known}}, "https://" + h.http, ""}
	failed := func(want string) {
		t.Helper()
		await.True(t, want, func() bool { return strings.Contains(ann.settings().Failed, want) })
		if status, _, _ := ann.ask("PUT", "/v1/log"); status != http.StatusForbidden {
			t.Errorf("%s: another role holds: found %d", want, status)
		}
		status, _, body := ann.as("nobody").ask("GET", "/metrics")
		if status != http.StatusOK || !strings.Contains(body, "\nquern_settings_failed 1\n") || !strings.Contains(body, "\nquern_settings_waiting 0\n") {
			t.Errorf("%s: found %d", want, status)
		}
	}
	const changed = "metrics-open = false\nhttp = '127.0.0.1:1'\n"
	const admin = "[roles.users]\nann = 'admin'\n"
	for _, c := range []struct{ text, want string }{
		{"client-rate = 'many'\n" + admin, `quern.toml:3: client-rate: expected a value for --client-rate, a whole number, found "many"`},
		{"client-rate = -1\n" + admin, "quern.toml:3: client-rate: expected 0 or more, found -1"},
		{"otlp-sample = 2\n" + admin, "quern.toml:3: otlp-sample: expected a number from 0 to 1, found 2"},
		{"\nclient-rat = 1\n" + admin, "quern.toml:4: client-rat: expected the name of a flag"},
		{"demo-speed = 9\n" + admin, "quern.toml:3: demo-speed: expected --demo beside it"},
		{"cors-origin = ['*']\n" + admin, "quern.toml:3: cors-origin: expected an origin"},
		{"policy-upload = true\n" + admin, "quern.toml:3: policy-upload: expected --policies"},
		{"retain = '-1h'\n" + admin, "quern.toml:3: retain: expected 0 or more"},
		{"log-level = 'loud'\n" + admin, `quern.toml:3: log-level: expected debug, info, warn or error, found "loud"`},
		{admin + "bob = 'root'\n", "quern.toml:5:8: roles.users.bob: expected viewer, submitter"},
		{admin + "[roles.people]\n", "quern.toml:5: roles.people: expected roles.users"},
		{admin + "[roles", "quern.toml:5:6:"},
	} {
		putSettings(t, changed+c.text)
		failed(c.want)
	}
	if err := os.Remove(cli.SettingsFile); err != nil {
		t.Fatal(err)
	}
	failed("quern.toml: the file is missing")
	if s := ann.reread(right); s.Failed != "" {
		t.Errorf("found %+v", s)
	}
	if s := ann.reread(admin); s.Failed != "" {
		t.Errorf("found %+v", s)
	}
	if status, _, _ := ann.ask("PUT", "/v1/log"); status != http.StatusBadRequest {
		t.Errorf("the new role does not hold: found %d", status)
	}
	h.end()
	if noted := read(t, "audit.jsonl"); !strings.Contains(noted, `"changes":[{"key":"metrics-open","from":"true","to":"false"},{"key":"roles.users.ann","from":"viewer","to":"admin"}]}`) || strings.Count(noted, "changes") != 1 {
		t.Errorf("found %s", noted)
	}
	if said := h.said(); strings.Count(said, "the settings are unchanged") < 13 || !strings.Contains(said, "subsystem=config") || !strings.Contains(said, "the settings have been read again: no setting has changed") {
		t.Errorf("found %s", said)
	}
}

func TestWhatNeedsARestartWaitsForIt(t *testing.T) {
	t.Setenv("QUERN_CLIENT_STREAMS", "5")
	folder(t, map[string]string{"quern.toml": "data = 'first'\n"})
	h := hostedWith(t, "--client-rate", "100")
	anybody := httpCaller{t, http.DefaultClient, "http://" + h.http, ""}
	s := anybody.reread("data = 'second'\nhttp = '127.0.0.1:1'\nclient-rate = 7\nclient-streams = 9\nclient-requests = 3\npolicies = 'p'\npolicy-upload = true\nserver = 'https://elsewhere.example'\n")
	if want := []string{"data", "policies", "policy-upload"}; s.Failed != "" || !slices.Equal(s.Waiting, want) {
		t.Errorf("expected that %v wait, found %+v", want, s)
	}
	if body, _ := get(t, anybody.address+"/metrics"); !strings.Contains(body, "\nquern_settings_waiting 3\n") {
		t.Error("the metrics tell something else")
	}
	if s := anybody.reread("data = 'first'\n"); s.Failed != "" || len(s.Waiting) != 0 {
		t.Errorf("as before: found %+v", s)
	}
	h.end()
	said := h.said()
	for _, want := range []string{`msg="some changed settings take effect only after a restart" subsystem=config file=quern.toml settings="[data policies policy-upload]"`, `msg="settings have changed and have been applied" subsystem=config file=quern.toml settings=[client-requests]`} {
		if strings.Count(said, want+"\n") == 0 {
			t.Errorf("expected %s, found %s", want, said)
		}
	}
	if strings.Contains(said, "client-rate") || strings.Contains(said, "client-streams") {
		t.Errorf("a setting of the file counted for more than a flag or a variable: %s", said)
	}
}

func TestAHangUpHasSettingsReadAgain(t *testing.T) {
	folder(t, nil)
	h := hostedWith(t, "--ephemeral")
	anybody := httpCaller{t, http.DefaultClient, "http://" + h.http, ""}
	hangUp := func() {
		t.Helper()
		before := anybody.settings().Read
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(syscall.SIGHUP)
		}
		if err != nil {
			t.Fatal(err)
		}
		await.True(t, "that the settings are read", func() bool { return anybody.settings().Read.After(before) })
	}
	hangUp()
	putSettings(t, "log-level = 'warn'\n")
	hangUp()
	await.True(t, "the level of the file", func() bool {
		body, _ := get(t, anybody.address+"/v1/log")
		return strings.Contains(body, `"loop":"warn"`)
	})
	h.end()
	if said := h.said(); !strings.Contains(said, "the settings have been read again: no setting has changed") {
		t.Errorf("found %s", said)
	}
}

func TestTheSpeedOfADemonstrationChanges(t *testing.T) {
	folder(t, nil)
	h := hostedWith(t, "--demo")
	s := httpCaller{t, http.DefaultClient, "http://" + h.http, ""}.reread("demo-speed = 1000\n")
	if s.Failed != "" || len(s.Waiting) != 0 {
		t.Errorf("found %+v", s)
	}
	h.end()
	if said := h.said(); !strings.Contains(said, "have been applied") || !strings.Contains(said, "settings=[demo-speed]") {
		t.Errorf("found %s", said)
	}
}
