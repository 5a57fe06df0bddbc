package clustertest

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Proxy passes requests on to the API server of a cluster, and injects the faults that a test asks for. A write that has reached it is carried
// out even if its client goes away meanwhile.
type Proxy struct {
	next   *httputil.ReverseProxy
	server *httptest.Server
	token  string

	mu      sync.Mutex
	inject  func(*http.Request) Fault
	observe func(r *http.Request, status int)
	ended   context.Context // of the watches that are open
	end     context.CancelFunc
}

// Fault is what a proxy does instead of passing a request and its answer on. The zero value is no fault.
type Fault struct {
	Status int  // that is answered, unless Drop
	Drop   bool // the connection ends without an answer
	Late   bool // the API server carries the request out before
}

// NewProxy starts a proxy, which ends with the test.
func (c *Cluster) NewProxy(t testing.TB) *Proxy {
	t.Helper()
	transport, err := rest.TransportFor(c.credentials.config(c.server, ""))
	if err != nil {
		t.Fatal(err)
	}
	server, err := url.Parse(c.server)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{token: c.credentials.tokens[userAdmin]}
	p.ended, p.end = context.WithCancel(context.Background())
	p.next = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(server) },
		Transport:     transport,
		FlushInterval: -1,                                                                              // watches are streams
		ErrorLog:      log.New(io.Discard, "", 0),                                                      // connections that end are what tests want
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // as if the API server itself were away
	}
	p.server = httptest.NewServer(p)
	t.Cleanup(func() {
		p.EndWatches()
		p.server.CloseClientConnections()
		p.server.Close()
	})
	return p
}

// Config returns the configuration of a client that may do everything and goes through the proxy.
func (p *Proxy) Config() *rest.Config {
	return &rest.Config{Host: p.server.URL, BearerToken: p.token, QPS: -1}
}

// Inject has a function decide about the faults of all requests from now on; nil: there are none. It may be called concurrently, and may block to
// hold a request up.
func (p *Proxy) Inject(fault func(*http.Request) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inject = fault
}

// Observe has a function called with each request that the API server has answered from now on, and its status, before the client knows it. It
// may be called concurrently.
func (p *Proxy) Observe(answered func(r *http.Request, status int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.observe = answered
}

// EndWatches ends the watches that are open, as a restart of the API server does.
func (p *Proxy) EndWatches() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	p.ended, p.end = context.WithCancel(context.Background())
}

// IsWatch reports whether a request opens a watch.
func IsWatch(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	inject := p.inject
	p.mu.Unlock()
	var fault Fault
	if inject != nil {
		fault = inject(r)
	}
	if fault == (Fault{}) {
		p.pass(w, r)
		return
	}
	if fault.Late {
		p.pass(httptest.NewRecorder(), r)
	}
	if fault.Drop {
		panic(http.ErrAbortHandler)
	}
	refuse(w, fault.Status)
}

// pass has the API server answer a request.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if r.Method != http.MethodGet {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.mu.Lock()
	ended, observe := p.ended, p.observe
	p.mu.Unlock()
	if IsWatch(r) {
		defer context.AfterFunc(ended, cancel)()
	}
	next := *p.next
	if observe != nil {
		next.ModifyResponse = func(answer *http.Response) error { observe(r, answer.StatusCode); return nil }
	}
	next.ServeHTTP(w, r.WithContext(ctx))
}

// refuse answers as the API server does when it refuses a request.
func refuse(w http.ResponseWriter, code int) {
	reasons := map[int]metav1.StatusReason{
		http.StatusConflict: metav1.StatusReasonConflict, http.StatusGone: metav1.StatusReasonExpired,
		http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests, http.StatusInternalServerError: metav1.StatusReasonInternalError,
	}
	w.Header().Set("Content-Type", "application/json")
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(code)
	status := metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reasons[code], Message: "injected: " + strings.ToLower(http.StatusText(code))}
	_ = json.NewEncoder(w).Encode(status) // the client sees that it is cut off
}
