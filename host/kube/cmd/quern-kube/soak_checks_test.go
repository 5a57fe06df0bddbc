package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// checks follow all pods, and note what no scheduler may do. A watch of pods has their versions in order.
type checks struct {
	client kubernetes.Interface
	killed int // leaders

	mu       sync.Mutex
	wrong    []string
	created  int
	bound    int
	waited   []time.Duration // from creation to binding, as the watch saw them
	seen     map[types.UID]*followed
	milliCPU map[string]int64 // requested by pods of each node
}

type followed struct {
	name, node string
	since      time.Time
	milliCPU   int64
	stuck      bool
	why        string // it waits, as its condition says
}

func newChecks(client kubernetes.Interface) *checks {
	return &checks{client: client, seen: map[types.UID]*followed{}, milliCPU: map[string]int64{}}
}

// watch follows the pods until the context ends.
func (c *checks) watch(ctx context.Context) {
	source := cache.NewListWatchFromClient(c.client.CoreV1().RESTClient(), "pods", metav1.NamespaceDefault, fields.Everything())
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: source, ObjectType: &corev1.Pod{}, Handler: cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { c.saw(o.(*corev1.Pod)) }, UpdateFunc: func(_, o any) { c.saw(o.(*corev1.Pod)) }, DeleteFunc: c.gone,
	}})
	informer.RunWithContext(ctx)
}

func (c *checks) saw(pod *corev1.Pod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.seen[pod.UID]
	if f == nil {
		f = &followed{name: pod.Name, since: time.Now(), milliCPU: pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue(), stuck: pod.Labels[stuckLabel] != ""}
		c.seen[pod.UID] = f
		c.created++
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			f.why = condition.Message
		}
	}
	if pod.Spec.NodeName == f.node {
		return
	}
	if f.node != "" {
		c.complain("pod %s was bound to %s, and then to %s", f.name, f.node, pod.Spec.NodeName)
		return
	}
	f.node = pod.Spec.NodeName
	c.bound++
	c.waited = append(c.waited, time.Since(f.since))
	if c.milliCPU[f.node] += f.milliCPU; c.milliCPU[f.node] > soakCapacity.Cpu().MilliValue() {
		c.complain("node %s has pods of %d millicores", f.node, c.milliCPU[f.node])
	}
}

func (c *checks) gone(o any) {
	if unknown, ok := o.(cache.DeletedFinalStateUnknown); ok {
		o = unknown.Obj
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	pod := o.(*corev1.Pod)
	if f := c.seen[pod.UID]; f != nil {
		c.milliCPU[f.node] -= f.milliCPU
		c.judge(f)
		delete(c.seen, pod.UID)
	}
}

// judge holds a pod against how long it may wait.
func (c *checks) judge(f *followed) {
	switch waited := time.Since(f.since); {
	case f.stuck && f.node != "":
		c.complain("pod %s fits nowhere, and was bound to %s", f.name, f.node)
	case !f.stuck && f.node == "" && waited > bindWithin:
		c.complain("pod %s has waited for %v: %s", f.name, waited.Round(time.Second), f.why)
	}
}

// mostComplaints bounds what is told.
const mostComplaints = 20

func (c *checks) complain(format string, args ...any) {
	if len(c.wrong) < mostComplaints {
		c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
	}
}

func (c *checks) report(t *testing.T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.seen {
		c.judge(f)
	}
	if c.bound < c.created/2 || c.bound == 0 {
		t.Fatalf("expected most of %d pods bound, found %d", c.created, c.bound)
	}
	t.Logf("%d pods were created and %d bound; %d leaders were killed", c.created, c.bound, c.killed)
	slices.Sort(c.waited)
	for _, percent := range []int{50, 90, 99, 100} {
		t.Logf("%d %% were bound within %v", percent, c.waited[max(len(c.waited)*percent/100, 1)-1].Round(time.Millisecond))
	}
	for _, wrong := range c.wrong {
		t.Error(wrong)
	}
}

// sample reads so often what the leader takes, until the context ends.
func (s *soak) sample(ctx context.Context, every time.Duration) (list []map[string]float64) {
	for pauseFor(ctx, every) {
		m, err := readMetrics(ctx, s.leader.health)
		if err != nil {
			s.complain(ctx, "reading the leader's metrics", err)
			continue
		}
		list = append(list, m)
		s.Logf("heap %.1f MB, resident %.1f MB, %.0f goroutines, %.0f files, %.0f rounds", m["go_gc_heap_live_bytes"]/1e6, m["process_resident_memory_bytes"]/1e6,
			m["go_goroutines"], m["process_open_fds"], m["quern_rounds_total"])
	}
	return list
}

// judgeSamples compares the medians of the middle and the last third. What grows is remembered for some minutes by design: events, applications that ended.
func judgeSamples(t *testing.T, list []map[string]float64) {
	n := len(list) / 3
	if n < 5 {
		t.Fatalf("%d samples are too few to judge", len(list))
	}
	for _, m := range []struct {
		name  string
		slack float64
	}{{"go_gc_heap_live_bytes", 16e6}, {"process_resident_memory_bytes", 32e6}, {"go_goroutines", 50}, {"process_open_fds", 20}} {
		before, after := medianOf(list[n:2*n], m.name), medianOf(list[2*n:], m.name)
		t.Logf("%s: %.0f in the second third, %.0f in the last", m.name, before, after)
		if after > before*1.1+m.slack {
			t.Errorf("%s grows from %.0f to %.0f", m.name, before, after)
		}
	}
}

func medianOf(list []map[string]float64, name string) float64 {
	var values []float64
	for _, m := range list {
		values = append(values, m[name])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// readMetrics reads the metrics without labels.
func readMetrics(ctx context.Context, address string) (map[string]float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("/metrics: %s", answer.Status)
	}
	all := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		if number, err := strconv.ParseFloat(value, 64); ok && err == nil && !strings.HasPrefix(name, "#") {
			all[name] = number
		}
	}
	return all, nil
}
