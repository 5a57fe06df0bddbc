package manager

import (
	"context"
	"fmt"
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/quern-project/quern/host/kube/retry"
)

// followGroups has pod groups followed where the API server has them: their API is alpha, and off in most clusters.
func (m *Manager) followGroups(ctx context.Context) error {
	if m.cluster.groups != nil {
		return nil
	}
	has, err := m.hasGroups(ctx)
	if err != nil || !has {
		return err
	}
	groups := m.o.Informers.Scheduling().V1alpha2().PodGroups().Informer()
	if err := m.watch(groups, m.inbox.group, samePolicy); err != nil {
		return err
	}
	m.cluster.groups = groups.GetIndexer()
	return nil
}

// hasGroups reports whether the API server has pod groups.
func (m *Manager) hasGroups(ctx context.Context) (bool, error) {
	list, err := m.served(ctx, schedulingv1alpha2.SchemeGroupVersion)
	return slices.ContainsFunc(list, func(r metav1.APIResource) bool { return r.Name == "podgroups" }), err
}

// checkDevices refuses an API server without the API of dynamic resources, which the scheduler plugins read: its objects would be awaited
// without end.
func (m *Manager) checkDevices(ctx context.Context) error {
	if m.o.Filters == nil {
		return nil
	}
	list, err := m.served(ctx, resourcev1.SchemeGroupVersion)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("the API server does not serve %v, which the scheduler plugins read: expected Kubernetes 1.34 or later with this API switched on",
			resourcev1.SchemeGroupVersion)
	}
	return err
}

// served asks the API server, until it answers, what it has of a version of an API; none: it does not have that.
func (m *Manager) served(ctx context.Context, version schema.GroupVersion) ([]metav1.APIResource, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		list, err := m.resources(ctx, version.String())
		switch {
		case apierrors.IsNotFound(err):
			return nil, nil
		case err == nil:
			return list.APIResources, nil
		}
		m.o.Log.Warn("the API server does not say what it has of an API; it is asked again", "api", version, "error", err)
		if !retry.Wait(ctx, pause) {
			return nil, context.Cause(ctx)
		}
	}
}

// resources asks once. The function of the client takes no context and may repeat the question without end: when the context ends, it is left behind.
func (m *Manager) resources(ctx context.Context, version string) (*metav1.APIResourceList, error) {
	type answer struct {
		list *metav1.APIResourceList
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		list, err := m.o.Client.Discovery().ServerResourcesForGroupVersion(version)
		answered <- answer{list, err}
	}()
	select {
	case a := <-answered:
		return a.list, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// samePolicy reports whether two versions of a pod group say the same to its pods.
func samePolicy(old, current metav1.Object) bool {
	a, b := old.(*schedulingv1alpha2.PodGroup), current.(*schedulingv1alpha2.PodGroup)
	return a.UID == b.UID && equality.Semantic.DeepEqual(a.Spec.SchedulingPolicy, b.Spec.SchedulingPolicy)
}

// group returns the pod group of a pod; nil: it belongs to none, or the group is not there.
func (c *cluster) group(key string) *schedulingv1alpha2.PodGroup {
	if key == "" || c.groups == nil {
		return nil
	}
	return found[schedulingv1alpha2.PodGroup](c.groups, key)
}
