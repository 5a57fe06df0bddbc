package manager

import (
	"context"
	"slices"

	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// followGroups has pod groups followed where the API server has them: their API is alpha, and off in most clusters.
func (m *Manager) followGroups(ctx context.Context) error {
	if m.cluster.groups != nil {
		return nil
	}
	has, err := m.hasGroups(ctx, schedulingv1alpha2.SchemeGroupVersion)
	if err != nil {
		return err
	}
	if !has {
		return m.warnOfOtherGroups(ctx)
	}
	groups := m.o.Informers.Scheduling().V1alpha2().PodGroups().Informer()
	if err := m.watch(groups, m.inbox.group, samePolicy); err != nil {
		return err
	}
	m.cluster.groups = groups.GetIndexer()
	return nil
}

// hasGroups reports whether the API server has pod groups of a version.
func (m *Manager) hasGroups(ctx context.Context, version schema.GroupVersion) (bool, error) {
	list, err := m.served(ctx, version)
	return slices.ContainsFunc(list, func(r metav1.APIResource) bool { return r.Name == "podgroups" }), err
}

// warnOfOtherGroups says that pod groups of other versions than the one that is read here are there: their pods wait without end.
func (m *Manager) warnOfOtherGroups(ctx context.Context) error {
	others, err := m.otherGroups(ctx)
	if len(others) > 0 {
		m.o.Log.Error("pods of pod groups will not be scheduled, since this release does not know the versions of pod groups that the API server has; "+
			"upgrade quern, or have the API server serve the version that is known", "known", schedulingv1alpha2.SchemeGroupVersion, "served", others)
	}
	m.cluster.otherGroups = others
	return err
}

// otherGroups lists the versions of pod groups that the API server has.
func (m *Manager) otherGroups(ctx context.Context) (versions []string, err error) {
	list, err := answered(ctx, m.o.Client.Discovery().ServerGroups)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil { // only a warning depends on it
		m.o.Log.Warn("the API server does not list its APIs, so that versions of pod groups which this release does not know are not seen", "error", err)
		return nil, nil
	}
	for _, group := range list.Groups {
		if group.Name != schedulingv1alpha2.GroupName {
			continue
		}
		for _, v := range group.Versions {
			has, err := m.hasGroups(ctx, schema.GroupVersion{Group: group.Name, Version: v.Version})
			if err != nil {
				return nil, err
			}
			if has {
				versions = append(versions, v.GroupVersion)
			}
		}
	}
	return versions, nil
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
