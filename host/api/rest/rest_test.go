package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	"github.com/quern-project/quern/internal/await"
)

// live is a scheduler that is served.
type live struct {
	*testing.T
	host      *livetest.Live
	address   string
	routes    []web.Route
	described *web.OpenAPI
}

func start(t *testing.T, changes ...func(*server.Options)) *live {
	l, _, _ := operated(t, changes...)
	return l
}

// reply is what a request is answered with.
type reply struct {
	asked  string
	status int
	header http.Header
	body   string
}

func (l *live) do(method, path, body string, headers ...string) reply {
	l.Helper()
	request, err := http.NewRequest(method, l.address+path, strings.NewReader(body))
	if err != nil {
		l.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		l.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		l.Fatal(err)
	}
	r := reply{path, response.StatusCode, response.Header, string(text)}
	l.check(l.described, method, path, &r)
	return r
}

// submit sends inputs that are taken.
func (l *live) submit(lines ...string) reply {
	l.Helper()
	r := l.do("POST", "/v1/inputs", strings.Join(lines, "\n"))
	if r.status != http.StatusOK {
		l.Fatalf("the inputs were refused: %+v", r)
	}
	return r
}

const (
	node = `{"type":"node.add","id":"n1","capacity":{"vcore":4}}`
	app  = `{"type":"app.add","id":"a1","queue":"root.default"}`
	ask  = `{"type":"ask.add","id":"k1","app":"a1","resources":{"vcore":1}}`
	big  = `{"type":"ask.add","id":"k2","app":"a1","resources":{"vcore":9}}`
)

func TestInputsAreAnsweredWithTheirDecisions(t *testing.T) {
	l := start(t)
	r := l.submit(node, app, ask, big)
	var a struct {
		First, Last int
		Decisions   []struct {
			Seq            int
			Type, ID, Node string
		}
	}
	if err := json.Unmarshal([]byte(r.body), &a); err != nil {
		t.Fatal(err)
	}
	if a.First != 1 || a.Last != 4 {
		t.Errorf("the inputs have the numbers %d to %d", a.First, a.Last)
	}
	placed := ""
	for _, d := range a.Decisions {
		if d.Type == "allocation" {
			placed += d.ID + " on " + d.Node
		}
	}
	if placed != "k1 on n1" {
		t.Errorf("found %q in %s", placed, r.body)
	}
	if r := l.do("POST", "/v1/inputs?wait=durable", `{"type":"ask.remove","id":"k2"}`); r.body != "{\"first\":5,\"last\":5}\n" {
		t.Errorf("found %s", r.body)
	}
}

func TestARepeatGetsTheFirstAnswer(t *testing.T) {
	l := start(t)
	first := l.do("POST", "/v1/inputs", node, "Idempotency-Key", "one")
	l.submit(app)
	if again := l.do("POST", "/v1/inputs", node, "Idempotency-Key", "one"); again.body != first.body || again.status != http.StatusOK {
		t.Errorf("first %s, then %s", first.body, again.body)
	}
	if other := l.do("POST", "/v1/inputs", app, "Idempotency-Key", "one"); other.status != http.StatusUnprocessableEntity {
		t.Errorf("the same key with another body: %+v", other)
	}
}

