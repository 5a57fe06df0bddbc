package nodefit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/component-helpers/nodedeclaredfeatures/features"
	ndf "k8s.io/component-helpers/nodedeclaredfeatures/types"
)

// The scheduler plugins of Kubernetes whose filters depend on more than the pod and its node, by their names there.
const (
	DynamicResources     = "DynamicResources"
	InterPodAffinity     = "InterPodAffinity"
	NodeDeclaredFeatures = "NodeDeclaredFeatures"
	NodePorts            = "NodePorts"
	NodeVolumeLimits     = "NodeVolumeLimits"
	PodTopologySpread    = "PodTopologySpread"
	VolumeBinding        = "VolumeBinding"
	VolumeRestrictions   = "VolumeRestrictions"
	VolumeZone           = "VolumeZone"
)

// Cluster is what decides about the plugins of a pod besides the pod.
type Cluster struct {
	Repelling []*corev1.Pod   // placed pods with required anti-affinity to other pods
	Devices   map[string]bool // extended resources that devices stand for, as device classes say
}

// Plugins returns the plugins that have to be asked about a pod, sorted. None: the Fit of the pod says all. A plugin may be named that has
// nothing against any node, but none is missing.
func Plugins(pod *corev1.Pod, c *Cluster) []string {
	var all []string
	need := func(needed bool, plugins ...string) {
		if needed {
			all = append(all, plugins...)
		}
	}
	spec := &pod.Spec
	need(len(spec.ResourceClaims) > 0 || UsesDevices(pod, c.Devices), DynamicResources)
	need(repels(pod) || attracts(spec.Affinity) || slices.ContainsFunc(c.Repelling, func(o *corev1.Pod) bool { return MayRepel(o, pod) }), InterPodAffinity)
	need(slices.ContainsFunc(features.AllFeatures, func(f ndf.Feature) bool { return f.InferForScheduling(&ndf.PodInfo{Spec: spec}) }), NodeDeclaredFeatures)
	need(hasHostPorts(spec), NodePorts)
	need(slices.ContainsFunc(spec.TopologySpreadConstraints, isHard), PodTopologySpread)
	claims, attached := false, false
	for i := range spec.Volumes {
		v := &spec.Volumes[i].VolumeSource
		claims = claims || v.PersistentVolumeClaim != nil || v.Ephemeral != nil
		attached = attached || !IsLocal(v)
	}
	need(claims, VolumeBinding, VolumeZone)
	need(claims || attached, NodeVolumeLimits, VolumeRestrictions)
	slices.Sort(all)
	return all
}

func isHard(c corev1.TopologySpreadConstraint) bool {
	return c.WhenUnsatisfiable == corev1.DoNotSchedule
}

// IsLocal reports whether any number of pods may use a volume on any node.
func IsLocal(v *corev1.VolumeSource) bool {
	return v.EmptyDir != nil || v.ConfigMap != nil || v.Secret != nil || v.Projected != nil || v.DownwardAPI != nil || v.HostPath != nil ||
		v.Image != nil || v.NFS != nil || v.CSI != nil
}

// ResourcesOf lists the extended resources that the devices of a class stand for.
func ResourcesOf(c *resourcev1.DeviceClass) []string {
	list := []string{resourcev1.ResourceDeviceClassPrefix + c.Name}
	if c.Spec.ExtendedResourceName != nil {
		list = append(list, *c.Spec.ExtendedResourceName)
	}
	return list
}

// UsesDevices reports whether a container requests an extended resource that devices may stand for.
func UsesDevices(pod *corev1.Pod, devices map[string]bool) bool {
	if len(devices) == 0 {
		return false
	}
	return slices.ContainsFunc(slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers), func(c corev1.Container) bool {
		for name := range c.Resources.Requests {
			if devices[string(name)] {
				return true
			}
		}
		return false
	})
}

// hasHostPorts reports whether a container that stays uses ports of its node.
func hasHostPorts(spec *corev1.PodSpec) bool {
	uses := func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.HostPort > 0 })
	}
	stays := func(c corev1.Container) bool {
		return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
	}
	return slices.ContainsFunc(spec.Containers, uses) ||
		slices.ContainsFunc(spec.InitContainers, func(c corev1.Container) bool { return stays(c) && uses(c) })
}
