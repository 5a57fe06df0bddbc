package rest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"github.com/quern-project/quern/host/server"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func queuesYAML(names ...string) string {
	text := "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n"
	for _, name := range names {
		text += "    - name: " + name + "\n"
	}
	return text
}

// put puts a configuration in force that is taken.
func (l *live) put(text string, headers ...string) reply {
	l.Helper()
	r := l.do("PUT", "/v1/config", text, append([]string{"If-Match", "*"}, headers...)...)
	if r.status != http.StatusOK {
		l.Fatalf("the configuration was refused: %+v", r)
	}
	return r
}

func TestAConfigurationIsReadAndReplaced(t *testing.T) {
	l := start(t)
	first := l.do("GET", "/v1/config", "")
	if first.status != 200 || first.header.Get("Content-Type") != "application/yaml" || !strings.Contains(first.body, "name: default") {
		t.Fatalf("found %+v", first)
	}
	text := queuesYAML("a") + "# as written\n"
	r := l.do("PUT", "/v1/config", text, "If-Match", first.header.Get("ETag"), "Content-Type", "application/yaml")
	if r.status != 200 || !strings.Contains(r.body, `"number":1`) {
		t.Fatalf("found %+v", r)
	}
	now := l.do("GET", "/v1/config", "")
	if now.body != text || now.header.Get("ETag") != r.header.Get("ETag") {
		t.Errorf("found %+v", now)
	}
	if again := l.do("GET", "/v1/config", "", "If-None-Match", now.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("found %+v", again)
	}
	if r := l.do("GET", "/v1/queues/root.a", ""); r.status != 200 {
		t.Errorf("the queue is not there: %+v", r)
	}
	l.put("[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"root\"\n", "Content-Type", "application/toml")
	if r := l.do("GET", "/v1/config", ""); r.header.Get("Content-Type") != "application/toml" {
		t.Errorf("found %+v", r)
	}
}

func TestAChangeNamesWhatItWasMadeFor(t *testing.T) {
	l := start(t)
	stale := l.do("GET", "/v1/config", "").header.Get("ETag")
	l.put(queuesYAML("a"))
	for name, c := range map[string]struct {
		path, body string
		headers    []string
		status     int
		problem    string
	}{
		"no condition":       {"", queuesYAML("b"), nil, 428, "precondition_required"},
		"a stale one":        {"", queuesYAML("b"), []string{"If-Match", stale}, 412, "config_changed"},
		"a stale dry run":    {"?dry-run=true", queuesYAML("b"), []string{"If-Match", stale}, 412, "config_changed"},
		"no tag":             {"", queuesYAML("b"), []string{"If-Match", "latest"}, 400, "bad_parameter"},
		"another language":   {"", "{}", []string{"If-Match", "*", "Content-Type", "application/json"}, 415, "unsupported_media_type"},
		"a bad dry run":      {"?dry-run=maybe", queuesYAML("b"), []string{"If-Match", "*"}, 400, "bad_parameter"},
		"another parameter":  {"?force=true", queuesYAML("b"), []string{"If-Match", "*"}, 400, "bad_parameter"},
		"a long key":         {"", queuesYAML("b"), []string{"If-Match", "*", "Idempotency-Key", strings.Repeat("k", 300)}, 400, "bad_input"},
		"an empty body":      {"", "", []string{"If-Match", "*"}, 422, "invalid_config"},
		"a queue that it is": {"", queuesYAML("a", "a"), []string{"If-Match", "*"}, 422, "invalid_config"},
	} {
		r := l.do("PUT", "/v1/config"+c.path, c.body, c.headers...)
		if r.status != c.status || !strings.Contains(r.body, "urn:quern:problem:"+c.problem) {
			t.Errorf("%s: found %d %s", name, r.status, r.body)
		}
	}
	if r := l.do("GET", "/v1/config", ""); r.body != queuesYAML("a") {
		t.Errorf("something was put in force: %s", r.body)
	}
}

