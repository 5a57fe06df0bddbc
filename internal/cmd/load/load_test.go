package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// samplesOf makes samples, one a second, of what a function says of each.
func samplesOf(n int, of func(i int, s *sample)) []sample {
	list := make([]sample, n)
	for i := range list {
		list[i] = sample{At: time.Duration(i) * time.Second, Heap: 50e6, Resident: 120e6, Goroutines: 40, Files: 30, Data: 100e6, Bound: 200e6}
		of(i, &list[i])
	}
	return list
}

func TestASoakFailsWhereSomethingGrows(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, s *sample)
		fail string // empty: it passes
	}{
		"flat":                          {func(int, *sample) {}, ""},
		"a warm-up":                     {func(i int, s *sample) { s.Heap = min(50e6, 1e6*float64(i)) }, ""},
		"a peak now and then":           {func(i int, s *sample) { s.Heap += float64(i%5/4) * 40e6 }, ""},
		"it shrinks":                    {func(i int, s *sample) { s.Resident -= 1e5 * float64(i) }, ""},
		"heap":                          {func(i int, s *sample) { s.Heap += 5e5 * float64(i) }, "heap"},
		"resident memory":               {func(i int, s *sample) { s.Resident += 2e6 * float64(i) }, "resident memory"},
		"goroutines":                    {func(i int, s *sample) { s.Goroutines += float64(i) }, "goroutines"},
		"files":                         {func(i int, s *sample) { s.Files += float64(i) }, "open files"},
		"applications that have ended":  {func(i int, s *sample) { s.Ended = 1000 * float64(i); s.Heap += 490 * s.Ended }, ""},
		"more for each than documented": {func(i int, s *sample) { s.Ended = 1000 * float64(i); s.Heap += 1500 * s.Ended }, "heap"},
		"the folder, for a moment":      {func(i int, s *sample) { s.Data += float64(i/70*(1-i/71)) * 101e6 }, "data folder"},
	} {
		err := judge(samplesOf(90, c.of), func(string, ...any) {})
		if c.fail == "" && err != nil || c.fail != "" && (err == nil || !strings.HasPrefix(err.Error(), c.fail)) {
			t.Errorf("%s: found %v", name, err)
		}
	}
	if err := judge(samplesOf(5, func(int, *sample) {}), func(string, ...any) {}); err == nil {
		t.Error("five samples were judged")
	}
}

func TestLoad_BoundsTheFolder(t *testing.T) {
	s := sampler{kept: map[string]float64{}}
	written := 0.0
	for i, c := range []struct {
		kept  []string
		since float64 // the older of two snapshots
	}{
		{nil, 1e6}, {nil, 2e6}, {[]string{"a"}, 3e6}, {[]string{"a", "b"}, 2e6}, {[]string{"a", "b"}, 3e6}, {[]string{"b", "c"}, 3e6}, {[]string{"c", "d"}, 2e6},
	} {
		written += 1e6
		if found := s.bound(&folder{kept: c.kept}, written) - 3*segment - 1<<20; found != c.since {
			t.Errorf("sample %d: %v bytes were written since, found %v", i, c.since, found)
		}
	}
}

func TestMetricsAreReadAsPrometheusWritesThem(t *testing.T) {
	m, err := parseMetrics(strings.NewReader("# HELP x y\n# TYPE x gauge\nx 1.5e+06\ny{a=\"b c\"} 2\nz_bucket{le=\"1\"} 3 # {trace_id=\"a\"} 0.5\n\n"))
	if err != nil || len(m) != 3 || m["x"] != 1.5e6 || m[`y{a="b c"}`] != 2 || m[`z_bucket{le="1"}`] != 3 {
		t.Errorf("found %v (%v)", m, err)
	}
	if _, err := m.get("nowhere"); err == nil {
		t.Error("a series that is not there was found")
	}
	if _, err := parseMetrics(strings.NewReader("x one\n")); err == nil {
		t.Error("a word was taken for a number")
	}
}