func TestBadRequestsChangeNothing(t *testing.T) {
	l := start(t)
	for name, c := range map[string]struct {
		path, body string
		status     int
		has        string
	}{
		"no inputs":         {"/v1/inputs", "\n# nothing\n", 400, "found none"},
		"a bad second line": {"/v1/inputs", node + "\n" + `{"type":"ask.add","id":"k1"}`, 400, `"line":2`},
		"a time":            {"/v1/inputs", `{"at":"1s","type":"tick"}`, 400, `"key":"at"`},
		"a count":           {"/v1/inputs", `{"type":"ask.add","id":"k","app":"a","resources":{"vcore":1},"count":2}`, 400, `count: expected no such key, since on a host each ask is an input of its own, found one","line":1,"key":"count"`},
		"a run":             {"/v1/inputs", `{"type":"ask.add","id":"k","app":"a","resources":{"vcore":1},"run":"1s"}`, 400, `run: expected no such key, since on a host a client releases its allocations by allocation.release, found one`},
		"answers":           {"/v1/inputs", `{"type":"policy.answers","policy":"p","point":"queue.order","call":1,"digest":"00","keys":[]}`, 400, `"key":"type"`},
		"a state":           {"/v1/inputs", `{"type":"state.set","part":1,"parts":1,"snapshot":""}`, 400, `"key":"type"`},
		"a format line":     {"/v1/inputs", `{"type":"journal","version":1}`, 400, `"key":"type"`},
		"a file":            {"/v1/inputs", `{"type":"config.set","file":"/etc/passwd"}`, 400, `"line":1`},
		"no JSON":           {"/v1/inputs", `node.add`, 400, `"line":1`},
		"a parameter":       {"/v1/inputs?waits=durable", node, 400, "waits"},
		"its value":         {"/v1/inputs?wait=long", node, 400, "expected durable"},
	} {
		r := l.do("POST", c.path, c.body)
		if r.status != c.status || !strings.Contains(r.body, c.has) || r.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: found %+v", name, r)
		}
	}
	long := strings.Repeat("k", 300)
	if r := l.do("POST", "/v1/inputs", node, "Idempotency-Key", long); r.status != http.StatusBadRequest {
		t.Errorf("a long key: %+v", r)
	}
	if r := l.do("POST", "/v1/inputs", strings.Repeat(" ", 17<<20)); r.status != http.StatusRequestEntityTooLarge && r.status != http.StatusBadRequest {
		t.Errorf("a body without end: %+v", r)
	}
	if r := l.do("GET", "/v1/decisions", ""); r.body != "" {
		t.Errorf("something was applied: %s", r.body)
	}
}

func TestDecisionsAreListed(t *testing.T) {
	l := start(t)
	l.submit(node, app, ask)
	all := strings.Count(l.do("GET", "/v1/decisions", "").body, "\n")
	for path, want := range map[string]int{
		"?from=3":                   all - 2,
		"?last=2":                   2,
		"?last=1000":                all,
		"?limit=2":                  2,
		"?type=allocation":          1,
		"?app=a1":                   all - 1,
		"?node=n1":                  1,
		"?queue=ROOT.default":       2,
		"?queue=root":               2,
		"?queue=[gpu]root":          2,
		"?queue=root.d":             0,
		"?queue=root.default.x":     0,
		"?id=n1&type=node.accepted": 1,
		"?from=" + "6":              0,
	} {
		if got := strings.Count(l.do("GET", "/v1/decisions"+path, "").body, "\n"); got != want {
			t.Errorf("%s: found %d decisions, expected %d", path, got, want)
		}
	}
	for _, bad := range []string{"?from=0", "?from=x", "?from=99", "?limit=1001", "?last=0", "?last=1001", "?last=2&from=1", "?follow=yes", "?colour=red"} {
		if r := l.do("GET", "/v1/decisions"+bad, ""); r.status != http.StatusBadRequest {
			t.Errorf("%s: %+v", bad, r)
		}
	}
}

func TestDecisionsAreFollowedAndResumed(t *testing.T) {
	l := start(t)
	l.submit(node)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.address+"/v1/decisions", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Last-Event-ID", "1")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // the context ends it
	l.submit(app)
	events := bufio.NewScanner(response.Body)
	var got []string
	for len(got) < 2 && events.Scan() {
		got = append(got, events.Text())
	}
	if len(got) < 2 || got[0] != "id: 2" || !strings.Contains(got[1], `"type":"app.accepted"`) {
		t.Errorf("found %q (%v)", got, events.Err())
	}
}

