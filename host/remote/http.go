package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/host/errtext"
)

// Options say how a host is reached.
type Options struct {
	Server    string // such as 127.0.0.1:9080 or https://quern.example.org
	TokenFile string // read again for each request; empty: no token is sent
	CA        string // file of certificates that the host's is signed by; empty: those of the system
	Cert, Key string // files of the certificate that says who asks, and of its key; empty: none is shown
	// Origins say where options come from, by their names; nil: --server, --token-file, --ca, --cert and --cert-key.
	Origins map[string]string
	// Patience is how long inputs are repeated that the host cannot take at the moment.
	Patience time.Duration
	// Pause waits between attempts; nil: it waits.
	Pause func(ctx context.Context, d time.Duration) error
}

// overHTTP is a Host over HTTP.
type overHTTP struct {
	o      Options
	base   *url.URL
	client *http.Client
}

// OptionError says which option cannot be used.
type OptionError struct {
	Option string // server, token-file, ca, cert or cert-key
	Origin string // where it comes from, such as --ca
	Cause  error
}

func (e *OptionError) Error() string { return e.Origin + ": " + errtext.Text(e.Cause) }

// Unwrap returns why.
func (e *OptionError) Unwrap() error { return e.Cause }

func (o *Options) wrong(option string, cause error) error {
	origin := o.Origins[option]
	if origin == "" {
		origin = "--" + option
	}
	return &OptionError{option, origin, cause}
}

// Dial returns a host. It connects when something is asked. The error is an *OptionError.
func Dial(o Options) (Host, error) {
	base, err := address(o.Server)
	if err != nil {
		return nil, o.wrong("server", err)
	}
	if o.TokenFile != "" && base.Scheme == "http" && !loopback(base.Hostname()) {
		return nil, o.wrong("server", fmt.Errorf("expected https:// where a token is sent to another machine, found %q", o.Server))
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: time.Minute, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
	if transport.TLSClientConfig, err = o.tls(base); err != nil {
		return nil, err
	}
	if o.Pause == nil {
		o.Pause = pause
	}
	h := &overHTTP{o: o, base: base, client: &http.Client{Transport: transport}}
	h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return ErrNotQuern } // a host never redirects
	return h, nil
}

// address reads the address of a host. Without a scheme it is http for this machine, and https for others.
func address(text string) (*url.URL, error) {
	full := text
	if !strings.Contains(full, "://") {
		full = "https://" + full
		if u, err := url.Parse(full); err == nil && loopback(u.Hostname()) {
			u.Scheme = "http"
			full = u.String()
		}
	}
	u, err := url.Parse(full)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("expected an address such as 127.0.0.1:9080 or https://quern.example.org, found %q", text)
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	return u, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || ip != nil && ip.IsLoopback()
}

// tls returns what trusts the authorities that the options name, and shows their certificate.
func (o *Options) tls(base *url.URL) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA != "" {
		pool, err := authorities(o.CA)
		if err != nil {
			return nil, o.wrong("ca", err)
		}
		c.RootCAs = pool
	}
	switch {
	case o.Cert == "" && o.Key == "":
		return c, nil
	case o.Key == "":
		return nil, o.wrong("cert", errors.New("expected a key beside it (--cert-key), found none"))
	case o.Cert == "":
		return nil, o.wrong("cert-key", errors.New("expected a certificate beside it (--cert), found none"))
	case base.Scheme == "http":
		return nil, o.wrong("server", fmt.Errorf("expected https:// where a certificate is shown, found %q", o.Server))
	}
	certificate, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, o.wrong("cert", err)
	}
	c.Certificates = []tls.Certificate{certificate}
	return c, nil
}

// authorities reads the certificates in a file.
func authorities(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: expected certificates in PEM, found none", file)
	}
	return pool, nil
}

// pause waits for a time, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// call is one request.
type call struct {
	method string
	path   []string // below /v1
	query  url.Values
	header map[string]string
	body   []byte
}

