package rest_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/observe/metrics"
)

var update = flag.Bool("update", false, "write docs/reference/http.md anew")

const referenceFile = "../../../docs/reference/http.md"

// TestTheReferenceIsMadeFromTheDescription holds docs/reference/http.md against the description that the host serves.
func TestTheReferenceIsMadeFromTheDescription(t *testing.T) {
	l := start(t)
	text := reference(append(slices.Clip(l.routes), web.Route{Pattern: "GET /openapi.json"}), l.description()) + others()
	if *update {
		if err := os.WriteFile(referenceFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := os.ReadFile(referenceFile); err != nil || string(found) != text {
		t.Errorf("docs/reference/http.md is not as the routes are (%v): write it with go test ./host/api/rest -run Reference -update", err)
	}
}

func reference(routes []web.Route, o *web.OpenAPI) string {
	var b strings.Builder
	b.WriteString("# Routes of a live scheduler\n\nThis page is made from what a host serves at `GET /openapi.json`, an OpenAPI 3.1 description.\n" +
		"[A live scheduler](../run-live/serving.md) says how the routes are used. Errors are problem details; any route may answer 400, 401, 403, 421 and 429.\n" +
		"A path that does not take the method of a request answers 405, with the methods that it takes in `Allow`.\n")
	for _, r := range routes {
		method, path, _ := strings.Cut(r.Pattern, " ")
		op := o.Paths[path][strings.ToLower(method)]
		fmt.Fprintf(&b, "\n## %s\n\n%s. The least role is `%s`.\n", r.Pattern, op.Summary, op.Role)
		if len(op.Parameters) > 0 {
			b.WriteString("\n| parameter | in | meaning |\n|---|---|---|\n")
		}
		for _, p := range op.Parameters {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, p.In, meaning(&p))
		}
		if op.RequestBody != nil {
			fmt.Fprintf(&b, "\nBody: `%s`.\n", strings.Join(slices.Sorted(maps.Keys(op.RequestBody.Content)), "`, `"))
		}
		for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
			if a := op.Responses[status]; status == "200" {
				for _, kind := range slices.Sorted(maps.Keys(a.Content)) {
					fmt.Fprintf(&b, "\nAnswer: `%s`%s.\n", kind, keysOf(a.Content[kind].Schema))
				}
			}
		}
	}
	return b.String()
}

// others are the routes whose answers are not quern's to describe.
func others() string {
	var b strings.Builder
	b.WriteString("\n## Other routes\n\n| route | least role | answer |\n|---|---|---|\n")
	add := func(routes []web.Route, answer string) {
		for _, r := range routes {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", r.Pattern, r.Needs, answer)
		}
	}
	add(metrics.New(metrics.Options{}).Routes(nil), "[metrics](metrics.md) for Prometheus; with `--metrics-open`, they need no role")
	add(rest.Profiles(), "profiles for `go tool pprof`, whose parameters are those of Go's `net/http/pprof`")
	return b.String()
}

func meaning(p *web.OpenParameter) string {
	switch {
	case p.In == "path":
		return "its name"
	case len(p.Schema.Enum) > 0:
		list := make([]string, 0, len(p.Schema.Enum))
		for _, v := range p.Schema.Enum {
			list = append(list, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(list, " or ") + ": " + p.Description
	}
	return p.Description
}

// keysOf lists the keys of an object; of a page also those of its items.
func keysOf(s *jsonschema.Schema) string {
	if len(s.Properties) == 0 {
		return ""
	}
	text := " with `" + strings.Join(slices.Sorted(maps.Keys(s.Properties)), "`, `") + "`"
	if items := s.Properties["items"]; items != nil {
		text += "; an item has `" + strings.Join(slices.Sorted(maps.Keys(items.Items.Properties)), "`, `") + "`"
	}
	return text
}
