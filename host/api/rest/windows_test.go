package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestWindows_AreReadAndExplained(t *testing.T) {
	l := start(t)
	l.do("POST", "/v1/inputs", strings.Join([]string{node, `{"type":"app.add","id":"a","queue":"root.default","user":"ann"}`,
		`{"type":"ask.add","id":"k","app":"a","resources":{"vcore":1}}`}, "\n"))
	l.do("POST", "/v1/inputs", strings.Join([]string{
		`{"type":"window.add","id":"patch","from":"2100-01-01T00:00:00Z","until":"2100-01-01T02:00:00Z","every":"24h","nodes":["n1"]}`,
		`{"type":"window.add","id":"class","from":"2020-01-01T00:00:00Z","nodes":["n1"],"users":["bob"],"queues":["root.x"]}`}, "\n"))
	const class = `{"window":"class","open":true,"from":"2020-01-01T00:00:00Z","nodes":["n1"],"queues":["root.x"],"users":["bob"],"groups":[]}`
	const patch = `{"window":"patch","open":false,"from":"2100-01-01T00:00:00Z","until":"2100-01-01T02:00:00Z","every":"24h0m0s","nodes":["n1"],"queues":[],"users":[],"groups":[]}`
	for path, want := range map[string]string{
		"/v1/windows":                    `{"items":[` + class + `,` + patch + `],`,
		"/v1/windows?limit=1":            `{"items":[` + class + `],"continue":"`,
		"/v1/windows?partition=none":     `{"items":[],`,
		"/v1/windows?fields=window,open": `{"items":[{"window":"class","open":true},{"window":"patch","open":false}]`,
		"/v1/windows/patch":              patch,
	} {
		if r := l.do("GET", path, ""); r.status != http.StatusOK || !strings.HasPrefix(r.body, want) {
			t.Errorf("%s: found %d %s, expected %s", path, r.status, r.body, want)
		}
	}
	for path, want := range map[string]string{
		"/v1/windows/clss":              "class",
		"/v1/windows/clss/explanation":  "class",
		"/v1/windows/patch/explanation": `On its nodes: 1 allocation of others: k of application a on n1 promises no end.`,
	} {
		if r := l.do("GET", path, ""); !strings.Contains(r.body, want) || (r.status == http.StatusOK) != strings.Contains(path, "patch") {
			t.Errorf("%s: found %d %s, expected %s", path, r.status, r.body, want)
		}
	}
}

func TestWindowExplanations_OnlyForOperators(t *testing.T) {
	l := guarded(t, "ann=submitter", "eva=viewer", "op=operator", "root=admin")
	l.as("root", node, `{"type":"window.add","id":"w","from":"2100-01-01T00:00:00Z","nodes":["n1"]}`)
	for user, want := range map[string]int{"ann": 403, "eva": 403, "op": 200, "root": 200} {
		if r := l.do("GET", "/v1/windows/w/explanation", "", "Authorization", "Bearer "+user); r.status != want {
			t.Errorf("%s: found %+v", user, r)
		}
		if r := l.do("GET", "/v1/windows/w", "", "Authorization", "Bearer "+user); r.status != http.StatusOK {
			t.Errorf("%s: found %+v", user, r)
		}
	}
}
