package web

import (
	"net/http"
	"time"
)

// Seen says how a request was answered.
type Seen struct {
	Status int
	Begun  time.Duration // until the answer began
	Whole  time.Duration // until it ended
}

// Watch has a function see how each request to a handler was answered.
func Watch(h http.Handler, see func(*http.Request, Seen)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := &seenWriter{ResponseWriter: w, arrived: time.Now()}
		defer func() {
			o.begin(http.StatusOK)
			o.Whole = time.Since(o.arrived)
			see(r, o.Seen)
		}()
		h.ServeHTTP(o, r)
	})
}

// seenWriter notes when an answer begins, and how.
type seenWriter struct {
	http.ResponseWriter
	Seen
	arrived time.Time
}

func (o *seenWriter) begin(status int) {
	if o.Status == 0 {
		o.Status, o.Begun = status, time.Since(o.arrived)
	}
}

// WriteHeader implements http.ResponseWriter.
func (o *seenWriter) WriteHeader(status int) {
	if status >= http.StatusOK { // others are only informational
		o.begin(status)
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *seenWriter) Write(b []byte) (int, error) {
	o.begin(http.StatusOK)
	return o.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (o *seenWriter) Unwrap() http.ResponseWriter { return o.ResponseWriter }
