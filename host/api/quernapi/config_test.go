package quernapi_test

import (
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func queues(names ...string) string {
	return "partitions: [{name: default, queues: [{name: root, queues: [{name: " + strings.Join(names, "}, {name: ") + "}]}]}]"
}

// inForce is the configuration in force.
func (l *live) inForce() *quernv1.GetConfigResponse {
	l.Helper()
	c, err := l.GetConfig(l.Context(), &quernv1.GetConfigRequest{})
	if err != nil {
		l.Fatal(err)
	}
	return c
}

func TestAConfigurationIsReadAndReplaced(t *testing.T) {
	l := start(t)
	first := l.inForce()
	if first.GetNumber() != 0 || first.GetFormat() != "yaml" || !strings.Contains(first.GetConfig(), "name: default") {
		t.Errorf("found %v", first)
	}
	text := queues("a") + " # as written"
	r, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: text, IfMatch: first.GetTag()})
	if err != nil {
		t.Fatal(err)
	}
	if now := l.inForce(); now.GetConfig() != text || now.GetTag() != r.GetTag() || now.GetNumber() != 1 || r.GetNumber() != 1 {
		t.Errorf("found %v after %v", now, r)
	}
	r, err = l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Format: "toml", IfMatch: "*", Config: "[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"root\"\n"})
	if now := l.inForce(); err != nil || now.GetFormat() != "toml" || now.GetTag() != r.GetTag() || now.GetNumber() != 2 {
		t.Errorf("found %v after %v (%v)", now, r, err)
	}
}

func TestAChangeNamesTheConfigurationThatItWasMadeFor(t *testing.T) {
	l := start(t)
	stale := l.inForce().GetTag()
	if _, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: queues("a"), IfMatch: stale}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		r    *quernv1.ApplyConfigRequest
		code codes.Code
		what string
		key  string
	}{
		"no tag":            {&quernv1.ApplyConfigRequest{Config: queues("b")}, codes.InvalidArgument, "precondition_required", "if_match"},
		"a stale tag":       {&quernv1.ApplyConfigRequest{Config: queues("b"), IfMatch: stale}, codes.Aborted, "config_changed", ""},
		"a tag of nothing":  {&quernv1.ApplyConfigRequest{Config: queues("b"), IfMatch: "latest"}, codes.Aborted, "config_changed", ""},
		"two":               {&quernv1.ApplyConfigRequest{Config: queues("b"), IfMatch: "*, *"}, codes.Aborted, "config_changed", ""},
		"another language":  {&quernv1.ApplyConfigRequest{Config: "{}", IfMatch: "*", Format: "json"}, codes.InvalidArgument, "bad_parameter", "format"},
		"a long key":        {&quernv1.ApplyConfigRequest{Config: queues("b"), IfMatch: "*", IdempotencyKey: strings.Repeat("k", 257)}, codes.InvalidArgument, "bad_parameter", "idempotency_key"},
		"nothing":           {&quernv1.ApplyConfigRequest{IfMatch: "*"}, codes.InvalidArgument, "invalid_config", "config"},
		"one that is wrong": {&quernv1.ApplyConfigRequest{Config: queues("a, what: 1, why: 2"), IfMatch: "*"}, codes.InvalidArgument, "invalid_config", "config"},
	} {
		_, err := l.ApplyConfig(t.Context(), c.r)
		if p := problem(err); status.Code(err) != c.code || p.GetCode() != c.what || p.GetKey() != c.key {
			t.Errorf("%s: found %v, %v", name, err, p)
		}
	}
	if now := l.inForce(); now.GetConfig() != queues("a") || now.GetNumber() != 1 {
		t.Errorf("something was put in force: %v", now)
	}
}

func TestAWrongConfigurationIsToldWithAllErrors(t *testing.T) {
	l := start(t)
	_, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{IfMatch: "*", Config: queues("a, what: 1, why: 2")})
	if p := problem(err); len(p.GetErrors()) != 2 || !strings.Contains(p.GetErrors()[1], "why") || !strings.Contains(p.GetDetail(), "config:1:") {
		t.Errorf("found %v", p)
	}
	if _, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{IfMatch: "*", Config: queues("a")}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Submit(t.Context(), &quernv1.SubmitRequest{Inputs: []*quernv1.Input{{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "x", Queue: "root.a"}}}}}); err != nil {
		t.Fatal(err)
	}
	// What only the scheduler knows: root.a has an application, so it cannot become a parent.
	_, err = l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{IfMatch: "*", Config: queues("a, queues: [{name: b}]")})
	if p := problem(err); p.GetCode() != "invalid_config" || len(p.GetErrors()) != 1 || !strings.Contains(p.GetErrors()[0], "root.a: queues: expected a leaf") {
		t.Errorf("found %v", p)
	}
}

func TestARepeatedChangeIsAppliedOnce(t *testing.T) {
	l := start(t)
	r := &quernv1.ApplyConfigRequest{Config: queues("a"), IfMatch: l.inForce().GetTag(), IdempotencyKey: "k"}
	for range 2 {
		given, err := l.ApplyConfig(t.Context(), r)
		if err != nil || given.GetNumber() != 1 {
			t.Errorf("found %v (%v)", given, err)
		}
	}
	_, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: queues("b"), IfMatch: "*", IdempotencyKey: "k"})
	if status.Code(err) != codes.FailedPrecondition || problem(err).GetCode() != "key_reused" {
		t.Errorf("found %v", err)
	}
}

func TestOfTwoWritersOneWins(t *testing.T) {
	l := start(t)
	for range 10 {
		tag := l.inForce().GetTag()
		var all sync.WaitGroup
		found := make([]codes.Code, 4)
		for i := range found {
			all.Go(func() {
				_, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: queues("a", string(rune('b'+i))), IfMatch: tag})
				found[i] = status.Code(err)
			})
		}
		all.Wait()
		won := 0
		for _, c := range found {
			switch c {
			case codes.OK:
				won++
			case codes.Aborted:
			default:
				t.Errorf("found %v", c)
			}
		}
		if won != 1 {
			t.Fatalf("%d writers won", won)
		}
	}
}
