package translate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	kuberesource "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/component-helpers/resource"

	quern "github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kubelabels"

	_ "github.com/quern-project/quern/internal/seeded"
)

// podFrom reads a pod from the YAML of its spec and status.
func podFrom(t *testing.T, text string) *corev1.Pod {
	t.Helper()
	return decoded[corev1.Pod](t, []byte("metadata: {name: p, namespace: ns, uid: u}\n"+text))
}

func TestAmountsAreThoseThatTheAPIServerCounts(t *testing.T) {
	for name, c := range map[string]struct {
		pod  string
		want map[string]int64
	}{
		"a pod without requests": {`spec: {containers: [{name: a}]}`, map[string]int64{"pods": 1}},
		"containers add up": {`spec: {containers: [{name: a, resources: {requests: {cpu: 100m, memory: 1Gi}}}, {name: b, resources: {requests: {cpu: "1.5", ephemeral-storage: 1k}}}]}`,
			map[string]int64{"vcore": 1600, "memory": 1 << 30, "ephemeral-storage": 1000, "pods": 1}},
		"init containers run one by one": {`spec: {initContainers: [{name: i, resources: {requests: {cpu: 2}}}, {name: j, resources: {requests: {cpu: 3, memory: 1k}}}], containers: [{name: a, resources: {requests: {cpu: 1, memory: 2k}}}]}`,
			map[string]int64{"vcore": 3000, "memory": 2000, "pods": 1}},
		"a sidecar runs beside those after it": {`spec: {initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}, {name: i, resources: {requests: {cpu: 3}}}], containers: [{name: a, resources: {requests: {cpu: 1}}}]}`,
			map[string]int64{"vcore": 4000, "pods": 1}},
		"a sidecar after an init container does not run with it": {`spec: {initContainers: [{name: i, resources: {requests: {cpu: 3}}}, {name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}], containers: [{name: a, resources: {requests: {cpu: 1}}}]}`,
			map[string]int64{"vcore": 3000, "pods": 1}},
		"overhead comes on top": {`spec: {overhead: {cpu: 250m, memory: 1k}, containers: [{name: a, resources: {requests: {cpu: 1}}}]}`,
			map[string]int64{"vcore": 1250, "memory": 1000, "pods": 1}},
		"the pod as a whole": {`spec: {resources: {requests: {cpu: 4}}, containers: [{name: a, resources: {requests: {cpu: 1, memory: 1k, nvidia.com/gpu: 1}}}]}`,
			map[string]int64{"vcore": 4000, "memory": 1000, "nvidia.com/gpu": 1, "pods": 1}},
		"extended resources and huge pages": {`spec: {containers: [{name: a, resources: {requests: {nvidia.com/gpu: 2, hugepages-2Mi: 4Mi}}}]}`,
			map[string]int64{"nvidia.com/gpu": 2, "hugepages-2Mi": 4 << 20, "pods": 1}},
		"a resize upwards that is not done": {`spec: {containers: [{name: a, resources: {requests: {cpu: 3}}}]}` + "\n" + `status: {containerStatuses: [{name: a, image: i, imageID: i, ready: true, restartCount: 0, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 1}}}]}`,
			map[string]int64{"vcore": 3000, "pods": 1}},
		"a resize downwards that is not done": {`spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}` + "\n" + `status: {containerStatuses: [{name: a, image: i, imageID: i, ready: true, restartCount: 0, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 3}}}]}`,
			map[string]int64{"vcore": 3000, "pods": 1}},
		"a resize that the node refuses": {`spec: {containers: [{name: a, resources: {requests: {cpu: 9}}}]}` + "\n" + `status: {conditions: [{type: PodResizePending, status: "True", reason: Infeasible}], containerStatuses: [{name: a, image: i, imageID: i, ready: true, restartCount: 0, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 1}}}]}`,
			map[string]int64{"vcore": 2000, "pods": 1}},
		"fractions are rounded up": {`spec: {containers: [{name: a, resources: {requests: {cpu: 100u, memory: "0.5"}}}]}`,
			map[string]int64{"vcore": 1, "memory": 1, "pods": 1}},
		"more cores than can be counted": {`spec: {containers: [{name: a, resources: {requests: {cpu: 9e18}}}]}`,
			map[string]int64{"vcore": math.MaxInt64, "pods": 1}},
	} {
		if got := PodAmounts(podFrom(t, c.pod)); !slices.Equal(got, setOf(c.want)) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// What differs from a pod of one container in one thing is counted by Kubernetes' own library.
func TestAPodOfOneContainerCountsAsKubernetesCounts(t *testing.T) {
	options := resource.PodResourcesOptions{UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true}
	for _, text := range []string{
		`spec: {containers: [{name: a}]}`,
		`spec: {containers: [{name: a, resources: {requests: {cpu: 100m, memory: 1Gi, pods: 7, example.com/gpu: 0}}}]}`,
		`spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}], overhead: {cpu: 50m}}`,
		`spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}], initContainers: [{name: b, resources: {requests: {cpu: 1}}}]}`,
		`spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}], resources: {requests: {cpu: 2}}}`,
		`spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}]}
status: {containerStatuses: [{name: a, resources: {requests: {cpu: 3}}}]}`,
		`spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}, {name: b, resources: {requests: {cpu: 1}}}]}`,
	} {
		pod := podFrom(t, text)
		want, before := resource.PodRequests(pod, options), pod.DeepCopy()
		if got := requests(pod); !apiequality.Semantic.DeepEqual(got, want) {
			t.Errorf("%s: found %v, expected %v", text, got, want)
		}
		if PodAmounts(pod); !apiequality.Semantic.DeepEqual(pod, before) {
			t.Errorf("%s: to count has changed the pod", text)
		}
	}
}

func TestANodeHasRoomForWhatIsAllocatable(t *testing.T) {
	n := decoded[corev1.Node](t, []byte(`{metadata: {name: n}, status: {capacity: {cpu: 8}, allocatable: {cpu: 7910m, memory: 1Ki, pods: 110, nvidia.com/gpu: 0}}}`))
	if got := NodeAmounts(n); !slices.Equal(got, setOf(map[string]int64{"vcore": 7910, "memory": 1024, "pods": 110})) {
		t.Error(got)
	}
}

func TestQuantitiesAreReadAsElsewhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{1,6}(\.[0-9]{1,4})?(m|k|M|Ki|Mi|Gi|e3)?`).Draw(t, "quantity")
		q, err := kuberesource.ParseQuantity(text)
		if err != nil {
			t.Skip(err)
		}
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			want, err := quern.ParseUp(kubelabels.TypeOf(string(name)), text)
			if got := stored(name, q); err != nil || got != want {
				t.Fatalf("%s of %s: %d, want %d, %v", text, name, got, want, err)
			}
		}
	})
}
