package rest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestFieldsOfObjectsAreChosen(t *testing.T) {
	l := start(t)
	l.submit(node, app, ask, big)
	for path, body := range map[string]string{
		"/v1/asks?fields=state,ask&state=pending": `{"items":[{"ask":"k2","state":"pending"}],"seq":5}`,
		"/v1/nodes/n1?fields=allocations":         `{"allocations":["k1"]}`,
	} {
		if r := l.do("GET", path, ""); r.status != http.StatusOK || r.body != body+"\n" {
			t.Errorf("%s: expected %s, found %+v", path, body, r)
		}
	}
	for _, path := range []string{"/v1/asks?fields=colour", "/v1/asks?fields=", "/v1/nodes/n1?fields=node,,used"} {
		if r := l.do("GET", path, ""); r.status != http.StatusBadRequest || !strings.Contains(r.body, "fields: expected some of") {
			t.Errorf("%s: found %+v", path, r)
		}
	}
}

func TestAStateIsSentAgainOnlyWhenItHasChanged(t *testing.T) {
	l := start(t)
	l.submit(node, app, ask)
	for _, path := range []string{"/v1/asks?limit=10", "/v1/nodes/n1"} {
		first := l.do("GET", path, "")
		tag := first.header.Get("ETag")
		if first.status != http.StatusOK || tag == "" {
			t.Fatalf("found %+v", first)
		}
		if r := l.do("GET", path, "", "If-None-Match", `"other", `+tag); r.status != http.StatusNotModified || r.body != "" || r.header.Get("ETag") != tag {
			t.Errorf("%s: found %+v", path, r)
		}
		l.submit(`{"type":"node.update","id":"n1","attributes":{"path":"` + path + `"}}`) // brings no decision
		if r := l.do("GET", path, "", "If-None-Match", tag); r.status != http.StatusOK || r.header.Get("ETag") == tag {
			t.Errorf("%s: found %+v", path, r)
		}
	}
	if r := l.do("GET", "/v1/nodes/n9", ""); r.status != http.StatusNotFound || r.header.Get("ETag") != "" {
		t.Errorf("found %+v", r)
	}
}

func TestLongAnswersAreCompressedAsClientsTakeThem(t *testing.T) {
	l := start(t)
	for _, id := range strings.Fields("a b c d e f g h i j k l m n o p q r s t") {
		l.submit(`{"type":"node.add","id":"` + id + `","capacity":{"vcore":8}}`)
	}
	plain := l.do("GET", "/v1/nodes", "").body
	readers := map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	for coding, open := range readers {
		r := l.do("GET", "/v1/nodes", "", "Accept-Encoding", coding)
		body, err := open(strings.NewReader(r.body))
		if err != nil {
			t.Fatalf("%s: %v: %+v", coding, err, r.header)
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != plain || len(r.body) >= len(plain) || r.header.Get("Content-Encoding") != coding {
			t.Errorf("%s: found %d bytes for %d, %v", coding, len(r.body), len(plain), err)
		}
	}
	if r := l.do("GET", "/v1/nodes/a", "", "Accept-Encoding", "gzip"); r.header.Get("Content-Encoding") != "" {
		t.Errorf("a short answer: found %+v", r.header)
	}
}

func TestStreamsEndWithAReason(t *testing.T) {
	for accept, want := range map[string]string{
		"application/jsonl": `{"type":"end","reason":"stopping"}`,
		"text/event-stream": "event: end\ndata: {\"reason\":\"stopping\"}",
	} {
		l := start(t)
		l.submit(node)
		request, err := http.NewRequest(http.MethodGet, l.address+"/v1/decisions?follow=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", accept)
		request.Header.Set("Accept-Encoding", "gzip")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		stream := bufio.NewReader(response.Body)
		if line, err := stream.ReadString('\n'); err != nil || !strings.Contains(line+"data", "data") && !json.Valid([]byte(line)) {
			t.Errorf("%s: found %q, %v", accept, line, err)
		}
		l.host.End()
		rest, err := io.ReadAll(stream)
		if err = errors.Join(err, response.Body.Close()); err != nil || !strings.HasSuffix(strings.TrimRight(string(rest), "\n"), want) {
			t.Errorf("%s: found %q, %v", accept, rest, err)
		}
	}
}
