package client

import (
	"context"
	"crypto/rand"

	"google.golang.org/protobuf/proto"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// AnyConfig is what a configuration is made for that replaces whichever is in force.
const AnyConfig = "*"

// Config returns the configuration in force, with the tag that a change of it names.
func (c *Client) Config(ctx context.Context) (*quernv1.GetConfigResponse, error) {
	return repeat(ctx, c, func() (*quernv1.GetConfigResponse, error) {
		return c.scheduler.GetConfig(ctx, &quernv1.GetConfigRequest{})
	})
}

// ApplyConfig puts a configuration in force, if it was made for the one that is: IfMatch is the tag of that, or AnyConfig. It sends the
// request until it is answered, refused or the context ends; one without an idempotency key gets one. ConfigChanged tells the refusal
// that the configuration has changed meanwhile.
func (c *Client) ApplyConfig(ctx context.Context, r *quernv1.ApplyConfigRequest) (*quernv1.ApplyConfigResponse, error) {
	if r.GetIdempotencyKey() == "" {
		r = proto.CloneOf(r)
		r.IdempotencyKey = rand.Text()
	}
	return repeat(ctx, c, func() (*quernv1.ApplyConfigResponse, error) { return c.scheduler.ApplyConfig(ctx, r) })
}

// ConfigChanged reports whether a configuration was refused since another one is in force than the one that it was made for.
func ConfigChanged(err error) bool { return ProblemOf(err).GetCode() == "config_changed" }
