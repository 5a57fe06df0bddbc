package web_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
	"github.com/quern-project/quern/host/clients"
)

// site is a guarded host on this machine.
type site struct {
	*testing.T
	address string // host and port
}

// routes answer who asks.
func routes() []web.Route {
	who := web.Handler(func(w http.ResponseWriter, r *http.Request) error {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return err
		}
		c := auth.FromContext(r.Context())
		_, err := fmt.Fprintf(w, "%s %s %s", c.User, c.Role, c.From)
		return err
	})
	return []web.Route{
		{Pattern: "GET /healthz", Handler: who},
		{Pattern: "GET /v1/read", Needs: auth.Viewer, Handler: who},
		{Pattern: "POST /v1/write", Needs: auth.Submitter, Handler: who},
		{Pattern: "PUT /v1/config", Needs: auth.Admin, Handler: who},
		{Pattern: "GET /v1/follow", Needs: auth.Viewer, Handler: web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			s, err := web.NewStream(w, r)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(s, "begun\n"); err != nil {
				return err
			}
			if err := s.Flush(); err != nil {
				return err
			}
			<-r.Context().Done()
			return nil
		})},
	}
}

// serve serves the routes, or others, on this machine until the test ends.
func serve(t *testing.T, g *web.Guard, times web.Times, others ...web.Route) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if len(others) == 0 {
		others = routes()
	}
	server := web.NewServer(g.Handler(others...), times)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	go func() { _ = server.Serve(listener) }() // until Close
	t.Cleanup(func() { _ = server.Close() })
	return &site{t, listener.Addr().String()}
}

