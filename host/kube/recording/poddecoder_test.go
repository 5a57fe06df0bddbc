package recording

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// filler fills every field of an object, as far as the API has a value for it.
func filler(seed int64) *randfill.Filler {
	return randfill.NewWithSeed(seed).NilChance(.3).NumElements(1, 2).MaxDepth(12).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(int64(c.Uint32()), resource.DecimalSI)
		},
		func(t *metav1.Time, c randfill.Continue) { *t = metav1.Unix(int64(c.Uint32()), 0) },
		func(f *metav1.FieldsV1, _ randfill.Continue) { f.SetRawString("{}") },
		func(p *corev1.PodPhase, c randfill.Continue) {
			*p = []corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}[c.Intn(4)]
		},
		func(t *corev1.PodConditionType, c randfill.Continue) {
			*t = []corev1.PodConditionType{corev1.PodReady, corev1.PodScheduled, corev1.PodResizePending, corev1.PodResizeInProgress}[c.Intn(4)]
		},
	)
}

// randomVersions are those of a pod, which differ in all, in one section, in the node, or in nothing that is kept.
func randomVersions(seed int64) []*corev1.Pod {
	fill, rng := filler(seed), rand.New(rand.NewPCG(uint64(seed), 1))
	pod := &corev1.Pod{}
	fill.Fill(pod)
	pod.Name, pod.Namespace, pod.UID = fmt.Sprint("pod-", seed), "default", types.UID(fmt.Sprint("uid-", seed))
	versions := []*corev1.Pod{pod}
	for i := range 6 {
		next := versions[i].DeepCopy()
		next.ResourceVersion = fmt.Sprint(100*seed + int64(i))
		switch rng.IntN(6) {
		case 0:
			fill.Fill(&next.Spec)
		case 1:
			fill.Fill(&next.Status)
		case 2:
			fill.Fill(&next.Labels)
			fill.Fill(&next.Annotations)
		case 3:
			next.Spec.NodeName = fmt.Sprint("n", rng.IntN(3))
		case 4:
			fill.Fill(&next.ManagedFields)
			next.Generation++
		}
		versions = append(versions, next)
	}
	return versions
}

var codec = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

func encodedObject(t testing.TB, o runtime.Object) []byte {
	t.Helper()
	text, err := runtime.Encode(scheme.Codecs.EncoderForVersion(codec, corev1.SchemeGroupVersion), o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// plainly decodes all of a pod.
func plainly(t testing.TB, text []byte) *corev1.Pod {
	t.Helper()
	object, _, err := codec.Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	pod := object.(*corev1.Pod)
	pod.TypeMeta = metav1.TypeMeta{} // said around it
	return pod
}

// same compares a pod that was decoded sparsely with the whole one.
func same(t *testing.T, few, all *corev1.Pod) {
	t.Helper()
	if few.ResourceVersion != all.ResourceVersion {
		t.Fatalf("%s has the version %q, expected %q", all.Name, few.ResourceVersion, all.ResourceVersion)
	}
	amounts, plugins := translate.PodAmounts(all), nodefit.Plugins(all, &nodefit.Cluster{})
	if !slices.Equal(translate.PodAmounts(few), amounts) || !slices.Equal(nodefit.Plugins(few, &nodefit.Cluster{}), plugins) {
		t.Fatalf("%s has %v and %v, expected %v and %v", all.Name, translate.PodAmounts(few), nodefit.Plugins(few, &nodefit.Cluster{}), amounts, plugins)
	}
	stripPod(all, nil)
	few = few.DeepCopy()
	few.ResourceVersion = ""
	if !apiequality.Semantic.DeepEqual(few, all) {
		t.Fatalf("%s differs:\n%+v\n%+v", all.Name, few, all)
	}
}

// Whatever a pod has: to strip it after everything was decoded, or to decode no more than differs from the last version and is kept, is the same.
func TestNoMoreIsLeftOutOfAPodThanIsStripped(t *testing.T) {
	left := 0
	for seed := range int64(300) {
		d := newPodDecoder(nil)
		var last *corev1.Pod
		for _, version := range randomVersions(seed) {
			text := encodedObject(t, version)
			content, err := contentOf(text, "Pod")
			if err != nil {
				t.Fatal(err)
			}
			before := last.DeepCopy()
			pod, err := d.version(content)
			if err != nil {
				t.Fatal(err)
			}
			if !apiequality.Semantic.DeepEqual(before, last) {
				t.Fatalf("seed %d: the last version was changed from\n%+v to\n%+v", seed, before, last)
			}
			if pod == nil {
				left++
				pod = last.DeepCopy()
				pod.ResourceVersion = version.ResourceVersion
			} else {
				last = pod
			}
			same(t, pod, plainly(t, text))
		}
	}
	if left < 300 {
		t.Errorf("only %d versions were left out", left)
	}
}

// The history is the same as if each version were decoded as a whole.
func TestTheHistoryOfRandomPodsIsThatOfAllTheirVersions(t *testing.T) {
	plain, sparse := newDriver(t), newDriver(t)
	for _, d := range []*driver{plain, sparse} {
		d.node(nodeObject("n0"), false)
		d.node(nodeObject("n1"), false)
		d.part()
	}
	var frames bytes.Buffer
	for seed := range int64(100) {
		for i, version := range randomVersions(seed) {
			text := encodedObject(t, version)
			kind := []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Modified, watch.Modified, watch.Modified, watch.Deleted}[i]
			writeFrame(&frames, kind, text)
			plain.pod(plainly(t, text), kind == watch.Deleted)
		}
	}
	follow(t, sparse, &frames)
	for _, d := range []*driver{plain, sparse} {
		if err := d.end(); err != nil {
			t.Fatal(err)
		}
	}
	if sparse.text() != plain.text() || len(plain.text()) < 50_000 {
		t.Errorf("the histories differ, or are short: %d and %d bytes", len(sparse.text()), len(plain.text()))
	}
}

// follow has a recorder follow the events of a watch.
func follow(t *testing.T, d *driver, frames io.Reader) {
	t.Helper()
	f, events := &podFeed{Recorder: d.Recorder}, newEventDecoder(io.NopCloser(frames), d.o.Schedulers)
	for {
		kind, pod, err := events.Decode()
		if err == io.EOF {
			return
		}
		if err == nil {
			err = f.one(pod, kind == watch.Deleted)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Damaged pods may be decoded or refused, but never panic.
func TestDamagedPodsDoNotStopTheRecorder(t *testing.T) {
	text, d := encodedObject(t, lifelike()), newPodDecoder(nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		damaged := slices.Clone(text[:rng.IntN(len(text))+1])
		damaged[rng.IntN(len(damaged))] = byte(rng.Uint32())
		if content, err := contentOf(damaged, "Pod"); err == nil {
			_, _ = d.version(content) // that it returns is the test
		}
	}
}
