package web

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/format"
)

// OpenAPI is a description of routes: the part of OpenAPI 3.1 that is used here.
type OpenAPI struct {
	OpenAPI    string                          `json:"openapi"`
	Info       map[string]string               `json:"info"`
	Paths      map[string]map[string]Operation `json:"paths"` // by path and method
	Components Components                      `json:"components"`
}

// Operation is a route.
type Operation struct {
	OperationID string                `json:"operationId"`
	Summary     string                `json:"summary,omitempty"`
	Role        string                `json:"x-role"` // the least that may ask
	Parameters  []OpenParameter       `json:"parameters,omitempty"`
	RequestBody *OpenContent          `json:"requestBody,omitempty"`
	Responses   map[string]OpenAnswer `json:"responses"` // by status
	Security    []map[string][]string `json:"security"`
}

// OpenParameter is a parameter of an operation.
type OpenParameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"`
	Description string             `json:"description,omitempty"`
	Required    bool               `json:"required,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

// OpenContent is a body, by media type.
type OpenContent struct {
	Content map[string]OpenMedia `json:"content,omitempty"`
}

// OpenAnswer is an answer.
type OpenAnswer struct {
	Description string               `json:"description"`
	Content     map[string]OpenMedia `json:"content,omitempty"`
}

// OpenMedia is the schema of a body.
type OpenMedia struct {
	Schema *jsonschema.Schema `json:"schema"`
}

// Components are what operations share.
type Components struct {
	Schemas         map[string]*jsonschema.Schema `json:"schemas"`
	SecuritySchemes map[string]map[string]string  `json:"securitySchemes"`
}

// Describe describes routes.
func Describe(routes []Route) (*OpenAPI, error) {
	problem, err := schemaOf(Problem{})
	if err != nil {
		return nil, err
	}
	o := &OpenAPI{
		OpenAPI: "3.1.0", Info: map[string]string{"title": "Quern", "version": "1"}, Paths: map[string]map[string]Operation{},
		Components: Components{
			Schemas:         map[string]*jsonschema.Schema{"Problem": problem},
			SecuritySchemes: map[string]map[string]string{"bearer": {"type": "http", "scheme": "bearer"}, "certificate": {"type": "mutualTLS"}},
		},
	}
	for i := range routes {
		method, path, ok := strings.Cut(routes[i].Pattern, " ")
		if !ok { // any method may be used: reading is what it is for
			method, path = http.MethodGet, routes[i].Pattern
		}
		op, err := operationOf(&routes[i], path)
		if err != nil {
			return nil, err
		}
		if o.Paths[path] == nil {
			o.Paths[path] = map[string]Operation{}
		}
		o.Paths[path][strings.ToLower(method)] = op
	}
	return o, nil
}

var (
	pathParameter = regexp.MustCompile(`\{(\w+)(\.\.\.)?\}`)
	notOfAName    = regexp.MustCompile(`\W+`)
)

func operationOf(r *Route, path string) (Operation, error) {
	op := Operation{
		OperationID: strings.Trim(notOfAName.ReplaceAllString(r.Pattern, "_"), "_"), Role: r.Needs.String(), Responses: map[string]OpenAnswer{}, Security: []map[string][]string{},
	}
	if r.Needs > auth.Anyone {
		op.Security = []map[string][]string{{"bearer": {}}, {"certificate": {}}}
	}
	for _, p := range pathParameter.FindAllStringSubmatch(path, -1) {
		op.Parameters = append(op.Parameters, OpenParameter{Name: p[1], In: "path", Required: true, Schema: &jsonschema.Schema{Type: "string"}})
	}
	d := r.Doc
	if d == nil {
		op.Responses["200"] = OpenAnswer{Description: "OK"}
		return op, nil
	}
	op.Summary = d.Summary
	for _, p := range d.Parameters {
		op.Parameters = append(op.Parameters, p.open())
	}
	if len(d.Body) > 0 {
		op.RequestBody = &OpenContent{map[string]OpenMedia{}}
	}
	for _, kind := range d.Body {
		op.RequestBody.Content[kind] = OpenMedia{&jsonschema.Schema{Type: "string"}}
	}
	answer := OpenAnswer{Description: "OK", Content: map[string]OpenMedia{}}
	for _, c := range d.Answers {
		schema := &jsonschema.Schema{Type: "string"}
		if c.Of != nil {
			var err error
			if schema, err = schemaOf(c.Of); err != nil {
				return op, err
			}
		}
		answer.Content[c.Type] = OpenMedia{schema}
	}
	op.Responses["200"] = answer
	for _, status := range slices.Concat(d.Problems, common) {
		op.Responses[strconv.Itoa(status)] = problemAnswer(status)
	}
	return op, nil
}

// common are the statuses that any route may answer with.
var common = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusTooManyRequests}

// problemAnswer is an answer that is no success.
func problemAnswer(status int) OpenAnswer {
	a := OpenAnswer{Description: http.StatusText(status)}
	if status >= http.StatusBadRequest {
		a.Content = map[string]OpenMedia{"application/problem+json": {&jsonschema.Schema{Ref: "#/components/schemas/Problem"}}}
	}
	return a
}

func (p *Parameter) open() OpenParameter {
	o := OpenParameter{Name: p.Name, In: "query", Description: p.Text, Schema: &jsonschema.Schema{Type: "string"}}
	if p.Header {
		o.In = "header"
	}
	if p.Number {
		o.Schema.Type = "integer"
	}
	if p.Many {
		o.Schema = &jsonschema.Schema{Type: "array", Items: o.Schema}
	}
	for _, v := range p.Values {
		o.Schema.Enum = append(o.Schema.Enum, v)
	}
	return o
}

// schemaOf is the schema of what a value is written as.
func schemaOf(v any) (*jsonschema.Schema, error) {
	quantities := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Types: []string{"string", "integer"}}}
	return jsonschema.ForType(reflect.TypeOf(v), &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[format.Set](): quantities, reflect.TypeFor[format.Limits](): quantities, reflect.TypeFor[json.RawMessage](): {Type: "object"},
	}})
}

// description answers with the description of routes.
func description(routes []Route) Route {
	r := Route{Pattern: "GET /openapi.json", Needs: auth.Viewer, Doc: &Doc{Summary: "This description", Answers: JSON(map[string]any{})}}
	text := sync.OnceValues(func() ([]byte, error) {
		o, err := Describe(append(slices.Clip(routes), r))
		if err != nil {
			return nil, err
		}
		return json.Marshal(o)
	})
	r.Handler = Handler(func(w http.ResponseWriter, _ *http.Request) error {
		body, err := text()
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // who asked may be gone
		return nil
	})
	return r
}