func authenticator(t *testing.T, roles ...string) *auth.Authenticator {
	t.Helper()
	a, err := auth.New(auth.Options{Tokens: authtest.Tokens(t, roles...), Log: slog.New(slog.DiscardHandler), Now: authtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ask sends a request with headers, Host among them.
func (s *site) ask(method, path string, headers ...string) (status int, header http.Header, body string) {
	s.Helper()
	r, err := http.NewRequest(method, "http://"+s.address+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		s.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

func TestARouteNeedsARole(t *testing.T) {
	refused := ""
	s := serve(t, &web.Guard{Auth: authenticator(t, "viewer", "submitter", "operator", "admin", "rm"),
		Refused: func(c *auth.Caller, what, why string) {
			refused = fmt.Sprintf("%s: %s %s %s", why, c.User, c.From, what)
		}}, web.Times{})
	for _, c := range []struct {
		method, path, token string
		status              int
		has                 string
	}{
		{"GET", "/healthz", "", 200, " none 127.0.0.1"},
		{"GET", "/healthz", "wrong", 200, " none 127.0.0.1"},
		{"GET", "/v1/read", "", 401, `"type":"urn:quern:problem:unauthenticated"`},
		{"GET", "/v1/read", "wrong", 401, `"type":"urn:quern:problem:unauthenticated"`},
		{"GET", "/v1/read", "viewer", 200, "viewer viewer 127.0.0.1"},
		{"HEAD", "/v1/read", "", 401, ""},
		{"GET", "/v1/read", "rm", 200, "rm rm"},
		{"POST", "/v1/write", "viewer", 403, `"type":"urn:quern:problem:permission_denied"`},
		{"POST", "/v1/write", "rm", 403, "permission_denied"},
		{"POST", "/v1/write", "submitter", 200, "submitter submitter"},
		{"PUT", "/v1/config", "operator", 403, "permission_denied"},
		{"PUT", "/v1/config", "admin", 200, "admin admin"},
		{"GET", "/v1/nothing", "", 401, "unauthenticated"},
		{"GET", "/v1/nothing", "viewer", 404, "not_found"},
		{"GET", "/v1/raed", "viewer", 404, `"detail":"GET /v1/raed; did you mean /v1/read?"`},
		{"DELETE", "/v1/read", "viewer", 405, `"detail":"DELETE /v1/read; the methods of this path: GET, HEAD"`},
		{"DELETE", "/v1/config", "", 401, "unauthenticated"},
		{"GET", "/v1/read/", "", 401, "unauthenticated"},
		{"GET", "/V1/READ", "", 401, "unauthenticated"},
		{"GET", "/v1%2fread", "", 401, "unauthenticated"},
		{"GET", "/healthz/..%2fv1/read", "", 401, "unauthenticated"},
		{"GET", "/v1/./read", "", 307, ""},
		{"GET", "/healthz/../v1/read", "", 307, ""},
		{"GET", "//v1/read", "", 307, ""},
	} {
		var headers []string
		if c.token != "" {
			headers = []string{"Authorization", "Bearer " + c.token}
		}
		refused = ""
		status, header, body := s.ask(c.method, c.path, headers...)
		if status != c.status || !strings.Contains(body, c.has) {
			t.Errorf("%s %s as %q: found %d %s", c.method, c.path, c.token, status, body)
		}
		want := ""
		switch status {
		case 401:
			want = "unauthenticated:  127.0.0.1 "
		case 403:
			want = "permission_denied: " + c.token + " 127.0.0.1 " + c.method + " " + c.path
		}
		if !strings.HasPrefix(refused, want) || want == "" && refused != "" {
			t.Errorf("%s %s as %q: %d, told of %q", c.method, c.path, c.token, status, refused)
		}
		if status == 401 && header.Get("WWW-Authenticate") != "Bearer" || strings.Contains(body, "detail") && status < 404 {
			t.Errorf("%s %s: found %v %s", c.method, c.path, header, body)
		}
	}
}

func TestMethod_NotOfThePath(t *testing.T) {
	nothing := http.NotFoundHandler()
	s := serve(t, &web.Guard{}, web.Times{}, web.Route{Pattern: "GET /v1/apps/{name}", Handler: nothing}, web.Route{Pattern: "PUT /v1/apps/{name}", Handler: nothing},
		web.Route{Pattern: "POST /v1/apps", Handler: nothing}, web.Route{Pattern: "GET /{$}", Handler: nothing}, web.Route{Pattern: "GET /assets/", Handler: nothing},
		web.Route{Pattern: "GET /v1/queues/{path...}", Handler: nothing})
	for request, want := range map[string]string{
		"DELETE /v1/apps/a": "405 GET, HEAD, PUT", "OPTIONS /v1/apps/a": "405 GET, HEAD, PUT", "GET /v1/apps": "405 POST", "HEAD /v1/apps": "405 POST", "POST /": "405 GET, HEAD",
		"PUT /assets/x/y.js": "405 GET, HEAD", "PATCH /v1/queues/root/a": "405 GET, HEAD", "DELETE /openapi.json": "405 GET, HEAD", "FROB /v1/apps": "405 POST",
		"DELETE /v1/apps/a/b": "404 ", "GET /v1": "404 ", "POST /v1/": "404 ",
	} {
		method, path, _ := strings.Cut(request, " ")
		if status, header, body := s.ask(method, path); fmt.Sprint(status, " ", header.Get("Allow")) != want {
			t.Errorf("%s: expected %s, found %d %s %s", request, want, status, header.Get("Allow"), body)
		}
	}
}

func TestOldClients_GetErrorsInTheirForm(t *testing.T) {
	table := clients.NewTable(clients.Bounds{Rate: 4}, authtest.NewClock().Now) // 8 requests at once, and then none
	s := serve(t, &web.Guard{Auth: authenticator(t, "viewer"), Clients: table}, web.Times{}, append(routes(),
		web.Route{Pattern: "GET /ws/v1/clusters", Needs: auth.Viewer, Handler: http.NotFoundHandler()},
		web.Route{Pattern: "GET /debug/stack", Needs: auth.Admin, Handler: http.NotFoundHandler()},
		web.Route{Pattern: "GET /debug/bug", Needs: auth.Viewer, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug") })},
	)...)
	asked := func(method, path string, headers ...string) string {
		status, header, body := s.ask(method, path, headers...)
		return fmt.Sprint(status, " ", header.Get("Content-Type"), " ", header.Get("WWW-Authenticate"), header.Get("Retry-After"), " ", strings.TrimSpace(body))
	}
	const plain, viewer = " application/json; charset=UTF-8 ", "Bearer viewer"
	for _, c := range []struct{ found, want string }{
		{asked("GET", "/ws/v1/clusters"), "401" + plain + `Bearer {"status_code":401,"message":"The request needs a valid token or certificate","description":"Unauthorized"}`},
		{asked("GET", "/debug/stack", "Authorization", viewer), "403" + plain + ` {"status_code":403,"message":"This needs another role","description":"Forbidden"}`},
		{asked("GET", "/ws/v1/clusters", "Host", "elsewhere.example"), "421" + plain + ` {"status_code":421,"message":"The host does not have this name: Host: expected a name of this host, found \"elsewhere.example\"","description":"Misdirected Request"}`},
		{asked("POST", "/ws/v1/clusters", "Sec-Fetch-Site", "cross-site"), "403" + plain + ` {"status_code":403,"message":"Pages of other sites may not send inputs: the request comes from a page of another origin","description":"Forbidden"}`},
		{asked("PUT", "/ws/v1/clusters", "Authorization", viewer), "405" + plain + ` {"status_code":405,"message":"The route does not take this method: PUT /ws/v1/clusters; the methods of this path: GET, HEAD","description":"Method Not Allowed"}`},
		{asked("GET", "/debug/bug", "Authorization", viewer), "500" + plain + ` {"status_code":500,"message":"The host failed: the request caused an internal error; the log of the host has the details","description":"Internal Server Error"}`},
		{asked("GET", "/v1/read"), `401 application/problem+json Bearer {"type":"urn:quern:problem:unauthenticated","title":"The request needs a valid token or certificate","status":401}`},
	} {
		if c.found != c.want {
			t.Errorf("expected\n%s\nfound\n%s", c.want, c.found)
		}
	}
	limited := ""
	for range 8 {
		limited = asked("GET", "/ws/v1/clusters", "Authorization", viewer)
	}
	if !strings.HasPrefix(limited, "429"+plain+`1 {"status_code":429,`) {
		t.Errorf("found %s", limited)
	}
}

func TestPagesMayLoadNothingFromElsewhere(t *testing.T) {
	_, header, _ := serve(t, &web.Guard{}, web.Times{}).ask("GET", "/healthz")
	policy := header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("expected %s, found %s", want, policy)
		}
	}
	if strings.Contains(policy, "'unsafe-") || header.Get("Set-Cookie") != "" || header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("found %v", header)
	}
}

func TestPagesOfOtherSitesChangeNothing(t *testing.T) {
	open := serve(t, &web.Guard{}, web.Times{})
	guarded := serve(t, &web.Guard{Auth: authenticator(t, "submitter"), Origins: web.NewOrigins("https://Board.example")}, web.Times{})
	const token = "Bearer submitter"
	for name, c := range map[string]struct {
		s       *site
		headers []string
		status  int
	}{
		"another site":                  {open, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"another site, an old browser":  {open, []string{"Origin", "https://elsewhere.example"}, 403},
		"a neighbour":                   {open, []string{"Sec-Fetch-Site", "same-site"}, 403},
		"no origin":                     {open, []string{"Origin", "null"}, 403},
		"another port":                  {open, []string{"Origin", "http://127.0.0.1:1"}, 403},
		"our page":                      {open, []string{"Sec-Fetch-Site", "same-origin"}, 200},
		"no page":                       {open, nil, 200},
		"our page without a token":      {guarded, []string{"Sec-Fetch-Site", "same-origin"}, 401},
		"our page with a token":         {guarded, []string{"Sec-Fetch-Site", "same-origin", "Authorization", token}, 200},
		"another site with a token":     {guarded, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://elsewhere.example", "Authorization", token}, 403},
		"a page that is named":          {guarded, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://board.example", "Authorization", token}, 200},
		"a page that is named, no user": {guarded, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://board.example"}, 401},
	} {
		if status, _, body := c.s.ask("POST", "/v1/write", c.headers...); status != c.status {
			t.Errorf("%s: found %d %s, expected %d", name, status, body, c.status)
		}
	}
}

func TestOnlyOriginsThatAreNamedReadAnswers(t *testing.T) {
	s := serve(t, &web.Guard{Auth: authenticator(t, "viewer"), Origins: web.NewOrigins("https://Board.example")}, web.Times{})
	status, header, _ := s.ask("OPTIONS", "/v1/read", "Origin", "https://board.example", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization")
	if status != 204 || header.Get("Access-Control-Allow-Origin") != "https://board.example" || !strings.Contains(header.Get("Access-Control-Allow-Headers"), "Authorization") ||
		header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("found %d %v", status, header)
	}
	if _, header, body := s.ask("GET", "/v1/read", "Origin", "https://board.example", "Authorization", "Bearer viewer"); header.Get("Access-Control-Allow-Origin") != "https://board.example" || header.Get("Vary") != "Origin" || body == "" {
		t.Errorf("found %v %s", header, body)
	}
	for _, origin := range []string{"https://elsewhere.example", "http://board.example", "https://board.example:444", "null", "*"} {
		status, header, _ := s.ask("OPTIONS", "/v1/read", "Origin", origin, "Access-Control-Request-Method", "GET")
		if status != 401 || header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: found %d %v", origin, status, header)
		}
	}
	for _, bad := range []string{"board.example", "*", "https://board.example/", "null", ""} {
		if err := web.CheckOrigin(bad); err == nil || !strings.Contains(err.Error(), "https://board.example") {
			t.Errorf("%s: found %v", bad, err)
		}
	}
}

func TestOriginsChangeWhileRequestsAreServed(t *testing.T) {
	origins := web.NewOrigins()
	s := serve(t, &web.Guard{Origins: origins}, web.Times{})
	for _, c := range []struct {
		list        []string
		read, write int // of a page of board.example
		allowed     string
	}{{nil, 200, 403, ""}, {[]string{"https://board.example"}, 200, 200, "https://board.example"}, {[]string{"https://other.example"}, 200, 403, ""}, {nil, 200, 403, ""}} {
		origins.Set(c.list)
		read, header, _ := s.ask("GET", "/v1/read", "Origin", "https://board.example", "Sec-Fetch-Site", "cross-site")
		write, _, _ := s.ask("POST", "/v1/write", "Origin", "https://board.example", "Sec-Fetch-Site", "cross-site")
		if read != c.read || write != c.write || header.Get("Access-Control-Allow-Origin") != c.allowed {
			t.Errorf("%v: found %d with %q, and %d", c.list, read, header.Get("Access-Control-Allow-Origin"), write)
		}
	}
}

func TestARouteMayBeOpenedToEverybody(t *testing.T) {
	var open atomic.Bool
	list := routes()
	for i := range list {
		if list[i].Pattern == "GET /v1/read" {
			list[i].Open = open.Load
		}
	}
	s := serve(t, &web.Guard{Auth: authenticator(t, "viewer")}, web.Times{}, list...)
	for _, want := range []int{401, 200, 401} {
		if status, _, _ := s.ask("GET", "/v1/read"); status != want {
			t.Errorf("found %d, expected %d", status, want)
		}
		open.Store(!open.Load())
	}
}

func TestARequestMustMeanThisHost(t *testing.T) {
	plain := serve(t, &web.Guard{}, web.Times{})
	named := serve(t, &web.Guard{Hosts: func(name string) bool { return name == "quern.example" }}, web.Times{})
	for host, want := range map[string][2]int{
		"localhost": {200, 200}, "localhost:80": {200, 200}, "127.0.0.1": {200, 200}, "127.9.9.9:1": {200, 200}, "[::1]": {200, 200}, "[::1]:80": {200, 200},
		"LOCALHOST": {200, 200}, "LocalHost.:80": {200, 200}, "localhost.": {200, 200}, "localhost..": {421, 421}, ".": {421, 421}, "Quern.EXAMPLE.": {421, 200},
		"quern.example": {421, 200}, "quern.example:9080": {421, 200}, "elsewhere.example": {421, 421}, "10.0.0.1": {421, 421},
		"localhost.elsewhere.example": {421, 421}, "127.0.0.1.elsewhere.example": {421, 421}, "elsewhere.example:localhost": {421, 421},
	} {
		for i, s := range []*site{plain, named} {
			if status, _, body := s.ask("GET", "/healthz", "Host", host); status != want[i] && status != 400 {
				t.Errorf("%s: found %d %s", host, status, body)
			}
		}
	}
}

func TestAClientIsBounded(t *testing.T) {
	clock := authtest.NewClock()
	s := serve(t, &web.Guard{Auth: authenticator(t, "viewer", "admin"), Clients: clients.NewTable(clients.Bounds{Rate: 3, Streams: 1}, clock.Now)}, web.Times{})
	count := map[int]int{}
	for range 10 {
		status, header, body := s.ask("GET", "/v1/read", "Authorization", "Bearer viewer")
		count[status]++
		if status == 429 && (header.Get("Retry-After") != "1" || !strings.Contains(body, "rate_limited")) {
			t.Errorf("found %v %s", header, body)
		}
	}
	if count[200] != 6 || count[429] != 4 {
		t.Errorf("found %v", count)
	}
	if status, _, _ := s.ask("GET", "/v1/read", "Authorization", "Bearer admin"); status != 200 {
		t.Errorf("another client: found %d", status)
	}
	clock.Pass(time.Second)
	first := s.follow("viewer")
	if status, _, body := s.ask("GET", "/v1/follow", "Authorization", "Bearer viewer"); status != 429 {
		t.Errorf("a second stream: found %d %s", status, body)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; clock.Pass(time.Second) {
		if second := s.follow("viewer"); second != nil {
			_ = second.Close() // it was only opened
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a stream that ended still counts")
		}
	}
}

// follow opens a stream; nil: it was refused.
func (s *site) follow(token string) io.Closer {
	s.Helper()
	r, err := http.NewRequest(http.MethodGet, "http://"+s.address+"/v1/follow", nil)
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		if err := answer.Body.Close(); err != nil {
			s.Fatal(err)
		}
		return nil
	}
	return answer.Body
}

func TestAPageShowsATokenBesideItsCertificate(t *testing.T) {
	authority := authtest.NewAuthority(t)
	dir := t.TempDir()
	certificate, key := authtest.WritePair(t, dir, authority.Server())
	certificates, err := auth.NewCertificates(certificate, key, authority.Write(dir, "ca.pem"), slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	roles, err := auth.ParseRoles("quern.toml", []byte("[roles.users]\nann = 'admin'\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := auth.New(auth.Options{Certificates: true, Roles: roles, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer((&web.Guard{Auth: a, Hosts: certificates.Names}).Handler(routes()...))
	server.TLS = certificates.TLS()
	server.StartTLS()
	defer server.Close()
	client := server.Client()
	transport := client.Transport.(*http.Transport)
	transport.TLSClientConfig.RootCAs = authority.Pool()
	transport.TLSClientConfig.Certificates = append(transport.TLSClientConfig.Certificates, authority.Client(time.Now().Add(time.Hour), "ann"))
	for site, want := range map[string]int{"": 200, "same-origin": 403, "none": 403, "cross-site": 403} {
		r, err := http.NewRequest(http.MethodPut, server.URL+"/v1/config", nil)
		if err != nil {
			t.Fatal(err)
		}
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != want {
			t.Errorf("%q: found %d %s (%v)", site, answer.StatusCode, text, err)
		}
	}
}

func TestPanickingHandler_AnsweredAndLogged(t *testing.T) {
	var mu sync.Mutex
	var told []string
	g := &web.Guard{Panicked: func(r *http.Request, bug, stack string) {
		mu.Lock()
		defer mu.Unlock()
		if !strings.Contains(stack, "web_test.go") {
			t.Errorf("%s: the stack is\n%s", r.URL.Path, stack)
		}
		told = append(told, r.URL.Path+": "+bug)
	}}
	site := httptest.NewUnstartedServer(g.Handler(
		web.Route{Pattern: "GET /before", Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("nil map") })},
		web.Route{Pattern: "GET /within", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if _, err := io.WriteString(w, strings.Repeat("begun ", 1000)); err != nil {
				t.Error(err)
			}
			panic(errors.New("a later bug"))
		})},
		web.Route{Pattern: "GET /ends", Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })},
	))
	site.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	site.Start()
	defer site.Close()
	for path, want := range map[string]int{"/before": http.StatusInternalServerError, "/within": 0, "/ends": 0} {
		answer, err := http.Get(site.URL + path)
		status := 0
		if err == nil {
			text, broken := io.ReadAll(answer.Body)
			if status = answer.StatusCode; broken != nil {
				status = 0
			} else if !strings.Contains(string(text), `"type":"urn:quern:problem:internal"`) || strings.Contains(string(text), "nil map") {
				t.Errorf("%s: found %s", path, text)
			}
			_ = answer.Body.Close()
		}
		if status != want {
			t.Errorf("%s: found %d and %v, expected %d", path, status, err, want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(told) // a client may ask again where the connection ends
	if found := strings.Join(slices.Compact(told), ", "); found != "/before: nil map, /within: a later bug" {
		t.Errorf("told of %s", found)
	}
}