func TestWrongConfig_AllPlacesReturned(t *testing.T) {
	l := start(t)
	l.put(queuesYAML("a"))
	l.submit(`{"type":"node.add","id":"n1","capacity":{"vcore":4}}`, `{"type":"app.add","id":"x","queue":"root.a"}`,
		`{"type":"ask.add","id":"x1","app":"x","resources":{"vcore":1}}`)
	type problem struct {
		Detail string
		Errors []struct {
			Line, Column        int
			Queue, Key, Message string
		}
		Warnings []string
	}
	refused := func(method, path, text string) (p problem) {
		t.Helper()
		r := l.do(method, path, text, "If-Match", "*")
		if err := json.Unmarshal([]byte(r.body), &p); err != nil || r.status != 422 || r.header.Get("Content-Type") != "application/problem+json" {
			t.Fatalf("found %d %s", r.status, r.body)
		}
		return p
	}
	wrong := queuesYAML("a") + "      resources: {max: {vcore: many}}\n      maxapplications: -1\n      submitacl: 3,4,5 6 7\n"
	for _, c := range [][2]string{{"PUT", "/v1/config"}, {"PUT", "/v1/config?dry-run=true"}, {"POST", "/v1/config/validate"}} {
		p := refused(c[0], c[1], strings.Replace(wrong, "max: {", "max: {vcoer: 1, ", 1))
		if len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], "config:7:") || !strings.Contains(p.Warnings[0], "vcoer") {
			t.Errorf("%s: found the warnings %q", c, p.Warnings)
		}
		p = refused(c[0], c[1], wrong)
		if len(p.Errors) < 2 || p.Errors[0].Line != 7 || p.Errors[0].Column == 0 || p.Errors[0].Queue != "root.a" || !strings.Contains(p.Errors[0].Message, "many") {
			t.Errorf("%s: found %+v", c, p)
		}
		// What only the scheduler knows: root.a has an application, so it cannot become a parent.
		p = refused(c[0], c[1], queuesYAML("a")+"      queues: [{name: b}]\n")
		if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Message, "root.a: queues: expected a leaf") {
			t.Errorf("%s: found %+v", c, p)
		}
		p = refused(c[0], c[1], "partitions: [{name: default, nodesortpolicy: {type: unheard-of}, queues: [{name: root}]}]")
		if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Key, "nodesortpolicy") {
			t.Errorf("%s: found %+v", c, p)
		}
	}
	if r := l.do("POST", "/v1/config/validate", queuesYAML("a", "b")); r.status != 200 || r.body != "{\"valid\":true,\"warnings\":[]}\n" {
		t.Errorf("found %+v", r)
	}
	if r := l.do("GET", "/v1/decisions?type=config.rejected", ""); strings.Count(r.body, "\n") != 1 {
		t.Errorf("the scheduler was asked about more than the one text that only it can judge: %s", r.body)
	}
}

func TestDryRun_ListsDifferencesChangesNothing(t *testing.T) {
	l := start(t)
	l.put(queuesYAML("a", "b"))
	tag := l.do("GET", "/v1/config", "").header.Get("ETag")
	r := l.do("PUT", "/v1/config?dry-run=true", queuesYAML("a")+"      resources: {max: {vcore: 4}}\n", "If-Match", tag)
	var got struct {
		DryRun      bool `json:"dry_run"`
		Differences []struct{ Queue, Key, Change, To string }
	}
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.status != 200 || !got.DryRun {
		t.Fatalf("found %+v", r)
	}
	if want := "[{root.a resources.max.vcore added 4000m} {root.b  removed }]"; fmt.Sprint(got.Differences) != want {
		t.Errorf("found %v", got.Differences)
	}
	if r := l.do("GET", "/v1/config", ""); r.header.Get("ETag") != tag {
		t.Errorf("the dry run changed something: %+v", r)
	}
}

