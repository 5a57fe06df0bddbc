//go:build linux

package yunikorn

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// large is a scheduler with 1,000 queues, 5,000 nodes and 100,000 asks, most of which are allocated. Nothing runs it, so that what is measured
// is reading alone.
func large(b *testing.B) *API {
	b.Helper()
	log, found, err := store.Open(simdisk.New(1), store.Options{SegmentSize: 64 << 20})
	if err != nil {
		b.Fatal(err)
	}
	clock := server.NewSystemClock(0)
	memory := NewMemory()
	s, err := server.New(server.Options{Store: log, Found: found, Clock: clock, Log: slog.New(slog.DiscardHandler), Watcher: memory})
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(b.Context()) }()
	source := s.Source()
	submit := func(list []core.Input) {
		given, err := source.Submit(b.Context(), &server.Request{Inputs: list})
		if err == nil {
			err = s.View().Await(b.Context(), given.Batch)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	var queues strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&queues, "  - {name: q%d, limits: [{users: [u%d], maxresources: {vcore: 1000}}]}\n", i, i%10)
	}
	submit([]core.Input{{Event: &core.SetConfig{Config: "partitions:\n- name: default\n  queues:\n" + queues.String()}}})
	set := func(vcore, memory int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: "memory", Value: memory << 30}, resource.Quantity{Type: resource.VCore, Value: vcore})
	}
	var list []core.Input
	flush := func() { submit(list); list = nil }
	for i := range 5000 {
		list = append(list, core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: set(18_000, 64)}})
	}
	flush()
	for i := range 10_000 {
		app := fmt.Sprint("a", i)
		list = append(list, core.Input{Event: &core.AddApp{ID: app, Queue: fmt.Sprint("root.q", i%1000), User: fmt.Sprint("u", i%100)}})
		for k := range 10 {
			list = append(list, core.Input{Event: &core.AddAsk{ID: fmt.Sprint(app, "-", k), App: app, Resources: set(1000, 1)}})
		}
		if len(list) > 5000 {
			flush()
		}
	}
	flush()
	return New(s, memory, Options{})
}

// silent is a client that takes everything at once.
type silent struct {
	http.ResponseWriter
	bytes int
}

func (s *silent) Write(p []byte) (int, error) { s.bytes += len(p); return len(p), nil }

// watchedView measures for how long it is held, in time that the thread computes: others on the machine do not count.
type watchedView struct {
	view
	longest time.Duration
	holds   int
}

func (v *watchedView) Read(show func(*scheduler.Scheduler)) {
	v.view.Read(func(s *scheduler.Scheduler) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		began := computed()
		show(s)
		v.longest = max(v.longest, computed()-began)
	})
	v.holds++
}

// computed is what the thread has computed so far.
func computed() time.Duration {
	const clockThread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockThread, uintptr(unsafe.Pointer(&t)), 0); err != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}

// BenchmarkRoutes reads each route, and gives the longest time for which the view was held, in milliseconds.
func BenchmarkRoutes(b *testing.B) {
	a := large(b)
	mux := http.NewServeMux()
	for _, r := range a.Routes() {
		mux.Handle(r.Pattern, r.Handler)
	}
	for _, path := range []string{
		"/ws/v1/clusters", "/ws/v1/partitions", "/ws/v1/config", "/ws/v1/events/batch", "/ws/v1/history/apps", "/ws/v1/scheduler/healthcheck", "/ws/v1/scheduler/node-utilizations",
		"/ws/v1/partition/default/queues", "/ws/v1/partition/default/queue/root.q1", "/ws/v1/partition/default/nodes", "/ws/v1/partition/default/node/n1",
		"/ws/v1/partition/default/applications/active", "/ws/v1/partition/default/queue/root.q1/applications", "/ws/v1/partition/default/application/a1",
		"/ws/v1/partition/default/usage/users", "/ws/v1/partition/default/usage/user/u1", "/ws/v1/partition/default/usage/groups", "/debug/fullstatedump",
	} {
		b.Run(strings.TrimPrefix(path, "/ws/v1/"), func(b *testing.B) {
			w := &silent{ResponseWriter: httptest.NewRecorder()}
			r := httptest.NewRequest(http.MethodGet, path, nil)
			watched := &watchedView{view: a.view}
			a.view = watched
			for b.Loop() {
				mux.ServeHTTP(w, r)
			}
			a.view = watched.view
			b.ReportMetric(float64(watched.longest.Microseconds())/1000, "held-ms")
			b.ReportMetric(float64(watched.holds)/float64(b.N), "holds/op")
			b.ReportMetric(float64(w.bytes)/float64(b.N), "bytes/op")
		})
	}
}

// BenchmarkMemory has an ask come, be allocated and end.
func BenchmarkMemory(b *testing.B) {
	m := NewMemory()
	app := core.Input{Event: &core.AddApp{ID: "a", User: "u"}}
	m.Step(1, &app, core.Accepted, []core.Decision{{Type: core.AppAccepted, ID: "a", Queue: "root.q"}})
	set := resource.NewSet(resource.Quantity{Type: "memory", Value: 1 << 30}, resource.Quantity{Type: resource.VCore, Value: 1000})
	b.ReportAllocs()
	for at := time.Duration(1); b.Loop(); at++ {
		ask := core.Input{Event: &core.AddAsk{ID: "k", App: "a", Resources: set}}
		m.Step(at, &ask, core.Accepted, nil)
		m.Step(at, nil, core.Accepted, []core.Decision{{Type: core.Allocation, At: at, ID: "k", App: "a", Node: "n", Resources: set}})
		m.Step(at, nil, core.Accepted, []core.Decision{{Type: core.Release, At: at, ID: "k", Reason: core.ReasonFinished}})
	}
}

func TestLongAnswersAreReadInParts(t *testing.T) {
	l := begin(t)
	const nodes, apps = 500, 300
	var inputs strings.Builder
	for i := range nodes {
		fmt.Fprintf(&inputs, `{"type":"node.add","id":"n%d","capacity":{"vcore":8}}`+"\n", i)
	}
	for i := range apps {
		fmt.Fprintf(&inputs, `{"type":"app.add","id":"a%d","queue":"root.default","user":"u"}`+"\n", i)
	}
	for i := range apps {
		fmt.Fprintf(&inputs, `{"type":"ask.add","id":"k%d","app":"a0","resources":{"vcore":1}}`+"\n", i)
	}
	l.submit(inputs.String())
	for path, least := range map[string]int{
		"partition/default/nodes":               nodes / partObjects,
		"partition/default/applications/active": apps / partObjects,
		"partition/default/application/a0":      apps / partObjects,
		"partition/default/usage/users":         apps / partObjects,
		"scheduler/node-utilizations":           nodes / partObjects,
		"scheduler/healthcheck":                 nodes / partObjects,
		"partitions":                            (nodes + apps) / partObjects,
	} {
		watched := &watchedView{view: l.machine.View()}
		a := &API{view: watched, memory: l.memory, options: Options{Now: l.machine.Clock.Now}}
		mux := http.NewServeMux()
		for _, r := range a.Routes() {
			mux.Handle(r.Pattern, r.Handler)
		}
		w := httptest.NewRecorder()
		if mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/ws/v1/"+path, nil)); w.Code != http.StatusOK || watched.holds < least {
			t.Errorf("%s: %d, the view was held %d times, expected %d at least", path, w.Code, watched.holds, least)
		}
	}
}
