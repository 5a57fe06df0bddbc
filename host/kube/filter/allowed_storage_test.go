package filter

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/quern-project/quern/internal/await"
)

const (
	madeClass    = "made"
	selectedNode = "volume.kubernetes.io/selected-node"
	bindComplete = "pv.kubernetes.io/bind-completed"
)

var zoneLabel = corev1.NodeSelectorRequirement{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpIn}

// storage is what a trial has of classes from the beginning: local disks, volumes that are made once a node is selected, and devices.
func storage() []runtime.Object {
	wait := storagev1.VolumeBindingWaitForFirstConsumer
	zones := []corev1.TopologySelectorTerm{{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: corev1.LabelTopologyZone, Values: zones[:2]}}}}
	return []runtime.Object{
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: diskClass, ResourceVersion: "1"}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait},
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: madeClass, ResourceVersion: "1"}, Provisioner: "example.com/made", VolumeBindingMode: &wait, AllowedTopologies: zones},
		&resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu", ResourceVersion: "1"}},
	}
}

// version gives an object that is created or changed a resource version, by which plugins tell what is newer.
func (x *trial) version(action clienttesting.Action) (bool, runtime.Object, error) {
	if o, ok := action.(clienttesting.UpdateAction); ok { // as a creation is, too
		if meta, ok := o.GetObject().(metav1.Object); ok {
			meta.SetResourceVersion(strconv.FormatInt(x.versions.Add(1), 10))
		}
	}
	return false, nil, nil
}

// addStorage gives a node that comes a disk, or devices.
func (x *trial) addStorage(node string) {
	if oneOf(x.r, 2) {
		x.addDisk(node)
	}
	if oneOf(x.r, 3) {
		s := slice(node)
		s.Name, s.Spec.Pool.Name = "slice-of-"+node, node
		for i := range x.r.IntN(2) {
			s.Spec.Devices = append(s.Spec.Devices, resourceapi.Device{Name: fmt.Sprint("gpu-", i+1)})
		}
		_, err := x.client.ResourceV1().ResourceSlices().Create(context.Background(), s, metav1.CreateOptions{})
		x.check(err)
	}
}

func (x *trial) addDisk(node string) {
	x.number++
	v := disk(node)
	v.Name = fmt.Sprint("disk-", x.number)
	x.addVolume(v)
}

func (x *trial) addVolume(v *corev1.PersistentVolume) {
	_, err := x.client.CoreV1().PersistentVolumes().Create(context.Background(), v, metav1.CreateOptions{})
	x.check(err)
}

func (x *trial) addClaim(c *corev1.PersistentVolumeClaim) {
	_, err := x.client.CoreV1().PersistentVolumeClaims(c.Namespace).Create(context.Background(), c, metav1.CreateOptions{})
	x.check(err)
}

// addOwner has pods come that need a volume or a device, before or after it.
func (x *trial) addOwner() {
	x.number++
	pod := clusterPod(x.r, fmt.Sprint("o", x.number))
	var give func()
	users := 1
	switch kind := x.r.IntN(4); kind {
	case 0, 1:
		c := claim(pod.Name)
		c.Namespace = pod.Namespace
		if kind == 1 {
			*c.Spec.StorageClassName = madeClass
		}
		pod.Spec.Volumes = podWithClaim(pod.Name).Spec.Volumes
		give = func() { x.addClaim(c) }
	case 2:
		users += x.r.IntN(2)
		v, c := boundVolume(pod, pick(x.r, zones...))
		if users > 1 && oneOf(x.r, 2) { // of which one has to wait
			c.Spec.AccessModes[0], v.Spec.AccessModes[0] = corev1.ReadWriteOncePod, corev1.ReadWriteOncePod
		}
		pod.Spec.Volumes = podWithClaim(pod.Name).Spec.Volumes
		give = func() { x.addVolume(v); x.addClaim(c) }
	case 3:
		c := gpuClaim(pod.Name)
		c.Namespace = pod.Namespace
		pod.Spec.ResourceClaims = podWithDevice(pod.Name).Spec.ResourceClaims
		give = func() {
			_, err := x.client.ResourceV1().ResourceClaims(c.Namespace).Create(context.Background(), c, metav1.CreateOptions{})
			x.check(err)
		}
	}
	if oneOf(x.r, 2) {
		give()
		give = func() {}
	}
	for i := range users {
		x.addPod(pod, i)
	}
	give()
}

// boundVolume is a volume of a zone that is bound to a pod's claim.
func boundVolume(pod *corev1.Pod, zone string) (*corev1.PersistentVolume, *corev1.PersistentVolumeClaim) {
	c := claim(pod.Name)
	c.Namespace = pod.Namespace
	v := zoneVolume(c, zone)
	bindTo(c, v)
	return v, c
}

// zoneVolume is a volume of a zone that is a claim's.
func zoneVolume(c *corev1.PersistentVolumeClaim, zone string) *corev1.PersistentVolume {
	in := zoneLabel
	in.Values = []string{zone}
	v := disk("")
	v.Name, v.Labels = "for-"+c.Name, map[string]string{corev1.LabelTopologyZone: zone}
	v.Spec.NodeAffinity.Required.NodeSelectorTerms[0].MatchExpressions = []corev1.NodeSelectorRequirement{in}
	v.Spec.StorageClassName = *c.Spec.StorageClassName
	v.Spec.ClaimRef = &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: c.Namespace, Name: c.Name, UID: c.UID}
	v.Status.Phase = corev1.VolumeBound
	return v
}

