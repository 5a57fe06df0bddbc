package program

import (
	"io"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	checks "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/quern-project/quern/cmd/quern/cli"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// stuckOverHTTP opens a connection that sends a request, and reads nothing.
func stuckOverHTTP(t *testing.T, address, request string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the host has closed it
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
}

// stuckOverGRPC makes a call that never sends what it is about.
func stuckOverGRPC(t *testing.T, address string) {
	t.Helper()
	c, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the host has closed it
	if _, err := c.NewStream(t.Context(), &grpc.StreamDesc{}, quernv1.Scheduler_Submit_FullMethodName); err != nil {
		t.Fatal(err)
	}
	// The host has seen that call once it has answered a later one.
	if _, err := checks.NewHealthClient(c).Check(t.Context(), &checks.HealthCheckRequest{}); err != nil {
		t.Fatal(err)
	}
}

func TestServe_EndsInTimeDespiteItsClients(t *testing.T) {
	h := hostedWith(t, "--ephemeral")
	stuckOverHTTP(t, h.http, "POST /v1/inputs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
	stuckOverHTTP(t, h.http, "GET /v1/decisions?follow=true HTTP/1.1\r\nHost: localhost\r\n\r\n")
	stuckOverGRPC(t, h.grpc)
	// The host fails if it takes longer than mostEnding. The protocols give their requests five seconds each, at the same time.
	if code := h.end(); code != cli.Succeeded {
		t.Errorf("exit code %d: %s", code, h.said())
	}
}
