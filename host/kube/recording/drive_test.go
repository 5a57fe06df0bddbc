package recording

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/translate"
)

// epoch is when the stories of tests begin.
var epoch = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// driver has a recorder follow objects without a cluster.
type driver struct {
	*Recorder
	t       testing.TB
	written []*bytes.Buffer // by part
	clock   time.Time

	namespaces map[string]*corev1.Namespace
	classes    map[string]*schedulingv1.PriorityClass
}

// memory is a part in memory.
type memory struct{ *bytes.Buffer }

func (memory) Close() error { return nil }

func newDriver(t testing.TB, schedulers ...string) *driver {
	d := &driver{t: t, clock: epoch, namespaces: map[string]*corev1.Namespace{}, classes: map[string]*schedulingv1.PriorityClass{}}
	o := Options{Queues: DefaultQueues, Schedulers: schedulers, Log: slog.New(slog.DiscardHandler), Create: d.create}
	d.Recorder = newRecorder(o, nil, nil, func() time.Time { return d.clock })
	d.failed = func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	found := lookup{
		func(name string) *corev1.Namespace { return d.namespaces[name] },
		func(name string) *schedulingv1.PriorityClass { return d.classes[name] },
	}
	d.story = newStory(o.Schedulers, found, d.parts.input)
	return d
}

func (d *driver) create(time.Time) (io.WriteCloser, error) {
	d.written = append(d.written, &bytes.Buffer{})
	return memory{d.written[len(d.written)-1]}, nil
}

// step is an event of a story.
type step struct {
	At      string         `json:"at"`
	Object  map[string]any `json:"object"`
	Deleted bool           `json:"deleted"`
	Begin   bool           `json:"begin"` // a part begins
}

// file follows the events of a file, and ends the recording.
func (d *driver) file(name string) {
	d.t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		d.t.Fatal(err)
	}
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		var s step
		if err := decoder.Decode(&s); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			d.t.Fatal(err)
		}
		d.step(&s)
	}
	if err := d.end(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *driver) step(s *step) {
	after, err := time.ParseDuration(s.At)
	if err != nil {
		d.t.Fatal(err)
	}
	d.clock = epoch.Add(after)
	d.parts.advance()
	text, err := sigsyaml.Marshal(s.Object)
	if err != nil {
		d.t.Fatal(err)
	}
	switch {
	case s.Begin:
		d.part()
	case s.Object["kind"] == "Namespace":
		n := decoded[corev1.Namespace](d.t, text)
		d.namespaces[n.Name] = n
	case s.Object["kind"] == "PriorityClass":
		c := decoded[schedulingv1.PriorityClass](d.t, text)
		d.classes[c.Name] = c
	case s.Object["kind"] == "Node":
		n := decoded[corev1.Node](d.t, text)
		d.node(n, s.Deleted)
	default:
		d.pod(decoded[corev1.Pod](d.t, text), s.Deleted)
	}
}

func (d *driver) node(n *corev1.Node, deleted bool) {
	name, current := n.Name, d.stripped(n).(*corev1.Node)
	if deleted {
		current = nil
	}
	d.story.node(name, current)
}

func (d *driver) pod(p *corev1.Pod, deleted bool) {
	key, current := translate.Key(p), d.stripped(p).(*corev1.Pod)
	if deleted {
		current = nil
	}
	d.story.pod(key, current)
}

func (d *driver) stripped(object any) any {
	object, err := strip(d.o.Schedulers)(object)
	if err != nil {
		d.t.Fatal(err)
	}
	return object
}

// text is everything that was written.
func (d *driver) text() string {
	var all bytes.Buffer
	for _, part := range d.written {
		all.Write(part.Bytes())
	}
	return all.String()
}

// decoded reads an object as strictly as the API server.
func decoded[T any](t testing.TB, text []byte) *T {
	t.Helper()
	o := new(T)
	if err := sigsyaml.UnmarshalStrict(text, o); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o
}

// replayed runs a journal through a scheduler, and returns that and its decisions. An input that is refused fails the test.
func replayed(t testing.TB, text io.Reader) (*scheduler.Scheduler, []core.Decision) {
	t.Helper()
	var all []core.Decision
	s := scheduler.New(core.Options{})
	options := journal.Options{Decisions: func(list []core.Decision) {
		for i := range list {
			switch d := list[i]; d.Type {
			case core.AppRejected, core.AskRejected, core.NodeRejected, core.ConfigRejected, core.Ignored:
				t.Errorf("%s %s: %s", d.Type, d.ID, d.Message)
			default:
				all = append(all, d)
			}
		}
	}}
	if _, err := journal.Replay(s, journal.NewDecoder(text, "history", nil), options); err != nil {
		t.Fatal(err)
	}
	return s, all
}
