package recording

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
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
	)
}

// Whatever a pod has: to strip it after everything was decoded, or to decode no more than strip keeps, is the same.
func TestNoMoreIsLeftOutOfAPodThanIsStripped(t *testing.T) {
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	encoder := scheme.Codecs.EncoderForVersion(codec, corev1.SchemeGroupVersion)
	smaller := 0
	for seed := range int64(300) {
		list := &corev1.PodList{Items: make([]corev1.Pod, 2)}
		list.ResourceVersion = fmt.Sprint(seed)
		for i := range list.Items {
			filler(seed*2 + int64(i)).Fill(&list.Items[i])
		}
		for _, object := range []runtime.Object{list, &list.Items[0]} {
			text, err := runtime.Encode(encoder, object)
			if err != nil {
				t.Fatal(seed, err)
			}
			kept := reduced(text)
			if len(kept) < len(text) {
				smaller++
			}
			all, few := decodedPods(t, codec, text), decodedPods(t, codec, kept)
			for i := range all {
				amounts, plugins := translate.PodAmounts(&all[i]), nodefit.Plugins(&all[i], &nodefit.Cluster{})
				stripPod(&all[i], nil)
				stripPod(&few[i], nil)
				if !slices.Equal(translate.PodAmounts(&few[i]), amounts) || !slices.Equal(nodefit.Plugins(&few[i], &nodefit.Cluster{}), plugins) {
					t.Fatalf("seed %d: once it is stripped, the pod has %v and %v, not %v and %v", seed, translate.PodAmounts(&few[i]), nodefit.Plugins(&few[i], &nodefit.Cluster{}), amounts, plugins)
				}
			}
			if !apiequality.Semantic.DeepEqual(all, few) {
				t.Fatalf("seed %d: %d bytes of %d differ:\n%+v\n%+v", seed, len(kept), len(text), all, few)
			}
		}
	}
	if smaller < 600 {
		t.Errorf("only %d of 600 objects became smaller", smaller)
	}
}

func decodedPods(t *testing.T, codec runtime.Decoder, text []byte) []corev1.Pod {
	t.Helper()
	object, _, err := codec.Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if list, ok := object.(*corev1.PodList); ok {
		if list.ResourceVersion == "" {
			t.Error("the list has lost its version")
		}
		return list.Items
	}
	return []corev1.Pod{*object.(*corev1.Pod)}
}

func TestOtherDataStaysAsItIs(t *testing.T) {
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	node, err := runtime.Encode(scheme.Codecs.EncoderForVersion(codec, corev1.SchemeGroupVersion), nodeObject("n1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{}", string(prefix), string(node)} {
		if got := string(reduced([]byte(text))); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Damaged data may stay or be reduced, but never panics.
func TestDamagedPodsDoNotStopTheRecorder(t *testing.T) {
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	text, err := runtime.Encode(scheme.Codecs.EncoderForVersion(codec, corev1.SchemeGroupVersion), lifelike())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		damaged := append([]byte(nil), text[:rng.IntN(len(text))+1]...)
		damaged[rng.IntN(len(damaged))] = byte(rng.Uint32())
		_ = reduced(damaged) // that it returns is the test
	}
}
