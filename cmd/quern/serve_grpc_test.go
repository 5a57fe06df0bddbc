package main

import (
	"os"
	"strings"
	"testing"
)

// Hosts of tests serve gRPC on any port that is free, where they do not say otherwise.
var _ = os.Setenv("QUERN_GRPC", "127.0.0.1:0")

func TestWrongAddressesOfGRPC(t *testing.T) {
	for address, want := range map[string]string{"0.0.0.0:9081": "--grpc: other machines may reach", "9081": "--grpc: expected an address such as"} {
		if r := quern("", "serve", "--ephemeral", "--http", "127.0.0.1:0", "--grpc", address); r.code != badInput || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit code %d, %s", address, r.code, r.err)
		}
	}
}
