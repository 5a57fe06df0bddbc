package playground

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// farewell is how long requests that are under way may take once the server is told to end.
const farewell = 2 * time.Second

// Serve serves on a listener, which it closes, until the context ends; that is no error.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		stopped <- errors.Join(server.Shutdown(last), server.Close())
	})
	err := server.Serve(l)
	if stop() {
		return err // it ended by itself
	}
	return <-stopped
}
