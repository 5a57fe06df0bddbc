package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// Doc describes a route to its clients. A route that has one takes the parameters that it names, and no others.
type Doc struct {
	Summary    string
	Parameters []Parameter // of the query, and headers
	Body       []string    // the media types that the request may have; none: it has no body
	Answers    []Content   // with status 200, by media type
	Problems   []int       // statuses, beside those that any route may answer with
}

// Parameter is one of the query, or a header.
type Parameter struct {
	Name   string
	Header bool
	Text   string
	Values []string // that it may have; none: any
	Number bool
	Many   bool // it may come several times
}

// Content is what an answer has.
type Content struct {
	Type string // media
	Of   any    // a value of the type that is written as JSON; of JSON Lines that of a line; nil: text
}

// JSON is an answer of one object.
func JSON(of any) []Content { return []Content{{Type: "application/json", Of: of}} }

// described holds requests against what a route says of itself.
func described(d *Doc, next http.Handler) http.Handler {
	return Handler(func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		for name, values := range query {
			known := slices.IndexFunc(d.Parameters, func(p Parameter) bool { return !p.Header && p.Name == name })
			switch {
			case known < 0:
				return badParameter(fmt.Sprintf("%q: expected %s%s", name, d.list(), nearest.Hint(nearest.Names(name, d.names()))))
			case len(values) > 1 && !d.Parameters[known].Many:
				return badParameter(fmt.Sprintf("%s: expected one value, found %q", name, values))
			}
			if p := d.Parameters[known]; len(p.Values) > 0 && values[0] != "" && !slices.Contains(p.Values, values[0]) {
				return badParameter(fmt.Sprintf("%s: expected %s, found %q", name, strings.Join(p.Values, " or "), values[0]))
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

func badParameter(detail string) error {
	return NewProblem(http.StatusBadRequest, "bad_parameter", "A parameter is invalid", detail)
}

// names lists the parameters of the query.
func (d *Doc) names() (list []string) {
	for _, p := range d.Parameters {
		if !p.Header {
			list = append(list, p.Name)
		}
	}
	return list
}

// list says which parameters of the query there are.
func (d *Doc) list() string {
	names := d.names()
	if len(names) == 0 {
		return "no parameter"
	}
	return "one of " + strings.Join(names, ", ")
}
