package translate

import (
	"reflect"
	"testing"

	"github.com/quern-project/quern/core"
	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPodsOfAPodGroupAreAnAtomicGang(t *testing.T) {
	group, yes := "trainers", true
	member := func() *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p", OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: "job", Controller: &yes}}},
			Spec: corev1.PodSpec{SchedulerName: "quern", SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &group}}}
	}
	gang := &schedulingv1alpha2.PodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: group}}
	gang.Spec.SchedulingPolicy.Gang = &schedulingv1alpha2.GangSchedulingPolicy{MinCount: 3}
	basic := &schedulingv1alpha2.PodGroup{ObjectMeta: gang.ObjectMeta}
	basic.Spec.SchedulingPolicy.Basic = &schedulingv1alpha2.BasicSchedulingPolicy{}
	named, alone := member(), member()
	named.Labels = map[string]string{"applicationId": "llm"}
	alone.Spec.SchedulingGroup = nil
	for _, c := range []struct {
		name  string
		pod   *corev1.Pod
		group *schedulingv1alpha2.PodGroup
		app   string
		gang  *core.Gang
	}{
		{"a gang", member(), gang, "ml/trainers", &core.Gang{ID: "pod-group/trainers", Min: 3}},
		{"in an application that it names", named, gang, "llm", &core.Gang{ID: "pod-group/trainers", Min: 3}},
		{"a group that is none", member(), basic, "ml/trainers", nil},
		{"no group", alone, nil, "ml/job", nil},
	} {
		s := Settings{Schedulers: []string{"quern"}}
		ask, bad := s.AskOf(c.pod, &Context{PodGroup: c.group})
		if ask.App != c.app || !reflect.DeepEqual(ask.Gang, c.gang) || len(bad) > 0 {
			t.Errorf("%s: found application %s, gang %+v, problems %v", c.name, ask.App, ask.Gang, bad)
		}
	}
}
