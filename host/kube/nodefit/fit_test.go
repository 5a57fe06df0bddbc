package nodefit

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	_ "github.com/quern-project/quern/internal/seeded"
)

var (
	labelKeys = []string{"zone", "disk", "cores", "kubernetes.io/hostname"}
	values    = []string{"a", "b", "7", "12", "0x1f", ""}
	nodeNames = []string{"n1", "n2", "n3"}
	taintKeys = []string{"gpu", "team", corev1.TaintNodeUnschedulable, corev1.TaintNodeNotReady}
	effects   = []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule}
)

func drawNode(t *rapid.T) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: rapid.SampledFrom(nodeNames).Draw(t, "name")}}
	n.Labels = rapid.MapOfN(rapid.SampledFrom(labelKeys), rapid.SampledFrom(values), 0, 4).Draw(t, "labels")
	n.Spec.Unschedulable = rapid.IntRange(0, 9).Draw(t, "cordoned") == 0
	n.Spec.Taints = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) corev1.Taint {
		return corev1.Taint{Key: rapid.SampledFrom(taintKeys).Draw(t, "key"), Value: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "value"), Effect: rapid.SampledFrom(effects).Draw(t, "effect")}
	}), 0, rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "most taints")).Draw(t, "taints")
	return n
}

func drawRequirement(t *rapid.T) corev1.NodeSelectorRequirement {
	operators := []corev1.NodeSelectorOperator{"In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Near"}
	r := corev1.NodeSelectorRequirement{Key: rapid.SampledFrom(labelKeys).Draw(t, "key"), Operator: rapid.SampledFrom(operators).Draw(t, "operator")}
	least, most := 1, 3
	switch r.Operator {
	case "Exists", "DoesNotExist":
		least, most = 0, 0
	case "Gt", "Lt":
		most = 1
	}
	if rapid.IntRange(0, 15).Draw(t, "odd") == 0 { // as nothing but the API server refuses it
		least, most = 0, 2
	}
	r.Values = rapid.SliceOfN(rapid.SampledFrom(values), least, most).Draw(t, "values")
	return r
}

func drawField(t *rapid.T) corev1.NodeSelectorRequirement {
	r := corev1.NodeSelectorRequirement{Key: metav1.ObjectNameField, Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{"In", "In", "NotIn"}).Draw(t, "operator")}
	r.Values = rapid.SliceOfN(rapid.SampledFrom(nodeNames), 1, rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "most")).Draw(t, "names")
	return r
}

func drawPod(t *rapid.T) *corev1.Pod {
	pod := &corev1.Pod{}
	if rapid.Bool().Draw(t, "of a DaemonSet") {
		pod.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet"}}
	}
	pod.Spec.NodeSelector = rapid.MapOfN(rapid.SampledFrom(labelKeys), rapid.SampledFrom(values), 0, rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "most")).Draw(t, "selector")
	if rapid.Bool().Draw(t, "affinity") {
		required := &corev1.NodeSelector{NodeSelectorTerms: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) corev1.NodeSelectorTerm {
			return corev1.NodeSelectorTerm{MatchExpressions: rapid.SliceOfN(rapid.Custom(drawRequirement), 0, 2).Draw(t, "expressions"),
				MatchFields: rapid.SliceOfN(rapid.Custom(drawField), 0, 1).Draw(t, "fields")}
		}), 0, rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "most terms")).Draw(t, "terms")}
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
	}
	pod.Spec.Tolerations = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) corev1.Toleration {
		return corev1.Toleration{
			Key:      rapid.SampledFrom(append([]string{""}, taintKeys...)).Draw(t, "key"),
			Operator: rapid.SampledFrom([]corev1.TolerationOperator{"", "Equal", "Exists", "Exists", "Gt"}).Draw(t, "operator"),
			Value:    rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "value"),
			Effect:   rapid.SampledFrom(append([]corev1.TaintEffect{""}, effects...)).Draw(t, "effect"),
		}
	}), 0, 3).Draw(t, "tolerations")
	return pod
}

// placed has the core judge: it places the pod on the node, or not.
func (f *Fit) placed(n *corev1.Node, inUse []*Selector) bool {
	one := resource.NewSet(resource.Quantity{Type: "pods", Value: 1})
	s := scheduler.New(core.Options{})
	s.Advance(0)
	for _, in := range []core.Input{
		{Event: &core.SetConfig{Config: "partitions: [{queues: [{name: root, queues: [{name: a}]}]}]"}},
		{Event: &core.AddNode{ID: n.Name, Capacity: one, Attributes: Attributes(n, inUse)}},
		{Event: &core.AddApp{ID: "app", Queue: "root.a"}},
		{Event: &core.AddAsk{ID: "pod", App: "app", Resources: one, Ask: core.Ask{Node: f.Node, Constraints: f.Constraints}}},
	} {
		s.Apply(&in)
	}
	return s.Cycle(-1) == 1
}

