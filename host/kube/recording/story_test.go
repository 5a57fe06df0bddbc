package recording

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/importing/history"
	"github.com/quern-project/quern/host/kubelabels"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || string(want) != got {
		t.Errorf("%v: rewrite with -update and read the difference; got\n%s", err, got)
	}
}

func TestADayIsWrittenAsAHistoryThatReplaysPartByPart(t *testing.T) {
	d := newDriver(t)
	d.file("testdata/day.yaml")
	golden(t, "testdata/day.history", d.text())
	if len(d.written) != 2 {
		t.Fatalf("%d parts", len(d.written))
	}
	for _, part := range d.written {
		_, decisions := replayed(t, bytes.NewReader(part.Bytes()))
		for _, made := range decisions {
			switch made.Type {
			case core.Allocation, core.Reservation, core.Preemption:
				t.Errorf("the replay decides itself: %s %s on %s", made.Type, made.ID, made.Node)
			}
		}
	}
	s, _ := replayed(t, bytes.NewReader(d.written[0].Bytes()))
	if n, _ := s.Node("n1"); !slices.Contains(n.Allocations, "shop/old") {
		t.Errorf("on n1 run %v", n.Allocations)
	}
}

// What a history does not say of a pod is counted once, though it is written when it waits, when it is bound, and in each part.
func TestHistory_CountsIncompletePodsOnce(t *testing.T) {
	var written []core.Input
	s := newStory(nil, lookup{namespace: func(string) *corev1.Namespace { return nil }}, func(in core.Input) { written = append(written, in) })
	s.node("n1", &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}})
	s.begin()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p", UID: "p", Annotations: map[string]string{kubelabels.AllowPreemption: "perhaps"}}}
	pod.Spec.SchedulerName = everyScheduler
	pod.Spec.Containers = []corev1.Container{{Name: "c", Ports: []corev1.ContainerPort{{HostPort: 80}}}}
	s.pod("ns/p", pod)
	bound := pod.DeepCopy()
	bound.Spec.NodeName = "n1"
	s.pod("ns/p", bound)
	s.begin()
	restored := slices.DeleteFunc(written, func(in core.Input) bool { return in.Type() != core.AllocationRestore })
	if n := s.unsaid["NodePorts"]; len(restored) != 2 || n != 1 || s.problems != 1 {
		t.Errorf("written: %+v; counted: %d pods with ports, %d problems", restored, n, s.problems)
	}
}

func TestTheWorkloadOfAHistoryLetsTheSchedulerChoose(t *testing.T) {
	d := newDriver(t)
	d.file("testdata/day.yaml")
	workload, tally := workloadOf(t, d)
	golden(t, "testdata/day.workload", workload+"\n# "+strings.ReplaceAll(tally, "\n", "\n# ")+"\n")
	_, decisions := replayed(t, strings.NewReader(workload))
	placed := map[string]string{}
	for _, made := range decisions {
		if made.Type == core.Allocation {
			placed[made.ID] += made.Node
		}
	}
	if placed["shop/web"] != "n1n1" || placed["ops/agent-n2"] != "n2" || placed["lab/huge"] != "" {
		t.Errorf("placed %v", placed)
	}
}

// workloadOf makes a workload of the parts that were written.
func workloadOf(t testing.TB, d *driver) (text, tally string) {
	t.Helper()
	sink := importing.NewSink(importing.Options{})
	defer sink.Close()
	reader := history.NewReader(sink)
	for _, part := range d.written {
		if err := reader.Read(bytes.NewReader(part.Bytes()), "part"); err != nil {
			t.Fatal(err)
		}
	}
	if err := reader.Give(); err != nil {
		t.Fatal(err)
	}
	if err := sink.Err(); err != nil {
		t.Fatal(err)
	}
	config, err := sink.Queues.Config()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := sink.Write(&out, importing.Layout{Dates: true, Config: config}); err != nil {
		t.Fatal(err)
	}
	return out.String(), strings.Join(sink.Lines(), "\n")
}
