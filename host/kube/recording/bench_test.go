package recording

import (
	"bytes"
	"encoding/binary"
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
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
)

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// BenchmarkPodLife is what the life of a pod costs: the four events of it that the API server sends are read, decoded, stripped, compared and
// written. At 100 pods a second, 100 microseconds are one percent of a core. What the connection costs comes on top.
func BenchmarkPodLife(b *testing.B) {
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	versions := encodedLife(b, codec)
	d := newDriver(b)
	d.o.Create = func(time.Time) (io.WriteCloser, error) { return discard{io.Discard}, nil }
	d.parts.create = d.o.Create
	d.o.Log = slog.New(slog.DiscardHandler)
	d.node(nodeObject("n1"), false)
	d.part()
	f := &podFeed{Recorder: d.Recorder}
	lives := make([][]byte, 1000)
	for i := range lives {
		lives[i] = framesOfLife(versions, i)
	}
	in := bytes.NewReader(nil)
	events := newEventDecoder(io.NopCloser(in), nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		in.Reset(lives[i%len(lives)])
		for in.Len() > 0 || events.in.Buffered() > 0 {
			kind, pod, err := events.Decode()
			if err == nil {
				err = f.one(pod, kind == watch.Deleted)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkDecodePod compares the two ways to have the four versions of a pod as far as a history keeps them: sparsely, or as a whole by the
// serializer of Kubernetes, and stripped.
func BenchmarkDecodePod(b *testing.B) {
	versions := encodedLife(b, codec)
	b.Run("sparse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d := newPodDecoder(nil)
			for _, text := range versions {
				content, err := contentOf(text, "Pod")
				if err == nil {
					_, err = d.version(content)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range versions {
				stripPod(plainly(b, text), nil)
			}
		}
	})
}

// framesOfLife are the events of a pod. Each pod is another one, with a name of the same length.
func framesOfLife(versions [][]byte, i int) []byte {
	var frames bytes.Buffer
	for n, kind := range []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Deleted} {
		text := bytes.ReplaceAll(versions[n], []byte("job-1-abcde"), fmt.Appendf(nil, "job-1-%05d", i))
		writeFrame(&frames, kind, bytes.ReplaceAll(text, []byte("0f2ad4a6c111"), fmt.Appendf(nil, "%012d", i)))
	}
	return frames.Bytes()
}

// writeFrame writes an event as the API server does.
func writeFrame(to *bytes.Buffer, kind watch.EventType, object []byte) {
	event := metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: object}}
	text, err := event.Marshal()
	if err != nil {
		panic(err)
	}
	to.Write(binary.BigEndian.AppendUint32(nil, uint32(len(text))))
	to.Write(text)
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
