package grpcserver

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
)

// encoded is a message as it arrived. gRPC answers INTERNAL to a message that it cannot decode, as if the host had failed, so the host
// receives messages encoded and decodes them itself.
type encoded struct{ data mem.BufferSlice }

// codec is that of protobuf, except that it leaves an encoded message as it is.
type codec struct{ encoding.CodecV2 }

func newCodec() codec { return codec{encoding.GetCodecV2(proto.Name)} }

// Unmarshal implements encoding.CodecV2.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	e, ok := v.(*encoded)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	data.Ref()
	e.data = data
	return nil
}

// receive receives a message by a function that takes encoded ones, and decodes it. A message that cannot be read is an error of the client.
func (c codec) receive(next func(any) error, into any) error {
	var e encoded
	if err := next(&e); status.Code(err) == codes.Internal {
		return malformed(status.Convert(err).Message())
	} else if err != nil {
		return err
	}
	defer e.data.Free()
	if err := c.CodecV2.Unmarshal(e.data, into); err != nil {
		return malformed(err.Error())
	}
	return nil
}

func malformed(cause string) *Problem {
	return &Problem{Status: codes.InvalidArgument, Code: "bad_input", Detail: "the message cannot be decoded: " + cause}
}

// incoming is a stream whose messages the codec receives.
type incoming struct {
	grpc.ServerStream
	codec codec
}

// RecvMsg implements grpc.ServerStream.
func (s *incoming) RecvMsg(m any) error { return s.codec.receive(s.ServerStream.RecvMsg, m) }
