package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// unknown answers requests that no route takes, and names those that may have been meant.
func unknown(routes []Route) Handler {
	return func(_ http.ResponseWriter, r *http.Request) error {
		detail := fmt.Sprintf("%s %s", r.Method, r.URL.Path)
		var methods []string
		search := nearest.For(r.URL.Path)
		for _, route := range routes {
			method, path := likePath(route.Pattern, r.URL.Path)
			if path == r.URL.Path {
				methods = append(methods, method)
			}
			if path != "" {
				search.Look(path)
			}
		}
		if len(methods) > 0 {
			return NewProblem(http.StatusNotFound, "not_found", "There is no such route", detail+"; the methods of this path: "+strings.Join(methods, ", "))
		}
		return NewProblem(http.StatusNotFound, "not_found", "There is no such route", detail+nearest.Hint(search.Found()))
	}
}

// likePath returns the method of a pattern, and its path with the names that a request has in the places of the pattern's; empty: they
// have different numbers of parts.
func likePath(pattern, request string) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	parts, given := strings.Split(path, "/"), strings.Split(request, "/")
	if len(parts) != len(given) {
		return method, ""
	}
	for i := range parts {
		if strings.HasPrefix(parts[i], "{") {
			parts[i] = given[i]
		}
	}
	return method, strings.Join(parts, "/")
}
