package podwrite

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/quern-project/quern/host/kube/leader"
)

// Groups writes the status of pod groups. Its methods may be called concurrently. They try once.
type Groups struct {
	Client dynamic.Interface
	Fence  leader.Fence
}

// Group names a pod group.
type Group struct {
	Resource        schema.GroupVersionResource
	Namespace, Name string
	UID             types.UID
}

// SetCondition sets a condition of a group. A group that is gone, or another one of its name, is no error.
func (w *Groups) SetCondition(ctx context.Context, g Group, c metav1.Condition) error {
	var patch struct {
		Metadata metadata `json:"metadata"`
		Status   struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	patch.Metadata.UID, patch.Status.Conditions = g.UID, []metav1.Condition{c} // merged by their types
	text, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	ctx, cancel, err := w.Fence(ctx, timeout)
	if err != nil {
		return err
	}
	defer cancel()
	_, err = w.Client.Resource(g.Resource).Namespace(g.Namespace).Patch(ctx, g.Name, types.StrategicMergePatchType, text, metav1.PatchOptions{}, "status")
	return unlessGone(err)
}
