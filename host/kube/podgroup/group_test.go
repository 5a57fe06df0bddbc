package podgroup

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func TestRead_EveryVersion(t *testing.T) {
	const v2, later = "scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/v1beta1"
	for _, c := range []struct {
		name, version, spec string
		want                Group
	}{
		{"a gang", later, "{schedulingPolicy: {gang: {minCount: 3}}}", Group{Gang: true, MinCount: 3}},
		{"a gang of single pods", later, "{schedulingPolicy: {gang: {minCount: 3}}, disruptionMode: {single: {}}}", Group{Gang: true, MinCount: 3}},
		{"a gang that is disrupted whole", later, "{schedulingPolicy: {gang: {minCount: 3}}, disruptionMode: {all: {}}}", Group{Gang: true, MinCount: 3, Whole: true}},
		{"a gang of single pods", v2, "{schedulingPolicy: {gang: {minCount: 3}}, disruptionMode: Pod}", Group{Gang: true, MinCount: 3}},
		{"a gang that is disrupted whole", v2, "{schedulingPolicy: {gang: {minCount: 3}}, disruptionMode: PodGroup}", Group{Gang: true, MinCount: 3, Whole: true}},
		{"no gang", later, "{schedulingPolicy: {basic: {}}, disruptionMode: {all: {}}}", Group{}},
		{"a priority", later, "{schedulingPolicy: {basic: {}}, priority: -5, priorityClassName: low}", Group{HasPriority: true, Priority: -5}},
		{"a topology constraint", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{key: example.com/rack}]}}", Group{Topology: "example.com/rack"}},
		{"a topology constraint", v2, "{schedulingPolicy: {gang: {minCount: 2}}, schedulingConstraints: {topology: [{key: rack}]}}", Group{Gang: true, MinCount: 2, Topology: "rack"}},
		{"no topology constraint", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: []}}", Group{}},
		{"constraints without one", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {}}", Group{}},
		{"two topology constraints", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{key: rack}, {key: zone}]}}", Group{WrongTopology: "expected one topology constraint, found 2"}},
		{"no list of constraints", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: rack}}", Group{WrongTopology: "expected one topology constraint, found 0"}},
		{"an empty key", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{key: ''}]}}", Group{WrongTopology: `expected the key of a label in its topology constraint, found ""`}},
		{"no key", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [rack]}}", Group{WrongTopology: `expected the key of a label in its topology constraint, found ""`}},
		{"a key of 10 KB", later, "{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{key: " + strings.Repeat("a", 10<<10) + "}]}}",
			Group{WrongTopology: `expected the key of a label in its topology constraint, found "` + strings.Repeat("a", 40) + `…"`}},
		{"the priority 0", later, "{schedulingPolicy: {basic: {}}, priority: 0}", Group{HasPriority: true}},
		{"a policy of preemption", later, "{schedulingPolicy: {basic: {}}, preemptionPolicy: Never}", Group{Preemption: corev1.PreemptNever}},
	} {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte("{apiVersion: "+c.version+", kind: PodGroup, metadata: {namespace: ml, name: g, uid: u}, spec: "+c.spec+"}"), &o); err != nil {
			t.Fatal(err)
		}
		c.want.Namespace, c.want.Name, c.want.UID = "ml", "g", "u"
		if found := read(&o); *found != c.want {
			t.Errorf("%s: %s: found %+v, expected %+v", c.version, c.name, *found, c.want)
		}
	}
}

func TestRead_CompositeGroups(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		want       Group
	}{
		{"groups that start together", "{schedulingPolicy: {gang: {minGroupCount: 3}}}", Group{Gang: true, MinCount: 3}},
		{"groups by themselves", "{schedulingPolicy: {basic: {}}, disruptionMode: {single: {}}, parentCompositePodGroupName: outer}", Group{Parent: "outer"}},
		{"groups that are disrupted together", "{schedulingPolicy: {basic: {}}, disruptionMode: {all: {}}}", Group{Whole: true}},
		{"a priority", "{schedulingPolicy: {basic: {}}, priority: 7, preemptionPolicy: PreemptLowerPriority}", Group{HasPriority: true, Priority: 7, Preemption: corev1.PreemptLowerPriority}},
	} {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte("{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {namespace: ml, name: g, uid: u}, spec: "+c.spec+"}"), &o); err != nil {
			t.Fatal(err)
		}
		c.want.Namespace, c.want.Name, c.want.UID = "ml", "g", "u"
		if found := read(&o); *found != c.want {
			t.Errorf("%s: found %+v, expected %+v", c.name, *found, c.want)
		}
	}
}

func TestStatus_ConditionOfEachVersion(t *testing.T) {
	const both = "[{type: PodGroupScheduled, status: 'False', reason: Unschedulable, message: a}, {type: PodGroupInitiallyScheduled, status: 'True', reason: Scheduled, message: ''}]"
	for _, c := range []struct {
		version, status, want string
		composite             bool
	}{
		{"v1alpha2", "{conditions: " + both + "}", "PodGroupScheduled False", false},
		{"v1alpha3", "{conditions: " + both + "}", "PodGroupInitiallyScheduled True", false},
		{"v1beta1", "{conditions: " + both + "}", "PodGroupInitiallyScheduled True", false},
		{"v1beta1", "{conditions: [{type: DisruptionTarget, status: 'True', reason: x, message: ''}]}", "PodGroupInitiallyScheduled ", false},
		{"v1beta1", "{}", "PodGroupInitiallyScheduled ", false},
		{"v1alpha3", "{conditions: " + both + "}", "CompositePodGroupInitiallyScheduled ", true},
		{"v1alpha3", "{conditions: [{type: CompositePodGroupInitiallyScheduled, status: 'False', reason: Invalid, message: ''}]}", "CompositePodGroupInitiallyScheduled False", true},
	} {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte("{apiVersion: scheduling.k8s.io/"+c.version+", kind: PodGroup, status: "+c.status+"}"), &o); err != nil {
			t.Fatal(err)
		}
		if found := conditionOf(&o, New(Options{Composite: c.composite}).condition(c.version)); found.Type+" "+string(found.Status) != c.want {
			t.Errorf("%s: %s: found %+v, expected %s", c.version, c.status, found, c.want)
		}
	}
}
