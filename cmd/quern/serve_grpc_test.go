package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
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

func TestAClientAnswersForPredicatesOfALiveScheduler(t *testing.T) {
	folder(t, nil)
	h := hostedWith(t, "--ephemeral", "--predicate-timeout", "1s")
	conn, err := grpc.NewClient(h.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	stream, err := quernv1.NewSchedulerClient(conn).Predicates(t.Context())
	if err == nil {
		err = stream.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Open{Open: &quernv1.PredicatesOpen{Owner: "rm-1"}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 100)
	go func() {
		for q, err := stream.Recv(); err == nil; q, err = stream.Recv() {
			asked <- fmt.Sprint(q.GetPredicate(), q.GetNodes())
			a := &quernv1.PredicatesAnswer{Question: q.GetQuestion(), Codes: make([]uint32, len(q.GetNodes()))}
			_ = stream.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Answer{Answer: a}})
		}
	}()
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"node.add","id":"n1","capacity":{"vcore":1}}` + "\n" + `{"type":"app.add","id":"a","queue":"root.default"}` + "\n" +
		`{"type":"ask.add","id":"k1","app":"a","resources":{"vcore":1},"predicate":"rm-1/fits"}`}
	if err := c.once("http://" + h.http); err != nil {
		t.Fatal(err)
	}
	if found := <-asked; found != "fits[n1]" {
		t.Errorf("asked %s", found)
	}
	if ask, _ := get(t, "http://"+h.http+"/v1/asks/k1"); !strings.Contains(ask, `"node":"n1"`) {
		t.Errorf("found %s", ask)
	}
	if metrics, _ := get(t, "http://"+h.http+"/metrics"); !strings.Contains(metrics, `quern_policy_call_seconds_count{policy="rm-1/"}`) {
		t.Error("the time of the client is not told")
	}
	_ = conn.Close()
	if code := h.end(); code != succeeded {
		t.Errorf("exit code %d, %s", code, h.said())
	}
}

func TestWrongTimesOfPredicates(t *testing.T) {
	for _, d := range []string{"0s", "-1s", "2s", "soon"} {
		if r := quern("", "serve", "--ephemeral", "--http", "127.0.0.1:0", "--predicate-timeout", d); r.code != badInput || !strings.Contains(r.err, "--predicate-timeout") {
			t.Errorf("%s: exit code %d, %s", d, r.code, r.err)
		}
	}
}
