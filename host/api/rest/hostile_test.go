package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestHostileInputsAreRefusedAtOnce(t *testing.T) {
	l := start(t)
	deep := func(open, inner, shut string) string {
		return strings.Repeat(open, 1_000_000) + inner + strings.Repeat(shut, 1_000_000)
	}
	for name, body := range map[string]string{
		"deep lists":        deep("[", "", "]"),
		"deep objects":      deep(`{"a":`, "1", "}"),
		"a deep value":      `{"type":"node.add","id":"n","attributes":{"a":` + deep("[", "", "]") + `}}`,
		"open brackets":     strings.Repeat("[", 8<<20),
		"a long name":       `{"type":"node.add","` + strings.Repeat("x", 8<<20) + `":1}`,
		"a long number":     `{"type":"node.add","id":"n","capacity":{"vcore":` + strings.Repeat("9", 8<<20) + `}}`,
		"no end of a text":  `{"type":"` + strings.Repeat(`\u0000`, 1<<20),
		"no text at all":    strings.Repeat("\x00", 1<<20),
		"the same key":      `{"type":"tick",` + strings.Repeat(`"a":1,`, 1<<20) + `"a":1}`,
		"a file of ours":    `{"type":"config.set","file":"/etc/shadow"}`,
		"a configuration 1": `{"type":"config.set","config":"` + strings.Repeat("[", 1<<20) + `"}`,
	} {
		began := time.Now()
		r := l.do("POST", "/v1/inputs", body)
		if refused := r.status == http.StatusBadRequest || r.status == http.StatusOK && strings.Contains(r.body, "config.rejected"); !refused {
			t.Errorf("%s: found %d %.200s", name, r.status, r.body)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: it took %s", name, took)
		}
		if len(r.body) > 4<<10 {
			t.Errorf("%s: the answer has %d bytes", name, len(r.body))
		}
	}
}

func TestAStreamIsNotResumedFromTheFuture(t *testing.T) {
	l := start(t)
	l.submit(node)
	for _, id := range []string{"99", "18446744073709551615", "-1", "x", "9223372036854775807"} {
		if r := l.do("GET", "/v1/decisions", "", "Accept", "text/event-stream", "Last-Event-ID", id); r.status != http.StatusBadRequest {
			t.Errorf("%s: found %d %s", id, r.status, r.body)
		}
	}
	for _, path := range []string{"/v1/decisions/stream", "/v1/events", "/v1/decisions?follow=for-ever", "/v1/decisions?from=18446744073709551616"} {
		if r := l.do("GET", path, "", "Accept", "text/event-stream"); r.status != http.StatusNotFound && r.status != http.StatusBadRequest {
			t.Errorf("%s: found %d %s", path, r.status, r.body)
		}
	}
}
