package remote

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// at returns a host that an HTTP handler is, and the pauses that it was asked to make.
func at(t *testing.T, handle http.HandlerFunc) (Host, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	var pauses []time.Duration
	h, err := Dial(Options{Server: server.URL, Patience: 20 * time.Second, Pause: func(_ context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h, &pauses
}

func problem(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

func answer(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

func TestInputs_RepeatedWithTheSameKey(t *testing.T) {
	var keys, bodies []string
	h, pauses := at(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		keys, bodies = append(keys, r.Header.Get("Idempotency-Key")), append(bodies, string(text))
		switch len(keys) {
		case 1:
			w.Header().Set("Retry-After", "3")
			problem(w, http.StatusTooManyRequests, `{"type":"urn:quern:problem:busy","title":"Too many requests wait","status":429}`)
		case 2:
			problem(w, http.StatusServiceUnavailable, `{"type":"urn:quern:problem:stopping","title":"The host is stopping"}`)
		case 3:
			panic(http.ErrAbortHandler) // the connection breaks after the host took them
		default:
			answer(w, `{"first":1,"last":2,"decisions":[{"seq":1}]}`)
		}
	})
	applied, err := h.Submit(t.Context(), []byte("a\nb"), "key")
	if err != nil || applied.First != 1 || applied.Last != 2 || len(applied.Decisions) != 1 {
		t.Fatalf("%+v, %v", applied, err)
	}
	if want := "[key key key key] [a\nb a\nb a\nb a\nb] [3s 200ms]"; fmt.Sprint(keys, bodies, (*pauses)[:2]) != want { // after the third, HTTP itself may repeat at once
		t.Errorf("expected %s, found %v %v %v", want, keys, bodies, *pauses)
	}
}

func TestInputsAreNotRepeatedForEver(t *testing.T) {
	h, pauses := at(t, func(w http.ResponseWriter, _ *http.Request) {
		problem(w, http.StatusServiceUnavailable, `{"title":"stopping"}`)
	})
	_, err := h.Submit(t.Context(), nil, "key")
	var all time.Duration
	for _, p := range *pauses {
		all += p
	}
	var p *Problem
	if !errors.As(err, &p) || p.Status != http.StatusServiceUnavailable || all > 20*time.Second || len(*pauses) < 5 {
		t.Errorf("%v after %v", err, *pauses)
	}
}

func TestInputsThatAreWrongAreNotRepeated(t *testing.T) {
	h, pauses := at(t, func(w http.ResponseWriter, _ *http.Request) {
		problem(w, http.StatusBadRequest, `{"type":"urn:quern:problem:bad_input","title":"An input is invalid","detail":"body:2: x","line":2,"key":"id"}`)
	})
	_, err := h.Submit(t.Context(), nil, "key")
	var p *Problem
	if !errors.As(err, &p) || p.Code() != "bad_input" || p.Line != 2 || p.Key != "id" || p.Error() != "An input is invalid: body:2: x" || len(*pauses) > 0 {
		t.Errorf("%+v, %v", err, *pauses)
	}
}

func TestListsAreReadPageByPage(t *testing.T) {
	var asked []string
	h, _ := at(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RequestURI())
		if r.URL.Query().Get("continue") == "" {
			answer(w, `{"items":[{"ask":"a"},{"ask":"b"}],"continue":"x"}`)
			return
		}
		answer(w, `{"items":[{"ask":"c"}]}`)
	})
	all, err := h.List(t.Context(), Asks, map[string]string{"queue": "root.a"}, 0)
	if err != nil || fmt.Sprintf("%s", all) != `[{"ask":"a"} {"ask":"b"} {"ask":"c"}]` {
		t.Errorf("%s, %v", all, err)
	}
	if want := "[/v1/asks?limit=1000&queue=root.a /v1/asks?continue=x&limit=1000&queue=root.a]"; fmt.Sprint(asked) != want {
		t.Errorf("expected %s, found %s", want, asked)
	}
	if all, err = h.List(t.Context(), Asks, nil, 2); err != nil || len(all) != 2 {
		t.Errorf("%s, %v", all, err)
	}
}

func TestNamesMayHaveAnyCharacters(t *testing.T) {
	var path string
	h, _ := at(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.EscapedPath()
		answer(w, `{}`)
	})
	if _, err := h.Explain(t.Context(), Asks, "a/b?c ü", nil); err != nil || path != "/v1/asks/a%2Fb%3Fc%20%C3%BC/explanation" {
		t.Errorf("%s, %v", path, err)
	}
}

func TestDecisionsGoOnWhereAConnectionBroke(t *testing.T) {
	var asked []string
	h, _ := at(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RawQuery+" "+r.Header.Get("Last-Event-ID"))
		w.Header().Set("Content-Type", "text/event-stream")
		switch len(asked) {
		case 1:
			_, _ = io.WriteString(w, ":\n\nid: 4\ndata: {\"seq\":4}\n\nid: 5\ndata: {\"se") // cut off
		case 2:
			problem(w, http.StatusServiceUnavailable, `{"title":"stopping"}`)
		case 3:
			_, _ = io.WriteString(w, "id: 5\ndata: {\"seq\":5}\n\nevent: end\ndata: stopping\n\n")
		default:
			_, _ = io.WriteString(w, "id: 6\r\ndata: {\"seq\":\r\ndata: 6}\r\n\r\n")
		}
	})
	var found []string
	for d, err := range h.Decisions(t.Context(), Wanted{From: 4, Follow: true, Filter: map[string]string{"type": "release"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if found = append(found, string(d)); len(found) == 3 {
			break
		}
	}
	if want := `[{"seq":4} {"seq":5} {"seq":6}]`; fmt.Sprint(found) != want {
		t.Errorf("expected %s, found %s", want, found)
	}
	if want := "[follow=true&from=4&type=release  follow=true&type=release 4 follow=true&type=release 4 follow=true&type=release 5]"; fmt.Sprint(asked) != want {
		t.Errorf("expected %s, found %s", want, asked)
	}
}

func TestDecisionsEndWithTheirError(t *testing.T) {
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		follow bool
		want   string
	}{
		"compacted": {func(w http.ResponseWriter, _ *http.Request) {
			problem(w, http.StatusGone, `{"title":"gone","first":7}`)
		}, true, "gone"},
		"a page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, true, ErrNotQuern.Error()},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			problem(w, http.StatusServiceUnavailable, `{"title":"stopping"}`)
		}, true, "stopping"},
	} {
		h, _ := at(t, c.handle)
		n := 0
		for _, err := range h.Decisions(t.Context(), Wanted{Follow: c.follow}) {
			if n++; err == nil || err.Error() != c.want || n > 1 {
				t.Errorf("%s: found %v", name, err)
			}
		}
	}
}

func TestFollowingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h, _ := at(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: 1\ndata: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	var last error
	for _, err := range h.Decisions(ctx, Wanted{Follow: true}) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("found %v", last)
	}
}

func TestConnect_NotAHost(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"a page":       func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"broken JSON":  func(w http.ResponseWriter, _ *http.Request) { answer(w, `{"items":`) },
		"another list": func(w http.ResponseWriter, _ *http.Request) { answer(w, `{"items":3}`) },
		"elsewhere":    func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"bad problem":  func(w http.ResponseWriter, _ *http.Request) { problem(w, http.StatusBadRequest, `[`) },
	} {
		h, _ := at(t, handle)
		if _, err := h.List(t.Context(), Queues, nil, 0); !errors.Is(err, ErrNotQuern) {
			t.Errorf("%s: found %v", name, err)
		}
	}
	h, _ := at(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	if _, err := h.One(t.Context(), Queues, "root"); err == nil || err.Error() != "the host answered 418 I'm a teapot" {
		t.Errorf("found %v", err)
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	h, err := Dial(Options{Server: gone.URL})
	if err != nil {
		t.Fatal(err)
	}
	var away *UnreachableError
	if _, err := h.WhatIf(t.Context(), nil); !errors.As(err, &away) || away.Server != gone.URL || strings.Contains(err.Error(), "what-if") {
		t.Errorf("found %v", err)
	}
}

func TestTheTokenOfTheFileIsSent(t *testing.T) {
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("Authorization")
		answer(w, `{}`)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "token")
	h, err := Dial(Options{Server: server.URL, TokenFile: file})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{" secret\n": "Bearer secret", "": "expected one token, found 0", "a b": "expected one token, found 2"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sent = ""
		_, err := h.One(t.Context(), Nodes, "n")
		if err != nil {
			sent = err.Error()
		}
		if !strings.Contains(sent, want) {
			t.Errorf("%q: expected %q, found %q", text, want, sent)
		}
	}
	_ = os.Remove(file)
	var option *OptionError
	if _, err := h.One(t.Context(), Nodes, "n"); !errors.As(err, &option) || option.Option != "token-file" {
		t.Errorf("found %v", err)
	}
}

