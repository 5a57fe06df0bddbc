package program

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	grpcclient "github.com/quern-project/quern/sdk/client"
)

// Hosts of tests serve gRPC on any port that is free, where they do not say otherwise.
var _ = os.Setenv("QUERN_GRPC", "127.0.0.1:0")

func TestWrongAddressesOfGRPC(t *testing.T) {
	for address, want := range map[string]string{"0.0.0.0:9081": "--grpc: other machines may reach", "9081": "--grpc: expected an address such as"} {
		if r := quern("", "serve", "--ephemeral", "--http", "127.0.0.1:0", "--grpc", address); r.code != cli.BadInput || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit code %d, %s", address, r.code, r.err)
		}
	}
}

func TestAClientAnswersForPredicatesOfALiveScheduler(t *testing.T) {
	folder(t, nil)
	h := hostedWith(t, "--ephemeral", "--predicate-timeout", "1s")
	live, err := grpcclient.New(h.grpc, grpcclient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 100)
	var closed atomic.Bool
	predicates := live.Predicates("rm-1", func(_ context.Context, predicate string, nodes []string) ([]uint32, error) {
		asked <- fmt.Sprint(predicate, nodes)
		codes := make([]uint32, len(nodes))
		if predicate == "open" && closed.Load() {
			codes[0] = 7
		}
		return codes, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- predicates.Run(ctx) }()
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"node.add","id":"n1","capacity":{"vcore":2}}` + "\n" + `{"type":"app.add","id":"a","queue":"root.default"}` + "\n" +
		`{"type":"ask.add","id":"k1","app":"a","resources":{"vcore":1},"predicate":"rm-1/fits"}`}
	if err := c.once("http://" + h.http); err != nil {
		t.Fatal(err)
	}
	if found := <-asked; found != "fits[n1]" {
		t.Errorf("asked %s", found)
	}
	waitFor(t, h, `"node":"n1"`, "k1")
	closed.Store(true)
	if status, text := post(t, "http://"+h.http, `{"type":"ask.add","id":"k2","app":"a","resources":{"vcore":1},"predicate":"rm-1/open"}`); status != http.StatusOK {
		t.Fatal(text)
	}
	for found := ""; found != "open[n1]"; { // the host may ask about fits again, since the node has changed
		found = <-asked
	}
	waitFor(t, h, `"state":"pending"`, "k2")
	closed.Store(false)
	predicates.Changed("open")
	waitFor(t, h, `"node":"n1"`, "k2")
	if metrics, _ := get(t, "http://"+h.http+"/metrics"); !strings.Contains(metrics, `quern_policy_call_seconds_count{policy="rm-1/"}`) {
		t.Error("the time of the client is not told")
	}
	cancel()
	if err := errors.Join(<-ended, live.Close()); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
	if code := h.end(); code != cli.Succeeded {
		t.Errorf("exit code %d, %s", code, h.said())
	}
}

// waitFor waits until the state of an ask has some text.
func waitFor(t *testing.T, h *liveHost, text, ask string) {
	t.Helper()
	soon(t, "http://"+h.http+"/v1/asks/"+ask, text)
}

func TestWrongTimesOfPredicates(t *testing.T) {
	for _, d := range []string{"0s", "-1s", "2s", "soon"} {
		if r := quern("", "serve", "--ephemeral", "--http", "127.0.0.1:0", "--predicate-timeout", d); r.code != cli.BadInput || !strings.Contains(r.err, "--predicate-timeout") {
			t.Errorf("%s: exit code %d, %s", d, r.code, r.err)
		}
	}
}