func TestAFollowerCountsWhatItWasToSee(t *testing.T) {
	const begin = 2500
	for queue, messages := range map[int]int64{499: 1, 500: 2, 501: 1, 0: 1, 7: 1} { // up to message 3500, which is of queue 500
		f := &follower{queue: queue, first: begin}
		if found := f.expected(begin + readerQueues + 1); found != messages*asksMessage {
			t.Errorf("queue %d: expected %d allocations, found %d", queue, messages*asksMessage, found)
		}
	}
	f := &follower{queue: 500, first: begin}
	if n := f.expected(begin); n != 0 {
		t.Errorf("before anything was sent, %d allocations are expected", n)
	}
	for seq, line := range []string{`"type":"allocation","id":"k1500-3"`, `"type":"allocation","id":"k2500-0"`, `"type":"app.state","id":"a500"`, `"type":"allocation","id":"k3500-9"`, `"type":"ask.rejected","id":"k3500-8"`} {
		if _, err := f.take(fmt.Sprintf(`{"seq":%d,%s}`, 10*seq+1, line)); err != nil {
			t.Error(err)
		}
	}
	if n := f.seen.Load(); n != 2 {
		t.Errorf("expected two allocations, found %d", n)
	}
	for _, bad := range []string{`{"seq":41}`, `{"seq":7}`, `seq`} {
		if _, err := f.take(bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestAReaderThatMissedAnAllocationFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var said strings.Builder
	r := &readers{out: &said}
	whole, short := &follower{queue: 3}, &follower{queue: 4}
	whole.seen.Store(asksMessage)
	short.seen.Store(asksMessage - 1)
	r.complete(ended, []*follower{whole, short}, 10)
	if r.failures.Load() != 1 || !strings.Contains(said.String(), "queue 4 saw 9 allocations, and 10 were made") || r.followers != 2 || r.checked != 2*asksMessage {
		t.Errorf("found %d failures of %d readers: %s", r.failures.Load(), r.followers, said.String())
	}
}

// What a writer adds goes again: there are never more applications and asks than in the beginning.
func TestWriter_KeepsTheClusterAtItsSize(t *testing.T) {
	apps, asks := map[string]int{}, map[string]string{} // of each application how many asks; of each ask its application
	most := 0
	w := writer{name: "w", ended: new(atomic.Int64)}
	for range 5000 {
		for _, in := range w.next() {
			switch i := in.message; {
			case i.GetAppAdd() != nil:
				apps[i.GetAppAdd().GetId()] = 0
			case i.GetAppRemove() != nil:
				for id, app := range asks {
					if app == i.GetAppRemove().GetId() {
						delete(asks, id)
					}
				}
				delete(apps, i.GetAppRemove().GetId())
			case i.GetAskAdd() != nil:
				asks[i.GetAskAdd().GetId()] = i.GetAskAdd().GetApp()
				apps[i.GetAskAdd().GetApp()]++
			case i.GetAskRemove() != nil:
				drop(t, apps, asks, i.GetAskRemove().GetId())
			case i.GetAllocationRelease() != nil:
				drop(t, apps, asks, i.GetAllocationRelease().GetId())
			}
			if in.line == "" {
				t.Fatal("an input has no line")
			}
		}
		most = max(most, len(asks))
	}
	if len(apps) > appsAtOnce || most > appsAtOnce*(1+asksAtOnce*(waves+1)) || most == 0 || w.ended.Load() < 1000 {
		t.Errorf("%d applications, %d asks at most, %d applications have ended", len(apps), most, w.ended.Load())
	}
}

// drop takes back an ask; an application without any ends by itself.
func drop(t *testing.T, apps map[string]int, asks map[string]string, id string) {
	t.Helper()
	app, ok := asks[id]
	if !ok {
		t.Fatalf("%s is not there", id)
	}
	delete(asks, id)
	if apps[app]--; apps[app] == 0 {
		delete(apps, app)
	}
}