// send sends a request and returns the response to one that succeeded; its body is to be closed.
func (h *overHTTP) send(ctx context.Context, c call) (*http.Response, error) {
	at := *h.base
	raw := at.EscapedPath() + "/v1"
	at.Path += "/v1"
	for _, p := range c.path {
		at.Path, raw = at.Path+"/"+p, raw+"/"+url.PathEscape(p)
	}
	at.RawPath, at.RawQuery = raw, c.query.Encode()
	r, err := http.NewRequestWithContext(ctx, c.method, at.String(), bytes.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	r.Header.Set("User-Agent", "quern")
	if err := h.authorize(r); err != nil {
		return nil, err
	}
	response, err := h.client.Do(r)
	if err != nil {
		return nil, h.unreachable(ctx, err)
	}
	if response.StatusCode/100 == 2 {
		return response, nil
	}
	if err = ErrNeedsTLS; !asksForTLS(response) {
		err = problemOf(response)
	}
	_ = response.Body.Close() // it was read as far as it matters
	return nil, err
}

// unreachable says why there was no answer, without what the library says about the request.
func (h *overHTTP) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var about *url.Error
	if errors.As(err, &about) {
		err = about.Err
	}
	if errors.Is(err, ErrNotQuern) {
		return err
	}
	return &UnreachableError{h.base.String(), err}
}

// authorize adds the token of the file.
func (h *overHTTP) authorize(r *http.Request) error {
	if h.o.TokenFile == "" {
		return nil
	}
	text, err := os.ReadFile(h.o.TokenFile)
	if err != nil {
		return h.o.wrong("token-file", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return h.o.wrong("token-file", fmt.Errorf("%s: expected one token, found %d", h.o.TokenFile, len(strings.Fields(token))))
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// mostAnswer bounds an answer, in bytes.
const mostAnswer = 1 << 30

// get reads an object.
func (h *overHTTP) get(ctx context.Context, query url.Values, path ...string) (json.RawMessage, error) {
	return h.read(ctx, call{method: http.MethodGet, path: path, query: query})
}

// read sends a request and reads the JSON that it is answered with.
func (h *overHTTP) read(ctx context.Context, c call) (json.RawMessage, error) {
	response, err := h.send(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind != "application/json" {
		return nil, ErrNotQuern
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return nil, h.unreachable(ctx, err)
	}
	if !json.Valid(text) {
		return nil, ErrNotQuern
	}
	return bytes.TrimSpace(text), nil
}

// mostItems is how many items one page has.
const mostItems = 1000

// List implements Host.
func (h *overHTTP) List(ctx context.Context, kind Kind, filter map[string]string, limit int) (all []json.RawMessage, err error) {
	query := url.Values{}
	for name, value := range filter {
		query.Set(name, value)
	}
	for {
		size := mostItems
		if limit > 0 {
			size = min(size, limit-len(all))
		}
		if kind != Policies { // which come in one page
			query.Set("limit", strconv.Itoa(size))
		}
		text, err := h.get(ctx, query, string(kind))
		if err != nil {
			return nil, err
		}
		var page struct {
			Items    []json.RawMessage `json:"items"`
			Continue string            `json:"continue"`
		}
		if json.Unmarshal(text, &page) != nil {
			return nil, ErrNotQuern
		}
		all = append(all, page.Items...)
		if limit > 0 && len(all) >= limit {
			return all[:limit], nil
		}
		if page.Continue == "" {
			return all, nil
		}
		query.Set("continue", page.Continue)
	}
}

// One implements Host.
func (h *overHTTP) One(ctx context.Context, kind Kind, name string) (json.RawMessage, error) {
	if at := strings.LastIndexByte(name, '/'); kind == Gangs && at >= 0 {
		return h.get(ctx, nil, string(kind), name[:at], name[at+1:])
	}
	return h.get(ctx, nil, string(kind), name)
}

// Explain implements Host.
func (h *overHTTP) Explain(ctx context.Context, kind Kind, name string, about url.Values) (json.RawMessage, error) {
	return h.get(ctx, about, string(kind), name, "explanation")
}

// Limits implements Host.
func (h *overHTTP) Limits(ctx context.Context, about url.Values) (json.RawMessage, error) {
	return h.get(ctx, about, "limits")
}

// Placement implements Host.
func (h *overHTTP) Placement(ctx context.Context, about url.Values) (json.RawMessage, error) {
	return h.get(ctx, about, "placement")
}

// Consolidation implements Host.
func (h *overHTTP) Consolidation(ctx context.Context, about url.Values) (json.RawMessage, error) {
	return h.get(ctx, about, "consolidation")
}

// Forecast implements Host.
func (h *overHTTP) Forecast(ctx context.Context, ask string, about url.Values) (json.RawMessage, error) {
	return h.get(ctx, about, string(Asks), ask, "forecast")
}

// Victims implements Host.
func (h *overHTTP) Victims(ctx context.Context, ask string) (json.RawMessage, error) {
	return h.get(ctx, nil, string(Asks), ask, "victims")
}
