package translate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kubelabels"
)

// A Problem is a label or an annotation that cannot be used, for an event of the pod.
type Problem struct {
	Object string // that has it, such as Pod ns/web-0
	*kubelabels.Problem
	Effect string // what is done instead
}

// Error returns `OBJECT: annotation KEY: expected …, found …; EFFECT`.
func (p *Problem) Error() string { return p.Object + ": " + p.Problem.Error() + "; " + p.Effect }

// What is done instead.
const (
	noUser        = "the application has no user"
	noGang        = "the pod is scheduled without a gang"
	noTaskGroup   = "the pod is scheduled as if it named no task group"
	noParameter   = "the default applies"
	noPreemptWord = "the annotation is ignored"
	noQuota       = "the annotation is ignored, and the queue keeps its bounds"
	ownerInstead  = "the application is named by the owner of the pod"
)

// object names an object as kubectl does.
func object(kind string, m *metav1.ObjectMeta) string {
	if m.Namespace == "" {
		return kind + " " + m.Name
	}
	return kind + " " + m.Namespace + "/" + m.Name
}

// problems collects what is wrong with labels and annotations.
type problems []*Problem

func (p *problems) note(kind string, m *metav1.ObjectMeta, effect string, bad ...*kubelabels.Problem) {
	for _, b := range bad {
		if b != nil {
			*p = append(*p, &Problem{object(kind, m), b, effect})
		}
	}
}

func metadata(m *metav1.ObjectMeta) kubelabels.Metadata {
	return kubelabels.Metadata{Labels: m.Labels, Annotations: m.Annotations}
}
