package translate

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestJobAtOnce_Bounds(t *testing.T) {
	yes := true
	by := func(kind string) []metav1.OwnerReference {
		return []metav1.OwnerReference{{Kind: kind, Name: "o", Controller: &yes}}
	}
	number := func(n int32) *int32 { return &n }
	for _, c := range []struct {
		name                     string
		parallelism, completions *int32
		owners                   []metav1.OwnerReference
		succeeded, want          int
	}{
		{"nothing is said", nil, nil, nil, 0, 1},
		{"parallelism alone", number(3), nil, nil, 2, 3},
		{"more completions", number(3), number(7), nil, 0, 3},
		{"fewer completions", number(3), number(2), nil, 0, 2},
		{"some have succeeded", number(3), number(7), nil, 5, 2},
		{"more have succeeded than are needed", number(3), number(7), nil, 9, 1},
		{"scaled to zero", number(0), number(7), nil, 0, 0},
		{"of a CronJob", number(3), number(7), by("CronJob"), 0, 3},
		{"of a JobSet", number(3), number(7), by("JobSet"), 0, 0},
	} {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{OwnerReferences: c.owners}, Spec: batchv1.JobSpec{Parallelism: c.parallelism, Completions: c.completions}}
		if got := JobAtOnce(job, c.succeeded); got != c.want {
			t.Errorf("%s: expected %d, found %d", c.name, c.want, got)
		}
	}
}

func TestStatefulSetAtOnce_Bounds(t *testing.T) {
	yes, three := true, int32(3)
	set := &appsv1.StatefulSet{}
	if got := StatefulSetAtOnce(set); got != 1 {
		t.Errorf("without replicas: %d", got)
	}
	if set.Spec.Replicas = &three; StatefulSetAtOnce(set) != 3 {
		t.Errorf("with three: %d", StatefulSetAtOnce(set))
	}
	set.OwnerReferences = []metav1.OwnerReference{{Kind: "LeaderWorkerSet", Name: "l", Controller: &yes}}
	if got := StatefulSetAtOnce(set); got != 0 {
		t.Errorf("of a LeaderWorkerSet: %d", got)
	}
}

func TestJobSucceeded_CountsWhatIsNotYetCounted(t *testing.T) {
	job := &batchv1.Job{Status: batchv1.JobStatus{Succeeded: 2, UncountedTerminatedPods: &batchv1.UncountedTerminatedPods{Succeeded: []types.UID{"a"}}}}
	if got := JobSucceeded(job); got != 3 {
		t.Errorf("expected 3, found %d", got)
	}
}

// A gang needs as many members as are made at once, whatever it asks for.
func TestGang_NoMoreThanAreMadeAtOnce(t *testing.T) {
	pod := marked(t, `annotations: {yunikorn.apache.org/task-group-name: w, yunikorn.apache.org/task-groups: '[{"name":"w","minMember":4},{"name":"ps","minMember":2}]'}`, "")
	for _, c := range []struct {
		atOnce map[string]int
		want   int
	}{{nil, 6}, {map[string]int{"w": 3}, 5}, {map[string]int{"w": 9, "ps": 1}, 5}, {map[string]int{"w": 0}, 6}} {
		g, bad := GangOf(pod, &Context{AtOnce: c.atOnce})
		if len(bad) > 0 || g.Min() != c.want || g.MinOf(nil) != 6 || g.MinOf(c.atOnce) != c.want {
			t.Errorf("%v: expected %d, found %d; %v", c.atOnce, c.want, g.Min(), bad)
		}
	}
}
