package yunikorn

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// live is a scheduler that is served, under a clock that the test sets.
type live struct {
	*testing.T
	machine *livetest.Machine
	memory  *Memory
	source  *server.Source
	server  *httptest.Server
}

// start is when the clock of a test begins.
const start = 1_000_000 * time.Hour / 60 * 30 // some time in 2027

func begin(t *testing.T) *live {
	l := &live{T: t, machine: livetest.NewMachine()}
	l.machine.Clock.Set(start)
	l.run()
	t.Cleanup(func() { l.end() })
	return l
}

// run starts the scheduler from what its disk has.
func (l *live) run() {
	l.Helper()
	l.memory = NewMemory()
	if err := l.machine.Start(func(o *server.Options) { o.Watcher = l.memory }); err != nil {
		l.Fatal(err)
	}
	l.source = l.machine.Source()
	api := New(l.machine.Server, l.memory, Options{Now: l.machine.Clock.Now, Managers: managers{}, Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "quern_up 1\n")
	})})
	l.server = httptest.NewServer(new(web.Guard).Handler(api.Routes()...))
}

// managers tell what resource managers have said.
type managers struct{}

func (managers) BuildInformation() []map[string]string {
	return []map[string]string{{"rmId": "rm-1", "buildVersion": "1.0"}}
}

func (managers) Foreign() map[string][]*siv1.Allocation {
	return map[string][]*siv1.Allocation{"n2": {
		{AllocationKey: "f1", NodeID: "n2", Priority: 3, ResourcePerAlloc: &siv1.Resource{Resources: map[string]*siv1.Quantity{"vcore": {Value: 500}}},
			AllocationTags: map[string]string{"foreign": "default", "creationTime": "1800000000"}},
		{AllocationKey: "f2", NodeID: "n2", AllocationTags: map[string]string{"yunikorn.apache.org/foreign": "default", "kubernetes.io/meta/creationTime": "1800000001"}},
	}}
}

// created is when resource managers say that asks were created, where they do.
var created = map[string]int64{"b2": 1_700_000_000 * int64(time.Second), "o2": 1_700_000_001 * int64(time.Second)}

func (managers) Told(keys []string) map[string]*siv1.Allocation {
	all := map[string]*siv1.Allocation{}
	for _, k := range []*siv1.Allocation{
		{AllocationKey: "b2", ApplicationID: "batch-1", AllocationTags: map[string]string{"kubernetes.io/meta/podName": "b-1", "creationTime": "1700000000"}},
		{AllocationKey: "b1", ApplicationID: "of-before", AllocationTags: map[string]string{"creationTime": "1700000000"}},
		{AllocationKey: "o1", ApplicationID: "online", AllocationTags: map[string]string{"creationTime": "yesterday"}},
		{AllocationKey: "o2", ApplicationID: "online", AllocationTags: map[string]string{"yunikorn.apache.org/creationTime": "1700000001"}},
	} {
		if slices.Contains(keys, k.GetAllocationKey()) {
			all[k.GetAllocationKey()] = k
		}
	}
	return all
}

func (l *live) end() {
	l.server.Close()
	if err := l.machine.Stop(); err != nil {
		l.Error(err)
	}
}

// restart ends the scheduler and starts it again.
func (l *live) restart() {
	l.end()
	l.run()
}

// after moves the clock.
func (l *live) after(d time.Duration) {
	l.machine.Clock.Set(l.machine.Clock.Now() + d)
	l.machine.Refresh(l.Context())
}

// submit sends inputs, which are lines of a journal, and waits until the view has them.
func (l *live) submit(text string) {
	l.Helper()
	var list []core.Input
	for d := journal.NewInputDecoder(strings.NewReader(text), "test"); ; {
		e, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			l.Fatal(err)
		}
		list = append(list, e.Input)
	}
	given, err := l.source.Submit(l.Context(), &server.Request{Inputs: list})
	if err == nil {
		err = l.machine.View().Await(l.Context(), given.Batch)
	}
	if err != nil {
		l.Fatal(err)
	}
	for i := range given.Decisions {
		if d, err := given.Decisions[i].Value(); err != nil || d.Type == core.ConfigRejected {
			l.Fatalf("%s %v", given.Decisions[i], err)
		}
	}
}

// reply is what a request is answered with.
type reply struct {
	status int
	header http.Header
	body   string
}

func (l *live) do(method, path, body string, headers ...string) reply {
	l.Helper()
	r, err := http.NewRequestWithContext(l.Context(), method, l.server.URL+path, strings.NewReader(body))
	if err != nil {
		l.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		l.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		l.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}

// get reads an object of a route.
func get[T any](l *live, path string) (object T) {
	l.Helper()
	r := l.do("GET", path, "")
	if r.status != http.StatusOK {
		l.Fatalf("%s: %d %s", path, r.status, r.body)
	}
	d := json.NewDecoder(strings.NewReader(r.body))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		l.Fatalf("%s: %v in %s", path, err, r.body)
	}
	return object
}

// state reads something of the scheduler itself.
func state[T any](l *live, read func(*scheduler.Scheduler) T) (found T) {
	l.machine.View().Read(func(s *scheduler.Scheduler) { found = read(s) })
	return found
}
