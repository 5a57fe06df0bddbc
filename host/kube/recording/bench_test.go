package recording

import (
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// BenchmarkPodLife is what the life of a pod costs: the four versions of it that the API server sends are decoded, stripped, compared and
// written. At 100 pods a second, 100 microseconds are one percent of a core. What informers and the connection cost comes on top.
func BenchmarkPodLife(b *testing.B) {
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	versions := encodedLife(b, codec)
	d := newDriver(b)
	d.o.Create = func(time.Time) (io.WriteCloser, error) { return discard{io.Discard}, nil }
	d.parts.create = d.o.Create
	d.o.Log = slog.New(slog.DiscardHandler)
	d.node(nodeObject("n1"), false)
	d.part()
	stripped := strip(nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		key := fmt.Sprintf("default/pod-%d", i)
		for n, text := range versions {
			object, _, err := codec.Decode(reduced(text), nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			pod := object.(*corev1.Pod)
			pod.Name = key[len("default/"):]
			kept, _ := stripped(pod)
			if d.parts.advance(); n == len(versions)-1 { // it leaves what is watched
				kept = (*corev1.Pod)(nil)
			}
			d.story.pod(key, kept.(*corev1.Pod))
		}
	}
}

// encodedLife is a pod as it is created, bound, started and ended.
func encodedLife(b *testing.B, codec runtime.Serializer) (all [][]byte) {
	created := lifelike()
	bound := created.DeepCopy()
	bound.Spec.NodeName = "n1"
	bound.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}}
	running := bound.DeepCopy()
	running.Status.Phase = corev1.PodRunning
	started := true
	running.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Ready: true, Started: &started, Image: "registry.example/team/app:v1",
		ImageID: "registry.example/team/app@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", Resources: &created.Spec.Containers[0].Resources}}
	ended := running.DeepCopy()
	ended.Status.Phase = corev1.PodSucceeded
	for _, version := range []*corev1.Pod{created, bound, running, ended} {
		text, err := runtime.Encode(scheme.Codecs.EncoderForVersion(codec, corev1.SchemeGroupVersion), version)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// lifelike is a pod of a Job with what the API server and controllers add to it, about 3 kB.
func lifelike() *corev1.Pod {
	yes := true
	amounts := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("1Gi")}
	var env []corev1.EnvVar
	for i := range 12 {
		env = append(env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: "some value of a usual length"})
	}
	seconds := int64(300)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "job-1-abcde", UID: types.UID("0b6f8f3e-5c1f-4f7e-9d43-0f2ad4a6c111"), ResourceVersion: "123456", CreationTimestamp: metav1.Now(),
			Labels:          map[string]string{"app": "job-1", "batch.kubernetes.io/job-name": "job-1", "applicationId": "job-1", "queue": "root.batch"},
			Annotations:     map[string]string{"kubectl.kubernetes.io/last-applied-configuration": string(make([]byte, 800))},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "job-1", UID: "1", Controller: &yes}},
			ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: "controller", FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(string(make([]byte, 1200)))}},
		},
		Spec: corev1.PodSpec{
			SchedulerName: corev1.DefaultSchedulerName, Containers: []corev1.Container{{Name: "main", Image: "registry.example/team/app:v1", Env: env,
				Resources: corev1.ResourceRequirements{Requests: amounts, Limits: amounts}}},
			Tolerations: []corev1.Toleration{
				{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
				{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
			},
		},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
}
