package web

import (
	"encoding/json"
	"net/http"
	"strings"
)

// failure is how an error is answered below /ws and /debug, whose clients know no problems.
type failure struct {
	StatusCode  int    `json:"status_code"`
	Message     string `json:"message"`
	Description string `json:"description"`
}

// knowsFailures reports whether the clients of a path expect a failure rather than a problem.
func knowsFailures(path string) bool {
	return strings.HasPrefix(path, "/ws/") || strings.HasPrefix(path, "/debug/")
}

// write answers a problem in the form that the clients of a path expect.
func (p *Problem) write(w http.ResponseWriter, path string) {
	var form any = p
	kind := "application/problem+json"
	if knowsFailures(path) {
		f := failure{StatusCode: p.Status, Message: p.Title, Description: http.StatusText(p.Status)}
		if p.Detail != "" {
			f.Message = p.Error()
		}
		form, kind = f, "application/json; charset=UTF-8"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(form) // who asked may be gone
}
