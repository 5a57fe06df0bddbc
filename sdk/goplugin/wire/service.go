package wire

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/quern-project/quern/sdk/abi"
)

const service = "quern.policy.v1.Policy"

// maxShort is the bound of any message but a Request and a Reply: a manifest and its envelope.
const maxShort = abi.MaxManifest + 64

// Server answers a host. Its methods are called from several goroutines.
type Server interface {
	// Manifest is the JSON of the manifest.
	Manifest() []byte
	// Configure takes a JSON object of parameters; its error is shown to the operator.
	Configure(object []byte) error
	// Eval takes a Request and returns a Reply. An error ends the plugin; what the policy refuses is in the Reply.
	Eval(request []byte) ([]byte, error)
}

var description = grpc.ServiceDesc{
	ServiceName: service,
	HandlerType: (*Server)(nil),
	Methods: []grpc.MethodDesc{
		method("Handshake", func(s Server, _ []byte) ([]byte, error) { return s.Manifest(), nil }),
		method("Configure", func(s Server, object []byte) ([]byte, error) {
			if err := s.Configure(object); err != nil {
				return nil, status.Error(codes.InvalidArgument, cut(err.Error()))
			}
			return nil, nil
		}),
		method("Eval", func(s Server, request []byte) ([]byte, error) { return s.Eval(request) }),
	},
}

// method makes a gRPC method of bytes; interceptors are not served, for a plugin has none.
func method(name string, call func(s Server, in []byte) ([]byte, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(srv any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		in := &wrapperspb.BytesValue{}
		if err := decode(in); err != nil {
			return nil, err
		}
		out, err := call(srv.(Server), in.Value)
		if err != nil {
			return nil, err
		}
		return &wrapperspb.BytesValue{Value: out}, nil
	}}
}

// cut bounds a text that travels in a header.
func cut(text string) string { return text[:min(len(text), abi.MaxErrorText)] }

// Plugin makes the service known to go-plugin: a plugin's side has one who answers, the host's has none.
type Plugin struct {
	plugin.NetRPCUnsupportedPlugin
	Answers Server
}

// GRPCServer adds the service to a plugin's server.
func (p *Plugin) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	s.RegisterService(&description, p.Answers)
	return nil
}

// GRPCClient returns the *Client of a connection.
func (p *Plugin) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return &Client{conn: conn}, nil
}

// Client asks a plugin.
type Client struct {
	conn grpc.ClientConnInterface
}

// Manifest asks for the manifest.
func (c *Client) Manifest(ctx context.Context) ([]byte, error) {
	return c.invoke(ctx, "Handshake", nil, maxShort)
}

// Configure gives the parameters, a JSON object.
func (c *Client) Configure(ctx context.Context, object []byte) error {
	_, err := c.invoke(ctx, "Configure", object, maxShort)
	return err
}

// Eval sends a Request. The reply may have so many bytes; what is longer is not read.
func (c *Client) Eval(ctx context.Context, request []byte, limit int) ([]byte, error) {
	return c.invoke(ctx, "Eval", request, limit+16) // the envelope: a tag and a length
}

func (c *Client) invoke(ctx context.Context, method string, in []byte, limit int) ([]byte, error) {
	out := &wrapperspb.BytesValue{}
	err := c.conn.Invoke(ctx, "/"+service+"/"+method, &wrapperspb.BytesValue{Value: in}, out, grpc.MaxCallRecvMsgSize(limit))
	return out.Value, err
}
