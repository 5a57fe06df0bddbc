package manager

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// clusterView is the cluster as reconcilers see it: what the API server has, and what else decides how pods are translated.
type clusterView struct {
	*cluster
	settings  *translate.Settings
	repelling *repelling
	devices   *devices
}

func (v *clusterView) stageOf(pod *corev1.Pod) translate.Stage { return v.settings.StageOf(pod) }

// context is what the translation of a pod needs besides it and its application.
func (v *clusterView) context(pod *corev1.Pod) *translate.Context {
	c := &translate.Context{Namespace: v.namespace(pod.Namespace), Cluster: nodefit.Cluster{Repelling: v.repelling.near(pod.Namespace), Devices: v.devices.standing}}
	if c.PodGroup = v.group(translate.PodGroupKey(pod)); c.PodGroup != nil {
		c.Composites = v.above(c.PodGroup).groups
	}
	if pod.Spec.PriorityClassName != "" {
		c.Class = v.class(pod.Spec.PriorityClassName)
	}
	return c
}