func TestExplanationsAreThoseOfTheCommandLine(t *testing.T) {
	l := start(t)
	l.submit(node, app, ask, big)
	for path, has := range map[string]string{
		"/v1/asks/k2/explanation":             `"headroom"`,
		"/v1/apps/a1/explanation":             `"app": "a1"`,
		"/v1/queues/root.default/explanation": `"queue": "root.default"`,
		"/v1/asks/k2/victims":                 `"verdict"`,
		"/v1/consolidation?ask=k2":            `"verdict": "no-moves"`,
		"/v1/asks/k2/forecast":                `"played": 39`,
		"/v1/asks/k2/forecast?time_limit=4s":  `"plays": 39`,
	} {
		if r := l.do("GET", path, ""); r.status != http.StatusOK || !strings.Contains(r.body, has) {
			t.Errorf("%s: expected %s, found %+v", path, has, r)
		}
	}
	for path, status := range map[string]int{
		"/v1/asks/nobody/explanation": 404, "/v1/queues/root.x/explanation": 404, "/v1/asks/k1/victims": 409, "/v1/asks/k1/forecast": 409, "/v1/asks/nobody/forecast": 404, "/v1/asks/k2/forecast?time_limit=5s": 400, "/v1/asks/k2/forecast?time_limit=soon": 400, "/v1/consolidation": 400, "/v1/consolidation?ask=nobody": 404, "/v1/consolidation?app=a1&gang=g": 404, "/v1/consolidation?gang=g": 400, "/v1/consolidation?ask=k2&app=a1": 400, "/v1/nothing": 404, "/": 404,
	} {
		if r := l.do("GET", path, ""); r.status != status {
			t.Errorf("%s: found %+v", path, r)
		}
	}
}

func TestFailedStore_ReadOnlyUntilItWrites(t *testing.T) {
	l := start(t)
	l.submit(node)
	l.host.FailStore(true)
	if r := l.do("POST", "/v1/inputs", app); r.status != http.StatusServiceUnavailable || !strings.Contains(r.body, "store_failed") {
		t.Errorf("while the store fails: %+v", r)
	}
	if r := l.do("GET", "/readyz", ""); r.status != http.StatusServiceUnavailable {
		t.Errorf("readiness: %+v", r)
	}
	if r := l.do("GET", "/healthz", ""); r.status != http.StatusOK {
		t.Errorf("health: %+v", r)
	}
	if r := l.do("GET", "/v1/decisions", ""); !strings.Contains(r.body, "node.accepted") {
		t.Errorf("reading: %+v", r)
	}
	l.host.FailStore(false)
	await.True(t, "the host to accept inputs again", func() bool { return l.do("GET", "/readyz", "").status == http.StatusOK })
	if r := l.submit(app); !strings.Contains(r.body, `"first":2`) {
		t.Errorf("found %s", r.body)
	}
}

func TestPagesOfOtherSitesSendNothing(t *testing.T) {
	l := start(t)
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://elsewhere.example"}} {
		if r := l.do("POST", "/v1/inputs", node, headers...); r.status != http.StatusForbidden {
			t.Errorf("%v: found %+v", headers, r)
		}
	}
	request, err := http.NewRequest(http.MethodGet, l.address+"/v1/decisions", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "rebound.example"
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if _ = response.Body.Close(); response.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("another name: found %s", response.Status)
	}
	if r := l.do("GET", "/v1/decisions", ""); r.body != "" {
		t.Errorf("something was applied: %s", r.body)
	}
}

func TestStatesAreListedAndFiltered(t *testing.T) {
	l := start(t)
	l.submit(node, `{"type":"node.add","id":"n2","capacity":{"vcore":4},"attributes":{"zone":"west"}}`, app, ask, big)
	for path, has := range map[string]string{
		"/v1/queues":                         `"queue":"root.default","state":"active","leaf":true`,
		"/v1/queues/root.default":            `"pending_asks":1,"allocations":1`,
		"/v1/nodes?limit=1":                  `"node":"n1"`,
		"/v1/nodes/n2":                       `"attributes":{"zone":"west"}`,
		"/v1/apps?queue=root.default":        `"app":"a1","queue":"root.default","state":"Starting"`,
		"/v1/apps/a1":                        `"pending":1,"allocations":1`,
		"/v1/asks?state=pending":             `{"items":[{"ask":"k2","app":"a1","queue":"root.default","user":"","state":"pending","priority":0,"resources":{"vcore":"9000m"}`,
		"/v1/asks?node=n1":                   `"ask":"k1"`,
		"/v1/asks?app=a1&state=allocated":    `"state":"allocated"`,
		"/v1/asks/k1":                        `"node":"n1"`,
		"/v1/apps?node=n1":                   `{"items":[{"app":"a1","queue":"root.default"`,
		"/v1/apps?node=n1&state=Accepted":    `{"items":[],"seq":6}`,
		"/v1/apps?node=n2":                   `{"items":[],"seq":6}`,
		"/v1/asks?queue=root.other":          `{"items":[],"seq":6}`,
		"/v1/queues?state=Draining&limit=10": `{"items":[],"seq":6}`,
	} {
		if r := l.do("GET", path, ""); r.status != http.StatusOK || !strings.Contains(r.body, has) {
			t.Errorf("%s: expected %s, found %+v", path, has, r)
		}
	}
	for path, status := range map[string]int{
		"/v1/queues/root.x": 404, "/v1/nodes/n9": 404, "/v1/apps/a9": 404, "/v1/asks/k9": 404,
		"/v1/asks?colour=red": 400, "/v1/asks?limit=0": 400, "/v1/asks?continue=!": 400, "/v1/nodes?queue=root": 400,
	} {
		if r := l.do("GET", path, ""); r.status != status {
			t.Errorf("%s: found %+v", path, r)
		}
	}
}

