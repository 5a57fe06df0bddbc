package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quern-project/quern/host/api/web"
)

// description reads the description of the API that the host serves.
func (l *live) description() *web.OpenAPI {
	l.Helper()
	var o web.OpenAPI
	if err := json.Unmarshal([]byte(l.do("GET", "/openapi.json", "").body), &o); err != nil {
		l.Fatal(err)
	}
	return &o
}

func TestTheDescriptionHasTheRoutesThatThereAre(t *testing.T) {
	l := start(t)
	o := l.description()
	found := 0
	for _, methods := range o.Paths {
		found += len(methods)
	}
	routes := l.routes
	if found != len(routes)+1 {
		t.Errorf("expected %d routes and the description, found %d", len(routes), found)
	}
	for _, r := range routes {
		method, path, _ := strings.Cut(r.Pattern, " ")
		op, ok := o.Paths[path][strings.ToLower(method)]
		if !ok || op.Summary == "" || op.Role != r.Needs.String() || len(op.Responses) == 0 {
			t.Errorf("%s: found %+v", r.Pattern, op)
		}
	}
}

// TestRoutesTakeTheParametersThatAreDescribed sends each parameter of each route, and one that no route has.
func TestRoutesTakeTheParametersThatAreDescribed(t *testing.T) {
	l := start(t)
	l.submit(node, app, ask, big, member, `{"type":"window.add","id":"w1","from":"2100-01-01T00:00:00Z","nodes":["n1"],"users":["ann"]}`)
	var page struct{ Continue string }
	if err := json.Unmarshal([]byte(l.do("GET", "/v1/asks?limit=1", "").body), &page); err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("queues/{name}", "queues/root.default", "nodes/{name}", "nodes/n1", "apps/{name}", "apps/a1", "asks/{name}", "asks/k2", "policies/{name}", "policies/none", "gangs/{app}/{gang}", "gangs/a1/g1", "windows/{name}", "windows/w1")
	for path, methods := range l.description().Paths {
		for method, op := range methods {
			body := ""
			if op.RequestBody != nil {
				body = `{"type":"tick"}`
				if strings.HasPrefix(path, "/v1/config") {
					body = queuesYAML("default")
				} else if op.RequestBody.Content["application/json"].Schema != nil {
					body = "{}"
				}
			}
			ask := func(name, value string) reply {
				query := url.Values{name: {value}}
				if name == "groups" { // of somebody
					query.Set("user", "ann")
				}
				return l.do(strings.ToUpper(method), names.Replace(path)+"?"+query.Encode(), body)
			}
			for _, p := range op.Parameters {
				if p.In != "query" || path == "/v1/consolidation" && p.Name != "ask" { // the others are given together
					continue
				}
				value := "state"
				switch {
				case p.Name == "continue":
					value = page.Continue
				case p.Name == "fields":
					value = strings.TrimSuffix(strings.Split(path, "/")[2], "s")
				case p.Name == "ask":
					value = "k2"
				case p.Name == "time_limit":
					value = "1s"
				case p.Name == "max":
					value = "vcore=1"
				case p.Name == "tag":
					value = "team=web"
				case len(p.Schema.Enum) > 0:
					value = fmt.Sprint(p.Schema.Enum[len(p.Schema.Enum)-1])
				case p.Schema.Type == "integer":
					value = "1"
				}
				if r := ask(p.Name, value); r.status != http.StatusOK {
					t.Errorf("%s %s: %s=%s: found %+v", method, path, p.Name, value, r)
				}
			}
			if r := ask("colour", "red"); r.status != http.StatusBadRequest || !strings.Contains(r.body, "bad_parameter") {
				t.Errorf("%s %s: a parameter that it has not: found %+v", method, path, r)
			}
		}
	}
}

// check holds an answer against the description of its route.
func (l *live) check(o *web.OpenAPI, method, path string, r *reply) {
	l.Helper()
	path, _, _ = strings.Cut(path, "?")
	op, ok := operation(o, method, path)
	if !ok {
		return
	}
	described, ok := op.Responses[strconv.Itoa(r.status)]
	if !ok {
		l.Errorf("%s %s: the description has no status %d", method, path, r.status)
		return
	}
	kind := r.header.Get("Content-Type")
	media, ok := described.Content[kind]
	if !ok && len(described.Content) > 0 {
		l.Errorf("%s %s: the description has no %s", method, path, kind)
	}
	if !ok || media.Schema.Type == "string" {
		return
	}
	schema := media.Schema
	if schema.Ref != "" {
		schema = o.Components.Schemas["Problem"]
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		l.Fatal(err)
	}
	if r.header.Get("Content-Encoding") != "" {
		return // another test reads it
	}
	texts := []string{r.body}
	if kind == "application/jsonl" {
		texts = strings.Split(strings.TrimSuffix(r.body, "\n"), "\n")
	}
	for _, text := range slices.DeleteFunc(texts, func(text string) bool { return text == "" }) {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			l.Errorf("%s %s: %v: %s", method, path, err, text)
		} else if err := resolved.Validate(value); err != nil && !strings.Contains(r.asked, "fields=") { // the description is of whole objects
			l.Errorf("%s %s: %v: %s", method, path, err, text)
		}
	}
}

// operation is the route that a path means.
func operation(o *web.OpenAPI, method, path string) (op web.Operation, ok bool) {
	if op, ok = o.Paths[path][strings.ToLower(method)]; ok {
		return op, ok
	}
	parts := strings.Split(path, "/")
	if len(parts) > 3 {
		parts[3] = "{name}"
	}
	if len(parts) > 4 && parts[2] == "gangs" {
		parts[3], parts[4] = "{app}", "{gang}"
	}
	op, ok = o.Paths[strings.Join(parts, "/")][strings.ToLower(method)]
	return op, ok
}

func TestAnAnswerThatIsNotAsDescribedIsFound(t *testing.T) {
	l := start(t)
	schema := l.description().Paths["/v1/asks"]["get"].Responses["200"].Content["application/json"].Schema
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"items":[]}`, `{"items":{},"seq":1}`, `{"items":[{"ask":"k1"}],"seq":1}`, `{"items":[],"seq":1,"more":true}`, `{"items":[],"seq":"1"}`} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if resolved.Validate(value) == nil {
			t.Errorf("%s is taken for an answer", text)
		}
	}
}
