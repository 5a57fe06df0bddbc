package podgroup

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// The types of the condition that says whether a group was scheduled: in v1alpha2, in later versions, and of composite groups.
const (
	conditionAlpha     = "PodGroupScheduled"
	condition          = "PodGroupInitiallyScheduled"
	conditionComposite = "CompositePodGroupInitiallyScheduled"
)

// Status is what the status of a group says, and where it is written.
type Status struct {
	Resource   schema.GroupVersionResource
	UID        types.UID
	Generation int64
	Condition  metav1.Condition // whether the group was scheduled; only Type is set if the status says nothing about that
}

// Status returns the status of a group by NAMESPACE/NAME; nil: the group is not there.
func (f *Follower) Status(key string) *Status {
	s := f.current.Load()
	o := s.object(key)
	if o == nil {
		return nil
	}
	return &Status{s.Version.WithResource(f.resource()), o.GetUID(), o.GetGeneration(), conditionOf(o, f.condition(s.Version.Version))}
}

// condition is the type of the condition that says whether a group of a version was scheduled.
func (f *Follower) condition(version string) string {
	switch {
	case f.o.Composite:
		return conditionComposite
	case version == "v1alpha2":
		return conditionAlpha
	}
	return condition
}

// conditionOf reads a condition of a group.
func conditionOf(o *unstructured.Unstructured, kind string) metav1.Condition {
	var read struct {
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	if status, has := o.Object["status"]; has { // otherwise most groups would be converted for nothing
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{"status": status}, &read); err != nil {
			return metav1.Condition{Type: kind} // the API server has checked it by the schema of its version
		}
	}
	if i := slices.IndexFunc(read.Status.Conditions, func(c metav1.Condition) bool { return c.Type == kind }); i >= 0 {
		return read.Status.Conditions[i]
	}
	return metav1.Condition{Type: kind}
}