func TestTheHistoryHoldsWhatWasInForce(t *testing.T) {
	l := start(t)
	if r := l.do("GET", "/v1/config/history", ""); r.body != "{\"items\":[]}\n" {
		t.Errorf("found %s", r.body)
	}
	l.put(queuesYAML("a"))
	l.put(queuesYAML("b"))
	var h struct {
		Items []struct {
			Number                   int
			At, Source, SHA256, ETag string
		}
	}
	if err := json.Unmarshal([]byte(l.do("GET", "/v1/config/history", "").body), &h); err != nil {
		t.Fatal(err)
	}
	if len(h.Items) != 2 || h.Items[0].Number != 2 || h.Items[1].Source != "api" || len(h.Items[1].SHA256) != 64 || !strings.HasSuffix(h.Items[1].At, "Z") {
		t.Fatalf("found %+v", h)
	}
	old := l.do("GET", "/v1/config/history/1", "")
	if old.body != queuesYAML("a") || old.header.Get("ETag") != h.Items[1].ETag {
		t.Errorf("found %+v", old)
	}
	l.put(old.body) // which is how one rolls back
	if r := l.do("GET", "/v1/config", ""); r.body != old.body || r.header.Get("ETag") == h.Items[1].ETag {
		t.Errorf("found %+v", r)
	}
	for _, number := range []string{"0", "4", "-1", "01", "x"} {
		if r := l.do("GET", "/v1/config/history/"+number, ""); r.status != 404 {
			t.Errorf("%s: found %+v", number, r)
		}
	}
}

// Writers that saw the same configuration race, as often as it takes for some of them to come in one round of the loop.
func TestTwoWriters_OneGetsAConflict(t *testing.T) {
	l := start(t)
	const writers = 4
	for round := range 25 {
		tag := l.do("GET", "/v1/config", "").header.Get("ETag")
		var all sync.WaitGroup
		statuses := make([]int, writers)
		for i := range writers {
			all.Go(func() {
				statuses[i] = l.do("PUT", "/v1/config", queuesYAML(fmt.Sprintf("q%d-%d", round, i)), "If-Match", tag).status
			})
		}
		all.Wait()
		won := -1
		for i, status := range statuses {
			switch {
			case status == http.StatusOK && won < 0:
				won = i
			case status != http.StatusPreconditionFailed:
				t.Fatalf("round %d: found %v", round, statuses)
			}
		}
		if won < 0 {
			t.Fatalf("round %d: nobody won", round)
		}
		if r := l.do("GET", "/v1/config", ""); r.body != queuesYAML(fmt.Sprintf("q%d-%d", round, won)) {
			t.Fatalf("round %d: %d won, in force is %s", round, won, r.body)
		}
	}
}

func TestARepeatedChangeGetsTheFirstAnswer(t *testing.T) {
	l := start(t)
	tag := l.do("GET", "/v1/config", "").header.Get("ETag")
	first := l.do("PUT", "/v1/config", queuesYAML("a"), "If-Match", tag, "Idempotency-Key", "k")
	again := l.do("PUT", "/v1/config", queuesYAML("a"), "If-Match", tag, "Idempotency-Key", "k")
	if first.status != 200 || again.status != 200 || again.body != first.body {
		t.Errorf("found %+v and %+v", first, again)
	}
	if r := l.do("PUT", "/v1/config", queuesYAML("b"), "If-Match", tag, "Idempotency-Key", "k2"); r.status != 412 {
		t.Errorf("found %+v", r)
	}
	// The key of a refused change is free again.
	if r := l.put(queuesYAML("b"), "Idempotency-Key", "k2"); !strings.Contains(r.body, `"number":2`) {
		t.Errorf("found %+v", r)
	}
}

func TestWrongFile_IsRefused(t *testing.T) {
	l := start(t)
	l.host.WatchConfig(server.ConfigOrigin{File: "queues.yaml", Source: server.FromFile})
	l.host.FaultConfig(errors.New("queues.yaml:3:1: wrong\nqueues.yaml:4:1: wrong, too"))
	if r := l.do("GET", "/v1/config", ""); r.header.Get("Quern-Config-File-Error") != "queues.yaml:3:1: wrong" {
		t.Errorf("found %+v", r)
	}
	if r := l.do("GET", "/v1/config/history", ""); !strings.Contains(r.body, `"file":{"file":"queues.yaml","error":"queues.yaml:3:1: wrong\nqueues.yaml:4:1: wrong, too","since":"`) {
		t.Errorf("found %s", r.body)
	}
	l.host.FaultConfig(nil)
	if r := l.do("GET", "/v1/config", ""); r.header.Get("Quern-Config-File-Error") != "" {
		t.Errorf("found %+v", r)
	}
}