// letsIn judges with the functions that the plugins of Kubernetes use.
func letsIn(pod *corev1.Pod, n *corev1.Node) bool {
	if ok, _ := nodeaffinity.GetRequiredNodeAffinity(pod).Match(n); !ok {
		return false
	}
	cordon := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	if n.Spec.Unschedulable && !scheduling.TolerationsTolerateTaint(klog.Background(), pod.Spec.Tolerations, &cordon, false) {
		return false
	}
	_, found := scheduling.FindMatchingUntoleratedTaint(klog.Background(), n.Spec.Taints, pod.Spec.Tolerations, func(t *corev1.Taint) bool {
		return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
	}, false)
	return !found
}

func TestTheCorePlacesAPodExactlyWhereThePluginsLetItIn(t *testing.T) {
	counts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(rapid.Custom(drawPod), 4, 12).Draw(t, "pods")
		nodes := rapid.SliceOfN(rapid.Custom(drawNode), 4, 12).Draw(t, "nodes")
		var inUse InUse
		fits := make([]Fit, len(pods))
		for i, pod := range pods {
			fits[i] = Of(pod)
			inUse.Add(fits[i].Selectors)
		}
		for i, pod := range pods { // what other pods use does not matter
			for _, n := range nodes {
				got, want := fits[i].placed(n, inUse.All()), letsIn(pod, n)
				counts[want]++
				if got != want {
					t.Fatalf("the core places it: %v, the plugins let it in: %v\npod %+v\nnode %+v\nfit %+v", got, want, pod.Spec, n, fits[i])
				}
			}
		}
	})
	t.Logf("let in %d times, kept out %d times", counts[true], counts[false])
	least := 1000
	if testing.Short() {
		least = 200
	}
	if counts[true] < least || counts[false] < least {
		t.Error("too few to tell")
	}
}

func TestLabelsWithListedValuesNeedNoSelectorOfTheirOwn(t *testing.T) {
	pod := &corev1.Pod{}
	pod.Spec.NodeSelector = map[string]string{"zone": "a", "disk": "ssd"}
	pod.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	require(pod, corev1.NodeSelectorRequirement{Key: "zone", Operator: "In", Values: []string{"b", "a"}}, corev1.NodeSelectorRequirement{Key: "arch", Operator: "In", Values: []string{"arm64"}})
	f := Of(pod)
	if want := map[string][]string{"zone": {"a"}, "disk": {"ssd"}, "arch": {"arm64"}}; !reflect.DeepEqual(f.Constraints, want) || f.Selectors != nil || f.Node != "" {
		t.Errorf("%+v", f)
	}
}

func require(pod *corev1.Pod, all ...corev1.NodeSelectorRequirement) {
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: all}}}}}
}

func TestSelectorsAreNamedByWhatTheyDemand(t *testing.T) {
	usual := []corev1.Toleration{{Key: corev1.TaintNodeUnreachable, Operator: "Exists", Effect: "NoExecute"}, {Key: corev1.TaintNodeNotReady, Operator: "Exists", Effect: "NoExecute"}}
	gpu := corev1.Toleration{Key: "nvidia.com/gpu", Operator: "Exists", Effect: "NoSchedule"}
	for want, change := range map[string]func(*corev1.Pod){
		"untolerated taints":                                            func(p *corev1.Pod) { p.Spec.Tolerations = usual },
		"untolerated taints without tolerations":                        func(*corev1.Pod) {},
		"untolerated taints with tolerations nvidia.com/gpu:NoSchedule": func(p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{gpu} },
		"affinity: disk NotIn (hdd, tape)": func(p *corev1.Pod) {
			require(p, corev1.NodeSelectorRequirement{Key: "disk", Operator: "NotIn", Values: []string{"hdd", "tape"}})
		},
		"affinity: cores Gt (7)": func(p *corev1.Pod) {
			require(p, corev1.NodeSelectorRequirement{Key: "cores", Operator: "Gt", Values: []string{"7"}}, corev1.NodeSelectorRequirement{Key: "zone", Operator: "In", Values: []string{"a"}})
		},
	} {
		pod := &corev1.Pod{}
		change(pod)
		f := Of(pod)
		if _, ok := f.Constraints[want]; !ok {
			t.Errorf("no constraint %q in %v", want, f.Constraints)
		}
	}
	long := &corev1.Pod{}
	require(long, corev1.NodeSelectorRequirement{Key: "rack", Operator: "NotIn", Values: slices.Repeat([]string{"r-very-long-name-of-a-rack"}, 20)})
	for _, s := range Of(long).Selectors {
		if len(s.Attribute) > longestAttribute+24 {
			t.Errorf("%d bytes name an attribute", len(s.Attribute))
		}
	}
}

