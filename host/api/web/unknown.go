package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// unknown answers requests that no route takes: with the methods of their path, or with the paths that may have been meant.
func unknown(routes []Route) Handler {
	allowed := allows(routes)
	return func(w http.ResponseWriter, r *http.Request) error {
		detail := fmt.Sprintf("%s %s", r.Method, r.URL.Path)
		if methods := allowed(r); len(methods) > 0 {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			return NewProblem(http.StatusMethodNotAllowed, "method_not_allowed", "The route does not take this method",
				detail+"; the methods of this path: "+strings.Join(methods, ", "))
		}
		search := nearest.For(r.URL.Path)
		for _, route := range routes {
			if path := likePath(route.Pattern, r.URL.Path); path != "" {
				search.Add(path)
			}
		}
		return NewProblem(http.StatusNotFound, "not_found", "There is no such route", detail+nearest.Hint(search.Found()))
	}
}

// allows returns what lists the methods that the path of a request has routes for, sorted.
func allows(routes []Route) func(*http.Request) []string {
	mux, all := http.NewServeMux(), map[string]bool{http.MethodHead: true} // GET takes HEAD, too
	for _, r := range routes {
		if method, _, ok := strings.Cut(r.Pattern, " "); ok {
			all[method] = true
		}
		mux.Handle(r.Pattern, r.Handler)
	}
	methods := slices.Sorted(maps.Keys(all))
	return func(r *http.Request) (list []string) {
		for _, m := range methods {
			if _, pattern := mux.Handler(&http.Request{Method: m, URL: r.URL, Host: r.Host}); pattern != "" {
				list = append(list, m)
			}
		}
		return list
	}
}

// likePath returns the path of a pattern, with the names that a request has in the places of the pattern's; empty: they have different
// numbers of parts.
func likePath(pattern, request string) string {
	_, path, _ := strings.Cut(pattern, " ")
	parts, given := strings.Split(path, "/"), strings.Split(request, "/")
	if len(parts) != len(given) {
		return ""
	}
	for i := range parts {
		if strings.HasPrefix(parts[i], "{") {
			parts[i] = given[i]
		}
	}
	return strings.Join(parts, "/")
}
