package leader

import (
	"context"
	"crypto/rand"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// announce writes an event of the Lease. An event that cannot be written is only logged: events inform, and decide nothing.
func (e *Elector) announce(what string) {
	ctx, cancel := context.WithTimeout(context.Background(), e.Timing.request())
	defer cancel()
	host, _ := os.Hostname() // informs only
	at := metav1.NewTime(e.date())
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: e.Name + "." + strings.ToLower(rand.Text()), Namespace: e.Namespace},
		InvolvedObject: corev1.ObjectReference{Kind: "Lease", APIVersion: "coordination.k8s.io/v1", Namespace: e.Namespace, Name: e.Name},
		Reason:         "LeaderElection", Message: e.Identity + " " + what, Type: corev1.EventTypeNormal,
		Source: corev1.EventSource{Component: "quern", Host: host}, FirstTimestamp: at, LastTimestamp: at, Count: 1,
	}
	if _, err := e.Client.CoreV1().Events(e.Namespace).Create(ctx, event, metav1.CreateOptions{}); err != nil {
		e.Log.Warn("no event for the Lease", "error", err)
	}
}