func TestCertificatesAreHeldAgainstTheFile(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, `{}`) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // one of the clients hangs up
	server.StartTLS()
	defer server.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := Dial(Options{Server: strings.Replace(server.URL, "https:", "http:", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.One(t.Context(), Nodes, "n"); !errors.Is(err, ErrNeedsTLS) {
		t.Errorf("without TLS: found %v", err)
	}
	for file, good := range map[string]bool{ca: true, "": false} {
		h, err := Dial(Options{Server: server.URL, CA: file})
		if err == nil {
			_, err = h.One(t.Context(), Nodes, "n")
		}
		if (err == nil) != good {
			t.Errorf("with %q: %v", file, err)
		}
		if !good && !strings.HasPrefix(err.Error(), server.URL+": the certificate is signed by an authority that is not trusted here (") {
			t.Errorf("with %q: %v", file, err)
		}
	}
	if err := os.WriteFile(ca, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	var option *OptionError
	if _, err := Dial(Options{Server: server.URL, CA: ca}); !errors.As(err, &option) || option.Option != "ca" {
		t.Errorf("found %v", err)
	}
}

func TestAddressesOfHosts(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:9080": "http://127.0.0.1:9080", "localhost:1": "http://localhost:1", "LOCALHOST:1": "http://LOCALHOST:1", "localhost.:1": "http://localhost.:1", "[::1]:9080": "http://[::1]:9080",
		"quern.example.org": "https://quern.example.org", "https://a/b/": "https://a/b", "http://10.0.0.1:80": "http://10.0.0.1:80",
		"": "", "ftp://a": "", "https://": "", "https://u:p@a": "", "https://a?b": "", "a b": "", "http://a#b": "", "127.0.0.1:x": "",
	} {
		u, err := address(text)
		if err == nil && u.String() != want || err != nil && want != "" {
			t.Errorf("%q: expected %q, found %v, %v", text, want, u, err)
		}
	}
	if _, err := Dial(Options{Server: "http://example.org", TokenFile: "t"}); err == nil {
		t.Error("a token would be sent in clear text")
	}
}

// What a host sends may be anything: an event is handed on whole or not at all, and nothing panics.
func FuzzEvents(f *testing.F) {
	f.Add("id: 4\ndata: {\"seq\":4}\n\n")
	f.Add(":\n\nevent: end\ndata: x\n\nid:5\r\ndata:{}\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := &overHTTP{}
		r := &http.Response{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(text))}
		(&following{h: h, wanted: Wanted{Follow: true}}).events(r, func(d json.RawMessage, err error) bool {
			if err == nil && (len(d) == 0 || strings.ContainsRune(string(d), '\n')) {
				t.Errorf("an event of %q", d)
			}
			return true
		})
	})
}