func bindTo(c *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) {
	c.Spec.VolumeName, c.Status.Phase = v.Name, corev1.ClaimBound
	c.Annotations = map[string]string{bindComplete: "yes"}
}

// bindVolumes plays the controllers that complete what PreBind has begun, until the context ends.
func (x *trial) bindVolumes(ctx context.Context) error {
	for range await.Each(ctx, 2*time.Millisecond) {
		claims, err := x.client.CoreV1().PersistentVolumeClaims(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		open := slices.DeleteFunc(claims.Items, func(c corev1.PersistentVolumeClaim) bool { return c.Spec.VolumeName != "" })
		if len(open) == 0 {
			continue
		}
		volumes, err := x.client.CoreV1().PersistentVolumes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range open {
			if err := x.bindVolume(ctx, &open[i], volumes.Items); err != nil && !apierrors.IsNotFound(err) {
				return err
			}
		}
	}
	return nil
}

// bindVolume binds a claim to the volume that is meant for it, or makes one where its pod is going to be.
func (x *trial) bindVolume(ctx context.Context, c *corev1.PersistentVolumeClaim, volumes []corev1.PersistentVolume) error {
	i := slices.IndexFunc(volumes, func(v corev1.PersistentVolume) bool { return v.Spec.ClaimRef != nil && v.Spec.ClaimRef.UID == c.UID })
	switch node := c.Annotations[selectedNode]; {
	case i >= 0:
		bindTo(c, &volumes[i])
	case node != "" && *c.Spec.StorageClassName == madeClass:
		n, err := x.client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		v := zoneVolume(c, n.Labels[corev1.LabelTopologyZone])
		if _, err := x.client.CoreV1().PersistentVolumes().Create(ctx, v, metav1.CreateOptions{}); err != nil {
			return err
		}
		bindTo(c, v)
	default:
		return nil
	}
	_, err := x.client.CoreV1().PersistentVolumeClaims(c.Namespace).Update(ctx, c, metav1.UpdateOptions{})
	return err
}

// freeStorage deletes the claims of a pod that has ended, unless others use them, and has a disk come back empty.
func (x *trial) freeStorage(pod *corev1.Pod) {
	ctx, none := context.Background(), metav1.DeleteOptions{}
	for _, claim := range pod.Spec.ResourceClaims {
		x.check(x.client.ResourceV1().ResourceClaims(pod.Namespace).Delete(ctx, *claim.ResourceClaimName, none))
	}
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim == nil || x.oracle.uses(pod.Namespace, v.PersistentVolumeClaim.ClaimName) {
			continue
		}
		c, err := x.client.CoreV1().PersistentVolumeClaims(pod.Namespace).Get(ctx, v.PersistentVolumeClaim.ClaimName, metav1.GetOptions{})
		x.check(err)
		x.check(x.client.CoreV1().PersistentVolumeClaims(c.Namespace).Delete(ctx, c.Name, none))
		if c.Spec.VolumeName == "" { // of another scheduler's pod
			continue
		}
		x.check(x.client.CoreV1().PersistentVolumes().Delete(ctx, c.Spec.VolumeName, none))
		if node := x.oracle.nodes[pod.Spec.NodeName]; *c.Spec.StorageClassName == diskClass && c.Spec.VolumeName[:4] == "disk" {
			x.addDisk(node.Name)
		}
	}
}

// uses reports whether a pod that is there has a claim.
func (o *oracle) uses(namespace, claim string) bool {
	for _, all := range []map[string]*corev1.Pod{o.waiting, o.placed} {
		for _, pod := range all {
			if pod.Namespace == namespace && slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
				return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim
			}) {
				return true
			}
		}
	}
	return false
}

// shared says which volume or device two pods have that only one may have; empty: none.
func (x *trial) shared() string {
	claims, err := x.client.ResourceV1().ResourceClaims(metav1.NamespaceAll).List(context.Background(), metav1.ListOptions{})
	x.check(err)
	of := map[string]string{}
	for i := range claims.Items {
		c := &claims.Items[i]
		if c.Status.Allocation == nil {
			continue
		}
		for _, d := range c.Status.Allocation.Devices.Results {
			id := d.Pool + "/" + d.Device
			if other := of[id]; other != "" {
				return fmt.Sprintf("device %s is of claims %s and %s", id, other, c.Name)
			}
			of[id] = c.Name
		}
	}
	volumes, err := x.client.CoreV1().PersistentVolumeClaims(metav1.NamespaceAll).List(context.Background(), metav1.ListOptions{})
	x.check(err)
	for i := range volumes.Items {
		c := &volumes.Items[i]
		if c.Spec.VolumeName == "" {
			continue
		}
		if other := of[c.Spec.VolumeName]; other != "" {
			return fmt.Sprintf("volume %s is of claims %s and %s", c.Spec.VolumeName, other, c.Name)
		}
		of[c.Spec.VolumeName] = c.Name
	}
	return ""
}
