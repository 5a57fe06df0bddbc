package podgroup

import (
	"testing"

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
		{"the priority 0", later, "{schedulingPolicy: {basic: {}}, priority: 0}", Group{HasPriority: true}},
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

func TestStatus_ConditionOfEachVersion(t *testing.T) {
	const both = "[{type: PodGroupScheduled, status: 'False', reason: Unschedulable, message: a}, {type: PodGroupInitiallyScheduled, status: 'True', reason: Scheduled, message: ''}]"
	for _, c := range []struct{ version, status, want string }{
		{"v1alpha2", "{conditions: " + both + "}", "PodGroupScheduled False"},
		{"v1alpha3", "{conditions: " + both + "}", "PodGroupInitiallyScheduled True"},
		{"v1beta1", "{conditions: " + both + "}", "PodGroupInitiallyScheduled True"},
		{"v1beta1", "{conditions: [{type: DisruptionTarget, status: 'True', reason: x, message: ''}]}", "PodGroupInitiallyScheduled "},
		{"v1beta1", "{}", "PodGroupInitiallyScheduled "},
	} {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte("{apiVersion: scheduling.k8s.io/"+c.version+", kind: PodGroup, status: "+c.status+"}"), &o); err != nil {
			t.Fatal(err)
		}
		if found := conditionOf(&o, c.version); found.Type+" "+string(found.Status) != c.want {
			t.Errorf("%s: %s: found %+v, expected %s", c.version, c.status, found, c.want)
		}
	}
}
