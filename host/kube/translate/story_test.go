package translate

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each file of testdata has objects as users write them; the golden file beside it, what the scheduler is told and decides.
func TestObjectsAsUsersWriteThemAreScheduled(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			d := newDriver(t)
			d.file(file)
			golden := strings.TrimSuffix(file, ".yaml") + ".golden"
			if *update {
				if err := os.WriteFile(golden, d.text.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || string(want) != d.text.String() {
				t.Errorf("%v: rewrite with -update and read the difference; got\n%s", err, d.text.String())
			}
		})
	}
}

func story(t *testing.T, file string) *driver {
	d := newDriver(t)
	d.file(filepath.Join("testdata", file))
	return d
}

func TestASparkApplicationTakesTheRoomOfItsPlaceholders(t *testing.T) {
	d := story(t, "spark.yaml")
	if got := d.nodesOf("analytics/"); len(got) != 3 {
		t.Errorf("allocated on %v", got)
	}
	if !strings.Contains(d.text.String(), `"placeholder":true`) {
		t.Error("no placeholder held the room of the executors")
	}
	if a, _ := d.scheduler.App("spark-00f1"); a.Queue != "root.analytics" || a.User != "ann" || !slices.Equal(a.Groups, []string{"data"}) {
		t.Errorf("%+v", a)
	}
}

func TestAJobIsPlacedAsAWholeWithoutPlaceholders(t *testing.T) {
	d := story(t, "job.yaml")
	if got := d.nodesOf("ml/"); !slices.Equal(got, []string{"gpu-1", "gpu-1", "gpu-2"}) {
		t.Errorf("allocated on %v", got)
	}
	if strings.Contains(d.text.String(), "placeholder") {
		t.Error("there are placeholders")
	}
	last := strings.LastIndex(d.text.String(), `"ask.add"`)
	if strings.Contains(d.text.String()[:last], "allocation:") {
		t.Error("a pod was placed before the last one came")
	}
}

func TestANamespaceGivesItsPodsAQueueWithAQuota(t *testing.T) {
	d := story(t, "web.yaml")
	q, ok := d.scheduler.Queue("root.teams.shop")
	if max, _ := q.Max.Value("vcore"); !ok || max != 3000 {
		t.Errorf("%+v", q)
	}
	if got := d.nodesOf("shop/web"); !slices.Equal(got, []string{"worker-3"}) {
		t.Errorf("the service is on %v: one node is cordoned, one is tainted", got)
	}
	if got := d.nodesOf("shop/agent"); !slices.Equal(got, []string{"worker-1"}) {
		t.Errorf("the pod of the DaemonSet is on %v: it tolerates the cordon of its node", got)
	}
	n, _ := d.scheduler.Node("worker-3")
	if occupied, _ := n.Occupied.Value("vcore"); occupied != 750 {
		t.Errorf("foreign pods take %d", occupied)
	}
}

func TestAnExplanationNamesTheTaintsInTheWay(t *testing.T) {
	d := story(t, "web.yaml")
	large := d.pods["shop/web-7f-1"].DeepCopy()
	large.Namespace, large.Name, large.UID = "lab", "sim-1", "sim"
	resize(large, 3) // the third node has too little room left
	d.pod(Key(large), large)
	e, ok := d.scheduler.ExplainAsk(Key(large))
	if !ok || d.known[Key(large)].Node != "" {
		t.Fatal("the pod does not wait")
	}
	text := e.Sentences(d.scheduler.Now())
	for _, part := range []string{"Attribute untolerated taints must be none", "node.kubernetes.io/unschedulable:NoSchedule (1)", "team=data:NoExecute (1)"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
}

func TestBrokenAnnotationsKeepNoPodFromBeingScheduled(t *testing.T) {
	d := story(t, "broken.yaml")
	if got := d.nodesOf("lab/"); len(got) != 2 {
		t.Errorf("allocated on %v", got)
	}
	if got := strings.Count(d.text.String(), "problem:"); got != 11 {
		t.Errorf("%d problems:\n%s", got, d.text.String())
	}
}
