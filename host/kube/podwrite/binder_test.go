package podwrite

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/quern-project/quern/host/kube/leader"
)

// api answers requests for one pod: bindings by a script, one step each, and reads with the pod as it is.
type api struct {
	mu       sync.Mutex
	pod      *corev1.Pod // nil: it is gone
	script   []step      // behind its end bindings are carried out
	bindings int
	forbids  int // reads, from now on
}

// step is what happens to a binding.
type step struct {
	done   bool       // it is carried out
	status int        // of the answer; 0: the connection ends without one
	before func(*api) // happens first
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Method == http.MethodGet {
		if a.forbids > 0 {
			a.forbids--
			a.answer(w, http.StatusForbidden, metav1.StatusReasonForbidden)
			return
		}
		if a.pod == nil {
			a.answer(w, http.StatusNotFound, metav1.StatusReasonNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(a.pod) // the client sees that it is cut off
		return
	}
	var b corev1.Binding
	if json.NewDecoder(r.Body).Decode(&b) != nil {
		a.answer(w, http.StatusBadRequest, metav1.StatusReasonBadRequest)
		return
	}
	a.bindings++
	s := step{done: true, status: http.StatusCreated}
	if len(a.script) > 0 {
		s, a.script = a.script[0], a.script[1:]
	}
	if s.before != nil {
		s.before(a)
	}
	code, reason := s.status, metav1.StatusReasonUnknown
	if s.done {
		switch {
		case a.pod == nil:
			code, reason = http.StatusNotFound, metav1.StatusReasonNotFound
		case a.pod.UID != b.UID || a.pod.ResourceVersion != b.ResourceVersion || a.pod.Spec.NodeName != "":
			code, reason = http.StatusConflict, metav1.StatusReasonConflict
		default:
			a.pod.Spec.NodeName = b.Target.Name
		}
	}
	if code == 0 {
		panic(http.ErrAbortHandler)
	}
	if code == http.StatusTooManyRequests {
		reason = metav1.StatusReasonTooManyRequests
	}
	a.answer(w, code, reason)
}

func (a *api) answer(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	status := metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess, Code: int32(code)}
	if code >= 400 {
		status.Status, status.Reason = metav1.StatusFailure, reason
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status)
}

func pod() *corev1.Pod {
	return &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}, ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p", UID: "u", ResourceVersion: "1"},
		Spec: corev1.PodSpec{SchedulerName: "quern"}}
}

func TestTheOutcomeOfABindingIsTheTruth(t *testing.T) {
	for _, test := range []struct {
		name     string
		script   []step
		refused  bool
		bindings int
		node     string
	}{
		{name: "taken", bindings: 1, node: "n1"},
		{name: "throttled twice", script: []step{{status: 429}, {status: 429}}, bindings: 3, node: "n1"},
		{name: "taken, and the answer was lost", script: []step{{done: true}}, bindings: 1, node: "n1"},
		{name: "taken, the answer was lost, and the API server has just started", script: []step{{done: true, before: func(a *api) { a.forbids = 2 }}}, bindings: 1, node: "n1"},
		{name: "not taken, and the answer was lost", script: []step{{}}, bindings: 2, node: "n1"},
		{name: "taken, and an error answered", script: []step{{done: true, status: 500}}, bindings: 1, node: "n1"},
		{name: "its status has changed", script: []step{{done: true, before: func(a *api) { a.pod.ResourceVersion = "2" }}}, bindings: 2, node: "n1"},
		{name: "its spec has changed", script: []step{{done: true, before: func(a *api) {
			a.pod.ResourceVersion, a.pod.Spec.PriorityClassName = "2", "other"
		}}}, refused: true, bindings: 1},
		{name: "made anew under its name", script: []step{{done: true, before: func(a *api) { a.pod.UID = "v" }}}, refused: true, bindings: 1},
		{name: "made anew under its name, and bound to the same node", script: []step{{done: true, before: func(a *api) {
			a.pod.UID, a.pod.Spec.NodeName = "v", "n1"
		}}}, refused: true, bindings: 1, node: "n1"},
		{name: "bound by another", script: []step{{done: true, before: func(a *api) { a.pod.Spec.NodeName = "n2" }}}, refused: true, bindings: 1, node: "n2"},
		{name: "an admission webhook of the namespace fails each time", script: slices.Repeat([]step{{status: 500}}, 50), refused: true, bindings: mostAttempts},
		{name: "an answer that this program does not know, each time", script: slices.Repeat([]step{{status: 418}}, 50), refused: true, bindings: mostAttempts},
		{name: "the webhook fails for a moment", script: slices.Repeat([]step{{status: 500}}, mostAttempts-1), bindings: mostAttempts, node: "n1"},
		{name: "gone", script: []step{{done: true, before: func(a *api) { a.pod = nil }}}, refused: true, bindings: 1},
		{name: "gone, and the answer was lost", script: []step{{before: func(a *api) { a.pod = nil }}}, refused: true, bindings: 1},
		{name: "terminating", script: []step{{status: 409, before: func(a *api) { a.pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }}}, refused: true, bindings: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &api{pod: pod(), script: test.script}
			server := httptest.NewServer(a)
			defer server.Close()
			client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
			if err != nil {
				t.Fatal(err)
			}
			b := Binder{Client: client, Fence: leader.Unfenced}
			err = b.Bind(t.Context(), pod(), "n1")
			var refused *RefusedError
			if errors.As(err, &refused) != test.refused || (err != nil) != test.refused {
				t.Errorf("the outcome is %v", err)
			}
			if a.bindings != test.bindings {
				t.Errorf("%d bindings were sent, expected %d", a.bindings, test.bindings)
			}
			if a.pod != nil && a.pod.Spec.NodeName != test.node {
				t.Errorf("the pod is on %q, expected %q", a.pod.Spec.NodeName, test.node)
			}
		})
	}
}

func TestABindingEndsWithItsContext(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	b := Binder{Client: client, Fence: leader.Unfenced}
	if err := b.Bind(ctx, pod(), "n1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}
