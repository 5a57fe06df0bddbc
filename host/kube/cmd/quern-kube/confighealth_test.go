package main

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	k8stesting "k8s.io/client-go/testing"

	"github.com/quern-project/quern/host/server"
)

// healths has the health that a test sends.
type healths struct {
	changes chan struct{}
	now     atomic.Pointer[server.ConfigHealth]
}

func (h *healths) ConfigHealth() server.ConfigHealth    { return *h.now.Load() }
func (h *healths) ConfigHealthChanged() <-chan struct{} { return h.changes }

func TestConfigEvents_OfAConfigMap(t *testing.T) {
	client, events := fake.NewClientset(), make(chan *corev1.Event, 10)
	client.PrependReactor("create", "events", func(a k8stesting.Action) (bool, runtime.Object, error) {
		event := a.(k8stesting.CreateAction).GetObject().(*corev1.Event)
		events <- event
		return true, event, nil
	})
	h := &healths{changes: make(chan struct{})}
	h.now.Store(&server.ConfigHealth{})
	e := &configEvents{client: client, namespace: "quern", name: "lease", log: slog.New(slog.DiscardHandler)}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { e.run(ctx, h); close(ended) }()
	refusal := func(source string, errors ...string) server.ConfigHealth {
		return server.ConfigHealth{Refused: []server.ConfigRefusal{{Source: source, File: "queues.yaml", Errors: errors}}}
	}
	long := strings.Repeat("é", 2000)
	for _, c := range []struct {
		now  server.ConfigHealth
		want string // empty: no event
	}{
		{refusal(server.FromAPI, "wrong"), ""},
		{refusal(server.FromConfigMap, "wrong", "wrong, too"), "Warning ConfigRefused the queue configuration (configmap) is refused and the previous one is in force: wrong (and 1 more)"},
		{refusal(server.FromConfigMap, "wrong", "wrong, too"), ""},
		{refusal(server.FromConfigMap, long), "Warning ConfigRefused the queue configuration (configmap) is refused"},
		{server.ConfigHealth{}, "Normal ConfigAccepted the queue configuration is valid again"},
		{server.ConfigHealth{}, ""},
	} {
		h.now.Store(&c.now)
		h.changes <- struct{}{}
		h.changes <- struct{}{} // the first one has been seen
		if c.want == "" {
			continue // the next event is another one's
		}
		event := <-events
		if found := event.Type + " " + event.Reason + " " + event.Message; !strings.HasPrefix(found, c.want) || len(event.Message) > 1024 ||
			event.InvolvedObject.Kind != "Lease" || event.InvolvedObject.Name != "lease" || event.Namespace != "quern" {
			t.Errorf("expected %s, found %s", c.want, found)
		}
	}
	end()
	<-ended
	if len(events) > 0 {
		t.Errorf("one event more: %v", <-events)
	}
}
