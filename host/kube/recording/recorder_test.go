package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/internal/await"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

func nodeObject(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"), corev1.ResourcePods: resource.MustParse("110")}}}
}

// podObject is a pod of 1 CPU; node may be empty.
func podObject(name, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid of " + name)},
		Spec: corev1.PodSpec{NodeName: node, SchedulerName: corev1.DefaultSchedulerName, Containers: []corev1.Container{{Name: "main",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}}},
	}
}

// sharedParts are parts in memory that a test reads while they are written.
type sharedParts struct {
	mu   sync.Mutex
	list []*bytes.Buffer
	fail error // of the next part
}

type sharedPart struct {
	*sharedParts
	to *bytes.Buffer
}

func (p *sharedParts) create(time.Time) (io.WriteCloser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		return nil, p.fail
	}
	p.list = append(p.list, &bytes.Buffer{})
	return sharedPart{p, p.list[len(p.list)-1]}, nil
}

func (p sharedPart) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.to.Write(text)
}

func (sharedPart) Close() error { return nil }

func (p *sharedParts) texts() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range p.list {
		all = append(all, part.String())
	}
	return all
}

// await waits until a condition of what was written holds.
func (p *sharedParts) await(t testing.TB, what string, holds func(texts []string) bool) {
	t.Helper()
	await.Right(t, func() string {
		if texts := p.texts(); !holds(texts) {
			return fmt.Sprintf("expected %s in\n%s", what, strings.Join(texts, "\n"))
		}
		return ""
	})
}

func (p *sharedParts) awaitText(t testing.TB, text string) {
	t.Helper()
	p.await(t, text, func(texts []string) bool { return strings.Contains(strings.Join(texts, ""), text) })
}

// run has a recorder run until stop is called, which returns the result of Run.
func run(t *testing.T, r *Recorder) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(cancel)
	return func() error {
		cancel()
		return <-ended
	}
}

func TestAGapInTheWatchIsBridgedByTheDifferences(t *testing.T) {
	server := newServer(t, nodeObject("n1"), podObject("stays", "n1"), podObject("goes", "n1"), podObject("waits", ""))
	parts := &sharedParts{}
	stop := run(t, server.recorder(Options{Create: parts.create}))
	parts.awaitText(t, `"id":"default/waits"`)
	server.replace(podObject("stays", "n1"), podObject("waits", "n1"), podObject("new", "n1"))
	server.tell(watch.Error, &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired, Message: "too old resource version"})
	parts.awaitText(t, `"allocation.release","id":"default/goes"`)
	parts.awaitText(t, `"allocation.restore","id":"default/waits"`)
	parts.awaitText(t, `"allocation.restore","id":"default/new"`)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(parts.texts(), "")
	if n := strings.Count(text, `"default/stays"`); n != 3 { // its application, its allocation, and that one's application
		t.Errorf("the pod that did not change is named %d times in\n%s", n, text)
	}
	s, decisions := replayed(t, strings.NewReader(text))
	if n, _ := s.Node("n1"); len(n.Allocations) != 3 {
		t.Errorf("on n1 are %v", n.Allocations)
	}
	for _, d := range decisions {
		if d.Type == core.Allocation {
			t.Errorf("the replay has placed %s", d.ID)
		}
	}
}

func TestBrokenWatch_Resumes(t *testing.T) {
	server, parts := newServer(t, nodeObject("n1"), podObject("a", "")), &sharedParts{}
	stop := run(t, server.recorder(Options{Create: parts.create}))
	parts.awaitText(t, `"id":"default/a"`)
	server.send(watch.Modified, podObject("a", "n1")) // version 8
	parts.awaitText(t, `"allocation.restore","id":"default/a"`)
	server.CloseClientConnections()
	parts.await(t, "another watch", func([]string) bool { return len(server.watched()) == 2 })
	server.send(watch.Added, podObject("b", "n1"))
	parts.awaitText(t, `"allocation.restore","id":"default/b"`)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if from := server.watched(); len(from) != 2 || from[0] != "7" || from[1] != "8" {
		t.Errorf("watched from the versions %q, expected 7 and 8", from)
	}
	if n := strings.Count(strings.Join(parts.texts(), ""), `"allocation.restore"`); n != 2 {
		t.Errorf("%d pods were placed, expected 2", n)
	}
}

func TestPodsThatComeByAWatchReplaceAList(t *testing.T) {
	server, parts := newServer(t, nodeObject("n1"), podObject("stays", "n1"), podObject("goes", "n1")), &sharedParts{}
	server.streams = true
	stop := run(t, server.recorder(Options{Create: parts.create}))
	parts.awaitText(t, `"id":"default/goes"`)
	server.replace(podObject("stays", "n1"), podObject("new", "n1"))
	server.tell(watch.Error, &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired})
	parts.awaitText(t, `"allocation.release","id":"default/goes"`)
	parts.awaitText(t, `"allocation.restore","id":"default/new"`)
	server.send(watch.Deleted, podObject("stays", "n1"))
	parts.awaitText(t, `"allocation.release","id":"default/stays"`)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if from := server.watched(); len(from) != 2 || from[0] != "" {
		t.Errorf("watched from the versions %q, expected two lists by a watch", from)
	}
}

func TestPartsReachTheirBoundsAndReplayAlone(t *testing.T) {
	server := newServer(t, nodeObject("n1"), podObject("a", "n1"), podObject("b", ""))
	parts := &sharedParts{}
	stop := run(t, server.recorder(Options{Create: parts.create, MostBytes: 1}))
	parts.await(t, "three parts", func(texts []string) bool { return len(texts) == 3 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for _, text := range parts.texts() {
		s, _ := replayed(t, strings.NewReader(text))
		if n, _ := s.Node("n1"); len(n.Allocations) != 1 || !pending(s, "default/b") {
			t.Errorf("on n1 are %v in\n%s", n.Allocations, text)
		}
		if !strings.HasSuffix(text, `"tick"}`+"\n") {
			t.Errorf("the part is not complete:\n%s", text)
		}
	}
}

func pending(s *scheduler.Scheduler, id string) bool {
	e, ok := s.ExplainAsk(id)
	return ok && e.Pending
}

func TestAPartThatCannotBeWrittenEndsTheRecording(t *testing.T) {
	parts := &sharedParts{fail: errors.New("the disk is full")}
	err := newServer(t).recorder(Options{Create: parts.create}).Run(t.Context())
	if err == nil || err.Error() != "a part of the history cannot be created: the disk is full" {
		t.Error(err)
	}
}

func TestPodsOfOtherSchedulersOccupyTheirNodes(t *testing.T) {
	other := podObject("other", "n1")
	other.Spec.SchedulerName = "other"
	server := newServer(t, nodeObject("n1"), podObject("ours", "n1"), other)
	parts := &sharedParts{}
	stop := run(t, server.recorder(Options{Schedulers: []string{corev1.DefaultSchedulerName}, Create: parts.create}))
	parts.awaitText(t, `"id":"default/ours"`)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s, _ := replayed(t, strings.NewReader(parts.texts()[0]))
	n, _ := s.Node("n1")
	if occupied, _ := n.Occupied.Value("vcore"); occupied != 1000 || len(n.Allocations) != 1 {
		t.Errorf("%+v", n)
	}
}

func TestQueuesThatCannotBeUsedAreRefused(t *testing.T) {
	if _, err := New(Options{Queues: "partitions: 7"}); err == nil || !strings.Contains(err.Error(), "queues of the history") {
		t.Error(err)
	}
}
