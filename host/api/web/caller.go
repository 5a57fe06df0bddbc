package web

import (
	"context"

	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
)

// Actor is who sends the request of a context, as the record names them.
func Actor(ctx context.Context) server.Actor {
	c := auth.FromContext(ctx)
	return server.Actor{User: c.User, Groups: c.Groups, From: c.From}
}