// Between two pages things come and go; none that stays is missed or comes twice, and what comes later is at the end.
func TestPagesGoOnWhereTheyEnded(t *testing.T) {
	l := start(t)
	l.submit(app)
	for _, id := range []string{"b", "d", "f", "h"} {
		l.submit(`{"type":"ask.add","id":"` + id + `","app":"a1","resources":{"vcore":1}}`)
	}
	var got []string
	for token := ""; ; {
		path := "/v1/asks?limit=2"
		if token != "" {
			path += "&continue=" + token
		}
		var p struct {
			Items    []struct{ Ask string }
			Continue string
		}
		if err := json.Unmarshal([]byte(l.do("GET", path, "").body), &p); err != nil {
			t.Fatal(err)
		}
		for _, o := range p.Items {
			got = append(got, o.Ask)
		}
		if token == "" {
			l.submit(`{"type":"ask.remove","id":"d"}`, `{"type":"ask.add","id":"a","app":"a1","resources":{"vcore":1}}`, `{"type":"ask.add","id":"g","app":"a1","resources":{"vcore":1}}`)
		}
		if token = p.Continue; token == "" {
			break
		}
	}
	if want := "b d f h a g"; strings.Join(got, " ") != want {
		t.Errorf("found %v, expected %s", got, want)
	}
}

func TestWhatIf_ChangesNothing(t *testing.T) {
	l := start(t)
	l.submit(node, app)
	if r := l.do("POST", "/v1/what-if", ask+"\n"+big); r.status != http.StatusOK || !strings.Contains(r.body, `"type":"allocation","id":"k1"`) {
		t.Errorf("found %+v", r)
	}
	if r := l.do("GET", "/v1/asks", ""); r.body != "{\"items\":[],\"seq\":2}\n" {
		t.Errorf("something was kept: %s", r.body)
	}
	if r := l.submit(`{"type":"node.drain","id":"n1"}`, ask); strings.Contains(r.body, "allocation") {
		t.Errorf("found %s", r.body)
	}
	if r := l.do("POST", "/v1/what-if", `{"type":"node.resume","id":"n1"}`); !strings.Contains(r.body, `"type":"allocation","id":"k1"`) {
		t.Errorf("found %+v", r)
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"nothing":                     {"", http.StatusBadRequest},
		"a bad line":                  {"x", http.StatusBadRequest},
		"too many":                    {strings.Repeat(node+"\n", 1001), http.StatusRequestEntityTooLarge},
		"what comes behind too many":  {strings.Repeat(node+"\n", 1001) + "x", http.StatusRequestEntityTooLarge},
		"more than a body may have":   {`{"type":"config.set","config":"` + strings.Repeat(" ", 16<<20) + `"}`, http.StatusRequestEntityTooLarge},
		"a configuration of nonsense": {`{"type":"config.set","config":"` + strings.Repeat("[", 1<<20) + `"}`, http.StatusOK},
	} {
		if r := l.do("POST", "/v1/what-if", c.body); r.status != c.want {
			t.Errorf("%s: expected %d, found %d: %.200s", name, c.want, r.status, r.body)
		}
	}
}
