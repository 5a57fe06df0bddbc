// Package client speaks with a live scheduler over gRPC.
//
// A Client reconnects by itself. Submit repeats a request until it is answered, under an idempotency key, so that its inputs are applied
// once however often it was sent; Watch goes on behind the last decision that it gave; Predicates answers what the host asks about nodes.
// All wait longer and longer between attempts. The other methods of the service are reached by Scheduler.
package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Options of a client.
type Options struct {
	// TLS is how the host is known; nil: the connection is not encrypted.
	TLS *tls.Config
	// Token returns the bearer token of a call; nil: there is none. Tokens are sent over TLS, or to this machine.
	Token func(ctx context.Context) (string, error)
	// Dial are further options of the connection.
	Dial []grpc.DialOption
}

// Client is a connection with a host. It may be used by many at a time.
type Client struct {
	connection *grpc.ClientConn
	scheduler  quernv1.SchedulerClient
	pause      func(attempt int) time.Duration
}

// mostMessage is the largest answer that is taken, in bytes.
const mostMessage = 64 << 20

// connectTime is how long a connection may take to be made.
const connectTime = 20 * time.Second

// New returns a client of the host at an address, such as 127.0.0.1:9081. It connects when it is used first.
func New(address string, o Options) (*Client, error) {
	secure := insecure.NewCredentials()
	if o.TLS != nil {
		secure = credentials.NewTLS(o.TLS)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secure),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(mostMessage)),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: connectTime,
			Backoff: backoff.Config{BaseDelay: firstPause, Multiplier: backoff.DefaultConfig.Multiplier, Jitter: backoff.DefaultConfig.Jitter, MaxDelay: lastPause}}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 20 * time.Second}),
	}
	if o.Token != nil {
		if o.TLS == nil && !local(address) {
			return nil, fmt.Errorf("%s: expected TLS, since a token is sent to another machine", address)
		}
		options = append(options, grpc.WithPerRPCCredentials(&bearer{o.Token}))
	}
	c, err := grpc.NewClient(address, append(options, o.Dial...)...)
	if err != nil {
		return nil, err
	}
	return &Client{connection: c, scheduler: quernv1.NewSchedulerClient(c), pause: pause}, nil
}

// Close ends the connection.
func (c *Client) Close() error { return c.connection.Close() }

// Scheduler has all methods of the service, each of which is tried once.
func (c *Client) Scheduler() quernv1.SchedulerClient { return c.scheduler }

// ProblemOf returns what the host says of an error; nil: it says nothing.
func ProblemOf(err error) *quernv1.Problem {
	for _, detail := range status.Convert(err).Details() {
		if p, ok := detail.(*quernv1.Problem); ok {
			return p
		}
	}
	return nil
}

// local reports whether an address is of this machine alone.
func local(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || ip != nil && ip.IsLoopback())
}

// bearer sends a token with each call.
type bearer struct {
	token func(context.Context) (string, error)
}

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (b *bearer) GetRequestMetadata(ctx context.Context, _ ...string) (map[string]string, error) {
	token, err := b.token(ctx)
	if err == nil && token == "" {
		err = errors.New("the token is empty")
	}
	return map[string]string{"authorization": "Bearer " + token}, err
}

// RequireTransportSecurity implements credentials.PerRPCCredentials: New has seen to that.
func (b *bearer) RequireTransportSecurity() bool { return false }
