package rest_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// guarded is a live scheduler with tokens.
func guarded(t *testing.T, users ...string) *live {
	t.Helper()
	return guardedWith(t, knows(t, users...))
}

// knows is what knows users by their tokens.
func knows(t *testing.T, users ...string) *auth.Authenticator {
	t.Helper()
	a, err := auth.New(auth.Options{Tokens: authtest.Tokens(t, users...), Log: slog.New(slog.DiscardHandler), Now: authtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// guardedWith is a live scheduler whose callers an authenticator knows, with changes to its usual options.
func guardedWith(t *testing.T, a *auth.Authenticator, changes ...func(*server.Options)) *live {
	t.Helper()
	host := livetest.Start(t, changes...)
	routes := rest.New(host.Server).Routes()
	described, err := web.Describe(routes)
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer((&web.Guard{Auth: a}).Handler(routes...))
	t.Cleanup(site.Close)
	return &live{t, host, site.URL, routes, described}
}

// as sends inputs with the token of a user.
func (l *live) as(user string, lines ...string) reply {
	l.Helper()
	return l.do("POST", "/v1/inputs", strings.Join(lines, "\n"), "Authorization", "Bearer "+user)
}

const accessQueues = `{"type":"config.set","config":"partitions: [{name: default, queues: [{name: root, submitacl: ' ', queues: ` +
	`[{name: a, submitacl: 'ann,bob', adminacl: 'kim'}, {name: b, submitacl: '* all'}, {name: c, submitacl: 'zoe'}]}]}]"}`

func TestASubmitterSendsItsOwn(t *testing.T) {
	l := guarded(t, "ann=submitter", "bob=submitter", "kim=submitter", "eva=viewer", "op=operator", "root=admin", "rm")
	if r := l.as("root", accessQueues, node); r.status != http.StatusOK || !strings.Contains(r.body, "config.accepted") {
		t.Fatalf("found %+v", r)
	}
	if r := l.as("ann", `{"type":"app.add","id":"a1","queue":"root.a"}`, `{"type":"ask.add","id":"k1","app":"a1","resources":{"vcore":1}}`); r.status != http.StatusOK || !strings.Contains(r.body, "allocation") {
		t.Fatalf("found %+v", r)
	}
	if r := l.do("GET", "/v1/apps?user=ann", "", "Authorization", "Bearer eva"); r.status == http.StatusOK && !strings.Contains(r.body, `"a1"`) {
		t.Errorf("the application is not that of ann: %s", r.body)
	}
	const other, ask = "this belongs to another user's application", `{"type":"ask.add","id":"k9","app":"a1","resources":{"vcore":1}}`
	for name, c := range map[string]struct {
		user, line string
		status     int
		has        string
	}{
		"a queue that is closed":         {"ann", `{"type":"app.add","id":"x","queue":"root.c"}`, 200, "access-denied"},
		"as itself":                      {"ann", `{"type":"app.add","id":"a2","queue":"root.a","user":"ann","groups":["all"]}`, 200, "app.accepted"},
		"as another":                     {"ann", `{"type":"app.add","id":"x","queue":"root.a","user":"bob"}`, 403, "user names another user"},
		"with other groups":              {"ann", `{"type":"app.add","id":"x","queue":"root.a","groups":["ops"]}`, 403, "groups are not yours"},
		"by another":                     {"ann", `{"type":"app.add","id":"x","queue":"root.a","by":"bob"}`, 403, "by names another user"},
		"by force":                       {"ann", `{"type":"app.add","id":"x","queue":"root.c","tags":{"application.create.force":"true"}}`, 403, "tags"},
		"as a resource manager's":        {"ann", `{"type":"app.add","id":"x","queue":"root.c","tags":{"quern/rm":"rm-1"}}`, 403, "quern/"},
		"with a quota":                   {"ann", `{"type":"app.add","id":"x","queue":"root.a","tags":{"namespace.resourcequota":"{}"}}`, 403, "tags"},
		"an ask of another":              {"bob", ask, 403, "input 1: ask.add: " + other},
		"a release of another":           {"bob", `{"type":"allocation.release","id":"k1"}`, 403, other},
		"a removal of another":           {"bob", `{"type":"app.remove","id":"a1"}`, 403, other},
		"an update of another":           {"bob", `{"type":"ask.update","id":"k1","priority":3}`, 403, other},
		"of nobody":                      {"bob", `{"type":"allocation.release","id":"nothing"}`, 403, other},
		"another's, said to be added":    {"bob", `{"type":"app.add","id":"a1","queue":"root.b"}` + "\n" + ask, 403, "input 2: ask.add: " + other},
		"another's ask, said to be ours": {"bob", `{"type":"app.add","id":"b7","queue":"root.b"}` + "\n" + `{"type":"ask.add","id":"k1","app":"b7","resources":{"vcore":1}}` + "\n" + `{"type":"ask.remove","id":"k1"}`, 403, "input 3: ask.remove: " + other},
		"an administrator of the queue":  {"kim", ask, 200, ""},
		"a node":                         {"ann", node, 403, "node.add: this needs another role"},
		"a drain":                        {"ann", `{"type":"node.drain","id":"n1"}`, 403, "another role"},
		"a move":                         {"ann", `{"type":"app.move","id":"a1","queue":"root.b"}`, 403, "another role"},
		"a restore":                      {"ann", `{"type":"allocation.restore","id":"k8","app":"a1","placed_on":"n1","resources":{"vcore":1}}`, 403, "another role"},
		"a configuration":                {"op", accessQueues, 403, "config.set: this needs another role"},
		"a policy":                       {"op", `{"type":"policy.remove","name":"p"}`, 403, "another role"},
		"a viewer":                       {"eva", ask, 403, "permission_denied"},
		"a resource manager":             {"rm", ask, 403, "permission_denied"},
		"an operator, for others":        {"op", `{"type":"app.add","id":"a3","queue":"root.a","user":"bob"}`, 200, "app.accepted"},
		"an operator's node":             {"op", `{"type":"node.add","id":"n2","capacity":{"vcore":1}}`, 200, "node.accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := l.as(c.user, c.line); r.status != c.status || !strings.Contains(r.body, c.has) {
				t.Errorf("found %+v", r)
			}
		})
	}
	if r := l.as("op", `{"type":"allocation.release","id":"k1"}`); r.status != http.StatusOK {
		t.Errorf("an operator releases for others: found %+v", r)
	}
}

func TestDetails_OnlyForOperators(t *testing.T) {
	l := guarded(t, "ann=submitter", "bob=submitter", "kim=viewer", "eva=viewer", "op=operator", "root=admin")
	if r := l.as("root", accessQueues, node); r.status != http.StatusOK {
		t.Fatalf("found %+v", r)
	}
	if r := l.as("ann", `{"type":"app.add","id":"a1","queue":"root.a"}`, `{"type":"ask.add","id":"k1","app":"a1","resources":{"vcore":9}}`); r.status != http.StatusOK {
		t.Fatalf("found %+v", r)
	}
	for path, may := range map[string]string{
		"/v1/asks/k1/explanation":       "ann kim op root",
		"/v1/apps/a1/explanation":       "ann kim op root",
		"/v1/asks/nothing/explanation":  "op root",
		"/v1/asks/k1/forecast":          "ann kim op root",
		"/v1/asks/nothing/forecast":     "op root",
		"/v1/asks/k1/victims":           "op root",
		"/v1/consolidation?ask=k1":      "op root",
		"/v1/queues/root.a/explanation": "ann bob kim eva op root",
	} {
		for _, user := range []string{"ann", "bob", "kim", "eva", "op", "root"} {
			r := l.do("GET", path, "", "Authorization", "Bearer "+user)
			if told := r.status != http.StatusForbidden; told != strings.Contains(" "+may+" ", " "+user+" ") {
				t.Errorf("%s asks %s: found %d %s", user, path, r.status, r.body)
			}
		}
	}
	for user, want := range map[string]int{"ann": 403, "eva": 403, "op": 200} {
		if r := l.do("POST", "/v1/what-if", node, "Authorization", "Bearer "+user); r.status != want {
			t.Errorf("%s asks what if: found %+v", user, r)
		}
	}
}

func TestExplanations_OneUserCannotTakeAllShares(t *testing.T) {
	l := guarded(t, "ann=viewer", "bob=viewer")
	explain := func(user string) reply {
		return l.do("GET", "/v1/queues/root.default/explanation", "", "Authorization", "Bearer "+user)
	}
	for n := 0; ; n++ {
		if r := explain("ann"); r.status == http.StatusTooManyRequests && r.header.Get("Retry-After") == "1" {
			break
		} else if r.status != http.StatusOK || n == 10_000 {
			t.Fatalf("found %+v after %d explanations", r, n)
		}
	}
	for range 5 {
		if r := explain("bob"); r.status != http.StatusOK {
			t.Fatalf("bob, who has asked for nothing before, is refused: %+v", r)
		}
	}
}

func TestWalltimes_OwnersShortenThem(t *testing.T) {
	l := guarded(t, "ann=submitter", "kim=submitter", "op=operator", "root=admin")
	l.as("root", accessQueues, node)
	if r := l.as("ann", `{"type":"app.add","id":"a1","queue":"root.a"}`, `{"type":"ask.add","id":"k1","app":"a1","resources":{"vcore":1},"walltime":"1h"}`,
		`{"type":"ask.add","id":"free","app":"a1","resources":{"vcore":1}}`); r.status != http.StatusOK {
		t.Fatalf("found %+v", r)
	}
	const longer = "only administrators of the queue may lengthen a walltime"
	for _, c := range []struct {
		user, line string
		status     int
		has        string
	}{
		{"ann", `{"type":"ask.update","id":"k1","walltime":"61m"}`, 403, longer},
		{"ann", `{"type":"ask.update","id":"k1","walltime":"50m"}`, 200, ""},
		{"ann", `{"type":"ask.update","id":"k1","walltime":"1h"}`, 403, longer},
		{"kim", `{"type":"ask.update","id":"k1","walltime":"2h"}`, 200, ""},
		{"op", `{"type":"ask.update","id":"k1","walltime":"3h"}`, 200, ""},
		{"ann", `{"type":"ask.update","id":"free","walltime":"9h"}`, 200, ""},
		{"ann", `{"type":"ask.add","id":"k2","app":"a1","resources":{"vcore":1},"walltime_overrun":"allow"}`, 403, "walltime_overrun allow needs another role"},
		{"ann", `{"type":"ask.add","id":"k2","app":"a1","resources":{"vcore":1},"walltime_overrun":"end"}`, 200, ""},
		{"op", `{"type":"ask.add","id":"k3","app":"a1","resources":{"vcore":1},"walltime":"1h","walltime_overrun":"allow"}`, 200, ""},
	} {
		if r := l.as(c.user, c.line); r.status != c.status || !strings.Contains(r.body, c.has) {
			t.Errorf("%s %s: found %+v", c.user, c.line, r)
		}
	}
	if r := l.do("GET", "/v1/asks/k1", "", "Authorization", "Bearer op"); !strings.Contains(r.body, `"walltime":"3h0m0s"`) || !strings.Contains(r.body, `"ends":"`) {
		t.Errorf("expected the walltime and the promised end, found %s", r.body)
	}
}

func TestWindows_ByAdministratorsOfRoot(t *testing.T) {
	l := guarded(t, "ann=submitter", "eva=viewer", "kim=submitter", "zoe=submitter", "max=operator", "op=operator", "root=admin", "rm")
	const queues = `{"type":"config.set","config":"partitions: [{name: default, queues: [{name: root, submitacl: '*', adminacl: 'kim,max', queues: [{name: a, adminacl: 'ann'}]}]}, ` +
		`{name: gpu, queues: [{name: root, submitacl: '*', adminacl: 'zoe', queues: [{name: g}]}]}]"}`
	if r := l.as("root", queues, node, `{"type":"node.add","id":"g1","partition":"gpu","capacity":{"vcore":1}}`); r.status != http.StatusOK || !strings.Contains(r.body, "config.accepted") {
		t.Fatalf("found %+v", r)
	}
	const not = "only administrators of root may add and remove windows"
	add := func(id string) string {
		return `{"type":"window.add","id":"` + id + `","from":"2100-01-01T00:00:00Z","nodes":["n1"]}`
	}
	remove := func(id string) string { return `{"type":"window.remove","id":"` + id + `"}` }
	for _, c := range []struct {
		user, line string
		status     int
		has        string
	}{
		{"ann", add("w"), 403, "input 1: window.add: " + not},
		{"op", add("w"), 403, not},
		{"eva", add("w"), 403, "permission_denied"},
		{"rm", add("w"), 403, "permission_denied"},
		{"zoe", add("w"), 403, not},
		{"kim", `{"type":"window.add","id":"w","from":"2100-01-01T00:00:00Z","nodes":["g1"],"partition":"GPU"}`, 403, not},
		{"zoe", `{"type":"window.add","id":"g","from":"2100-01-01T00:00:00Z","nodes":["g1"],"partition":"GPU"}`, 200, "window.accepted"},
		{"kim", add("w"), 200, "window.accepted"},
		{"max", add("m"), 200, "window.accepted"},
		{"root", add("r"), 200, "window.accepted"},
		{"op", `{"type":"node.drain","id":"n1"}` + "\n" + remove("w"), 403, "input 2: window.remove: " + not},
		{"ann", remove("w"), 403, not},
		{"zoe", remove("w"), 403, not},
		{"kim", remove("g"), 403, not},
		{"kim", remove("nothing"), 403, not},
		{"root", remove("nothing"), 200, "unknown-window"},
		{"max", remove("w"), 200, ""},
		{"kim", remove("r"), 200, ""},
		{"zoe", remove("g"), 200, ""},
		{"root", remove("m"), 200, ""},
	} {
		if r := l.as(c.user, c.line); r.status != c.status || !strings.Contains(r.body, c.has) {
			t.Errorf("%s %s: found %+v", c.user, c.line, r)
		}
	}
}
