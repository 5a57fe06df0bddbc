package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"time"
)

// survives answers a request whose handler panics with 500, and tells of it: otherwise the connection would end without a word. An
// answer that has begun is cut off.
func (g *Guard) survives(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := &seenWriter{ResponseWriter: w, arrived: time.Now()}
		defer func() {
			bug := recover()
			switch {
			case bug == nil:
				return
			case bug == http.ErrAbortHandler:
				panic(bug)
			}
			if g.Panicked != nil {
				g.Panicked(r, fmt.Sprint(bug), string(debug.Stack()))
			}
			if o.Status != 0 {
				panic(http.ErrAbortHandler)
			}
			Handler(failed).ServeHTTP(w, r)
		}()
		next.ServeHTTP(o, r)
	})
}

func failed(http.ResponseWriter, *http.Request) error {
	return NewProblem(http.StatusInternalServerError, "internal", "The host failed", "the request caused an internal error; the log of the host has the details")
}
