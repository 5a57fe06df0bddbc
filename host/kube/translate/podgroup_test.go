package translate

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podgroup"
)

func TestPodsOfAPodGroupAreAnAtomicGang(t *testing.T) {
	group, yes := "trainers", true
	member := func() *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p", OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: "job", Controller: &yes}}},
			Spec: corev1.PodSpec{SchedulerName: "quern", SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &group}}}
	}
	gang := &podgroup.Group{Namespace: "ml", Name: group, Gang: true, MinCount: 3}
	whole := &podgroup.Group{Namespace: "ml", Name: group, Gang: true, MinCount: 3, Whole: true}
	basic := &podgroup.Group{Namespace: "ml", Name: group}
	racked := &podgroup.Group{Namespace: "ml", Name: group, Gang: true, MinCount: 3, Topology: "example.com/rack"}
	loose := &podgroup.Group{Namespace: "ml", Name: group, Topology: "example.com/rack"}
	single := &core.Gang{ID: "pod-group/trainers", Min: 3, Disruption: core.DisruptMember}
	named, alone := member(), member()
	named.Labels = map[string]string{"applicationId": "llm"}
	alone.Spec.SchedulingGroup = nil
	for _, c := range []struct {
		name  string
		pod   *corev1.Pod
		group *podgroup.Group
		app   string
		gang  *core.Gang
		level string
	}{
		{"a gang", member(), gang, "ml/trainers", single, ""},
		{"a gang that is disrupted as a whole", member(), whole, "ml/trainers", &core.Gang{ID: "pod-group/trainers", Min: 3, Disruption: core.DisruptWhole}, ""},
		{"in an application that it names", named, gang, "llm", single, ""},
		{"a group that is none", member(), basic, "ml/trainers", nil, ""},
		{"no group", alone, nil, "ml/job", nil, ""},
		{"a gang in one rack", member(), racked, "ml/trainers", single, "attribute:example.com/rack"},
		{"a group in one rack that is no gang", member(), loose, "ml/trainers", &core.Gang{ID: "pod-group/trainers", Min: 1, Disruption: core.DisruptMember}, "attribute:example.com/rack"},
	} {
		s := Settings{Schedulers: []string{"quern"}}
		ask, bad := s.AskOf(c.pod, &Context{PodGroup: c.group})
		if ask.App != c.app || !reflect.DeepEqual(ask.Gang, c.gang) || ask.Topology != (core.Topology{Required: c.level}) || len(bad) > 0 {
			t.Errorf("%s: found application %s, gang %+v, topology %+v, problems %v", c.name, ask.App, ask.Gang, ask.Topology, bad)
		}
	}
}

func TestPodGroup_PriorityIsThatOfItsPods(t *testing.T) {
	group, own := "trainers", int32(7)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p"},
		Spec: corev1.PodSpec{SchedulerName: "quern", Priority: &own, SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &group}}}
	for _, c := range []struct {
		name  string
		group *podgroup.Group
		outer []*podgroup.Group
		want  int32
	}{
		{"of a gang", &podgroup.Group{Name: group, Gang: true, MinCount: 2, HasPriority: true, Priority: -3}, nil, -3},
		{"of a group that is no gang", &podgroup.Group{Name: group, HasPriority: true}, nil, 0},
		{"of a group without a priority", &podgroup.Group{Name: group, Gang: true, MinCount: 2}, nil, own},
		{"of no group", nil, nil, own},
		{"of composite groups: the outermost", &podgroup.Group{Name: group, HasPriority: true, Priority: 1}, []*podgroup.Group{{HasPriority: true, Priority: 2}, {HasPriority: true, Priority: 3}}, 3},
		{"of composite groups without a priority", &podgroup.Group{Name: group, HasPriority: true, Priority: 1}, []*podgroup.Group{{HasPriority: true, Priority: 2}, {}}, own},
	} {
		s := Settings{Schedulers: []string{"quern"}}
		if ask, _ := s.AskOf(pod, &Context{PodGroup: c.group, Composites: c.outer}); ask.Priority != c.want {
			t.Errorf("%s: the priority is %d, expected %d", c.name, ask.Priority, c.want)
		}
	}
}

func TestPodGroup_PreemptionPolicyIsThatOfItsPods(t *testing.T) {
	group, never, may := "trainers", corev1.PreemptNever, corev1.PreemptLowerPriority
	for _, c := range []struct {
		name  string
		own   *corev1.PreemptionPolicy
		group podgroup.Group
		outer []*podgroup.Group
		want  bool // it preempts none
	}{
		{"nothing is said", nil, podgroup.Group{}, nil, false},
		{"the pod says it", &never, podgroup.Group{}, nil, true},
		{"the group says it", &may, podgroup.Group{Preemption: never}, nil, true},
		{"the group says otherwise", &never, podgroup.Group{Preemption: may}, nil, false},
		{"the outermost group says it", &may, podgroup.Group{Preemption: may}, []*podgroup.Group{{Preemption: may}, {Preemption: never}}, true},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p"},
			Spec: corev1.PodSpec{SchedulerName: "quern", PreemptionPolicy: c.own, SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &group}}}
		s := Settings{Schedulers: []string{"quern"}}
		if ask, _ := s.AskOf(pod, &Context{PodGroup: &c.group, Composites: c.outer}); ask.NoPreemptOthers != c.want {
			t.Errorf("%s: preempts none: %v, expected %v", c.name, ask.NoPreemptOthers, c.want)
		}
	}
}

// Composite groups whose pods are preempted together have each of their gangs go as a whole.
func TestPodGroup_OfACompositeGroupThatIsDisruptedWhole(t *testing.T) {
	group := "trainers"
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p"},
		Spec: corev1.PodSpec{SchedulerName: "quern", SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &group}}}
	single, whole := &podgroup.Group{Namespace: "ml", Name: "single"}, &podgroup.Group{Namespace: "ml", Name: "whole", Whole: true}
	for _, c := range []struct {
		outer []*podgroup.Group
		by    *podgroup.Group
		want  core.Disruption
	}{
		{[]*podgroup.Group{single}, nil, core.DisruptMember},
		{[]*podgroup.Group{whole, single}, whole, core.DisruptWhole},
		{[]*podgroup.Group{{Whole: true}, whole}, whole, core.DisruptWhole},
	} {
		s := Settings{Schedulers: []string{"quern"}}
		ask, _ := s.AskOf(pod, &Context{PodGroup: &podgroup.Group{Namespace: "ml", Name: group, Gang: true, MinCount: 2}, Composites: c.outer})
		if by := Disrupted(c.outer); ask.Gang.Disruption != c.want || by != c.by {
			t.Errorf("of %v: found %v by %v, expected %v by %v", c.outer, ask.Gang.Disruption, by, c.want, c.by)
		}
	}
}
