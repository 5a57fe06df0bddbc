package nodefit

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func antiAffine(namespace string, t corev1.PodAffinityTerm) *corev1.Pod {
	t.TopologyKey = "kubernetes.io/hostname"
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}, Spec: corev1.PodSpec{Affinity: &corev1.Affinity{
		PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{t}}}}}
}

func TestPluginsAreAskedOnlyAboutWhatAPodHas(t *testing.T) {
	web := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	volume := func(v corev1.VolumeSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{VolumeSource: v}} }
	}
	repelling := func(others ...*corev1.Pod) *Cluster { return &Cluster{Repelling: others} }
	for name, c := range map[string]struct {
		change  func(*corev1.Pod)
		cluster *Cluster
		want    []string
	}{
		"a plain pod": {},
		"configuration and scratch space": {change: func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}}, {VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
		}},
		"a claim":      {change: volume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}}), want: []string{NodeVolumeLimits, VolumeBinding, VolumeRestrictions, VolumeZone}},
		"a volume":     {change: volume(corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}), want: []string{NodeVolumeLimits, VolumeBinding, VolumeRestrictions, VolumeZone}},
		"a disk":       {change: volume(corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{}}), want: []string{NodeVolumeLimits, VolumeRestrictions}},
		"ports":        {change: func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}} }, want: []string{NodePorts}},
		"ports inside": {change: func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}} }},
		"ports of an init container": {change: func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Ports: []corev1.ContainerPort{{HostPort: 80}}}}
		}},
		"ports of a sidecar": {change: func(p *corev1.Pod) {
			always := corev1.ContainerRestartPolicyAlways
			p.Spec.InitContainers = []corev1.Container{{RestartPolicy: &always, Ports: []corev1.ContainerPort{{HostPort: 80}}}}
		}, want: []string{NodePorts}},
		"spread where it can": {change: func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{WhenUnsatisfiable: corev1.ScheduleAnyway}}
		}},
		"spread or wait": {change: func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{WhenUnsatisfiable: corev1.DoNotSchedule}}
		}, want: []string{PodTopologySpread}},
		"near others": {change: func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{}}}}
		}, want: []string{InterPodAffinity}},
		"preferably near others": {change: func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{}}}}
		}},
		"away from others":                         {change: func(p *corev1.Pod) { p.Spec.Affinity = antiAffine("", corev1.PodAffinityTerm{}).Spec.Affinity }, want: []string{InterPodAffinity}},
		"others keep away":                         {cluster: repelling(antiAffine("ns", corev1.PodAffinityTerm{LabelSelector: web})), want: []string{InterPodAffinity}},
		"others keep away in another namespace":    {cluster: repelling(antiAffine("other", corev1.PodAffinityTerm{LabelSelector: web}))},
		"others keep away from this namespace":     {cluster: repelling(antiAffine("other", corev1.PodAffinityTerm{LabelSelector: web, Namespaces: []string{"ns"}})), want: []string{InterPodAffinity}},
		"others keep away from namespaces by name": {cluster: repelling(antiAffine("other", corev1.PodAffinityTerm{LabelSelector: web, NamespaceSelector: &metav1.LabelSelector{}})), want: []string{InterPodAffinity}},
		"others keep away from other pods":         {cluster: repelling(antiAffine("ns", corev1.PodAffinityTerm{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}}))},
		"a claim of a device":                      {change: func(p *corev1.Pod) { p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} }, want: []string{DynamicResources}},
		"an extended resource of devices":          {cluster: &Cluster{Devices: map[string]bool{"example.com/gpu": true}}, want: []string{DynamicResources}},
		"another extended resource":                {cluster: &Cluster{Devices: map[string]bool{"example.com/nic": true}}},
		"the host's network with users of its own": {change: func(p *corev1.Pod) {
			no := false
			p.Spec.HostNetwork, p.Spec.HostUsers = true, &no
		}, want: []string{NodeDeclaredFeatures}},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Labels: map[string]string{"app": "web"}}}
		pod.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"example.com/gpu": {}}}}}
		if c.change != nil {
			c.change(pod)
		}
		if c.cluster == nil {
			c.cluster = &Cluster{}
		}
		if got := Plugins(pod, c.cluster); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
