package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/host/server"
)

// configEvents writes an event of the Lease when the watched configuration is refused, and when it is valid again. Who sends a configuration
// to the API is answered, and needs no event.
type configEvents struct {
	client          kubernetes.Interface
	namespace, name string // of the Lease
	log             *slog.Logger
}

// configured is the part of a scheduler that has a configuration. It is a server.Server.
type configured interface {
	ConfigHealth() server.ConfigHealth
	ConfigHealthChanged() <-chan struct{}
}

// Reasons of the events.
const (
	reasonConfigRefused  = "ConfigRefused"
	reasonConfigAccepted = "ConfigAccepted"
)

// run writes events until the context ends.
func (e *configEvents) run(ctx context.Context, live configured) {
	for last := ""; ; {
		switch now := refusedText(live.ConfigHealth()); {
		case now != "" && now != last:
			e.write(ctx, corev1.EventTypeWarning, reasonConfigRefused, now)
			last = now
		case now == "" && last != "":
			e.write(ctx, corev1.EventTypeNormal, reasonConfigAccepted, "the queue configuration is valid again")
			last = ""
		}
		select {
		case <-ctx.Done():
			return
		case <-live.ConfigHealthChanged():
		}
	}
}

// refusedText says which watched configuration is refused, and why; empty: none is.
func refusedText(h server.ConfigHealth) string {
	for _, r := range h.Refused {
		if r.Source == server.FromAPI {
			continue
		}
		text := fmt.Sprintf("the queue configuration (%s) is refused and the previous one is in force: %s", r.Source, r.Errors[0])
		if more := len(r.Errors) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		return text
	}
	return ""
}

// The bounds of an event: the API server takes no longer message, and a write waits no longer.
const (
	mostMessage = 1024
	eventTime   = 10 * time.Second
)

// write writes an event. One that cannot be written is only logged: events inform, and decide nothing.
func (e *configEvents) write(ctx context.Context, kind, reason, message string) {
	ctx, cancel := context.WithTimeout(ctx, eventTime)
	defer cancel()
	if len(message) > mostMessage {
		message = strings.ToValidUTF8(message[:mostMessage-len("…")], "") + "…"
	}
	host, _ := os.Hostname() // informs only
	at := metav1.Now()
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: e.name + "." + strings.ToLower(rand.Text()), Namespace: e.namespace},
		InvolvedObject: corev1.ObjectReference{Kind: "Lease", APIVersion: "coordination.k8s.io/v1", Namespace: e.namespace, Name: e.name},
		Reason:         reason, Message: message, Type: kind,
		Source: corev1.EventSource{Component: "quern", Host: host}, FirstTimestamp: at, LastTimestamp: at, Count: 1,
	}
	if _, err := e.client.CoreV1().Events(e.namespace).Create(ctx, event, metav1.CreateOptions{}); err != nil {
		e.log.Warn("no event for the configuration", "error", err)
	}
}