// Preferences, and repetitions, of which the order does not count, keep a pod away from no other node.
func TestTolerations_UsualOnesRecognized(t *testing.T) {
	notReady := corev1.Toleration{Key: corev1.TaintNodeNotReady, Operator: "Exists", Effect: "NoExecute"}
	unreachable := corev1.Toleration{Key: corev1.TaintNodeUnreachable, Operator: "Exists", Effect: "NoExecute"}
	preference := corev1.Toleration{Key: "spot", Operator: "Exists", Effect: "PreferNoSchedule"}
	for _, c := range []struct {
		want string
		all  []corev1.Toleration
	}{
		{taintsAttribute, []corev1.Toleration{notReady, preference, unreachable, notReady}},
		{taintsAttribute + " with tolerations node.kubernetes.io/not-ready:NoExecute", []corev1.Toleration{notReady, notReady}},
		{taintsAttribute + " with tolerations node.kubernetes.io/not-ready:NoExecute, node.kubernetes.io/unreachable:NoExecute, spot:NoSchedule",
			[]corev1.Toleration{notReady, unreachable, {Key: "spot", Operator: "Exists", Effect: "NoSchedule"}}},
	} {
		f := Of(&corev1.Pod{Spec: corev1.PodSpec{Tolerations: c.all}})
		if len(f.Selectors) != 1 || f.Selectors[0].Attribute != c.want {
			t.Errorf("%v: found %+v, expected %q", c.all, f.Constraints, c.want)
		}
	}
}

func TestANodeShowsWhichTaintIsNotTolerated(t *testing.T) {
	f := Of(&corev1.Pod{})
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"zone": "a"}}}
	taints := func() string { return Attributes(n, f.Selectors)[f.Selectors[0].Attribute] }
	if got := taints(); got != "none" {
		t.Error(got)
	}
	n.Spec.Unschedulable = true
	if got := taints(); got != "node.kubernetes.io/unschedulable:NoSchedule" {
		t.Error(got)
	}
	n.Spec.Taints = []corev1.Taint{{Key: "soft", Effect: "PreferNoSchedule"}, {Key: "nvidia.com/gpu", Value: "present", Effect: "NoSchedule"}}
	if got := taints(); got != "nvidia.com/gpu=present:NoSchedule" {
		t.Error(got)
	}
	if len(n.Spec.Taints) != 2 {
		t.Error("the node was changed")
	}
	if want := map[string]string{"zone": "a"}; !maps.Equal(Attributes(n, nil), want) {
		t.Error("without selectors in use a node has more than its labels")
	}
}

func TestAPodOfADaemonSetRequiresItsNode(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet"}}}}
	require(pod)
	term := &pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]
	term.MatchFields = []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"n7"}}}
	if f := Of(pod); f.Node != "n7" || len(f.Selectors) != 1 || !strings.HasPrefix(f.Selectors[0].Attribute, taintsAttribute) {
		t.Errorf("%+v", f)
	}
	pod.OwnerReferences = nil // such a pod may wait for its node, but not hold it
	if f := Of(pod); f.Node != "" || len(f.Selectors) != 2 || f.Selectors[0].Attribute != "affinity: field metadata.name In (n7)" {
		t.Errorf("%+v", f)
	}
}

func TestSelectorsAreInUseUntilTheLastAskLeaves(t *testing.T) {
	a, b := Of(&corev1.Pod{}).Selectors, Of(&corev1.Pod{}).Selectors
	var u InUse
	if fresh := u.Add(a); len(fresh) != 1 {
		t.Error(fresh)
	}
	if fresh := u.Add(b); len(fresh) != 0 {
		t.Error("a selector is fresh twice")
	}
	if gone := u.Remove(b); len(gone) != 0 || len(u.All()) != 1 {
		t.Error("a selector is gone that an ask uses")
	}
	if gone := u.Remove(a); len(gone) != 1 || len(u.All()) != 0 || len(u.Remove(a)) != 0 {
		t.Error("a selector stays that no ask uses")
	}
}
