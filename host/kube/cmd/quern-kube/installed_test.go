package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/quern-project/quern/host/kube/clustertest"
)

// idle are the rights that a test brings no need about for, with the reasons for them.
var idle = map[string]string{
	"list podgroups.scheduling.k8s.io":                  "the API is alpha, and off here",
	"watch podgroups.scheduling.k8s.io":                 "the API is alpha, and off here",
	"patch podgroups/status.scheduling.k8s.io":          "likewise",
	"list compositepodgroups.scheduling.k8s.io":         "the API is alpha, and off here",
	"watch compositepodgroups.scheduling.k8s.io":        "likewise",
	"patch compositepodgroups/status.scheduling.k8s.io": "likewise",
	"create resourceclaims.resource.k8s.io":             "a claim is made where devices stand for an extended resource",
	"delete resourceclaims.resource.k8s.io":             "it goes if the pod cannot be bound",
	"get resourceclaims.resource.k8s.io":                "a claim is read again after a conflict with another writer",
	"update resourceclaims/binding.resource.k8s.io":     "no request of its own: the API server demands it of those who allocate a claim",
	"patch resourceclaims/binding.resource.k8s.io":      "likewise of those who take a pod out of a claim",
}

const twoQueues = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - {name: prod, resources: {guaranteed: {vcore: "4"}}, properties: {preemption.delay: 1s}}
    - {name: batch}
`

// The rights of the manifests are those that a scheduler uses, and no others.
func TestASchedulerHasTheRightsThatItUses(t *testing.T) {
	p := newPlane(t, 3)
	args, granted := p.installed("quern.yaml")
	kubeconfig := p.kubeconfig("quern")
	queues := p.file("queues.yaml", twoQueues)
	module := p.policyMap()

	first, second := p.replica("first", kubeconfig, queues, args), p.replica("second", kubeconfig, queues, args)
	p.must(first.Start(p.ctx))
	p.leads("")
	p.must(second.Start(p.ctx))
	p.create("batch", 12, "root.batch", "1")
	p.bound("default", "applicationId=batch", 12)
	p.taken(filepath.Join(p.dir, "first", "policies", "binpack-tetris.wasm"), module)
	p.create("huge", 1, "root.batch", "100")
	p.waits("huge-0", corev1.PodReasonUnschedulable, "FailedScheduling")
	p.create("prod", 1, "root.prod", "1")
	p.bound("default", "applicationId=prod", 1) // in the place of another
	p.removeAll()
	p.volumesAndDevices()

	holder := p.leads("")
	p.must(first.Terminate(p.ctx))
	p.leads(holder)
	p.create("later", 1, "root.batch", "1")
	p.bound("default", "applicationId=later", 1)
	p.must(second.Terminate(p.ctx))

	// A server that does not send lists by watches is asked for lists.
	p.must(p.APIServer.Kill())
	p.APIServer.Add("--feature-gates=WatchList=false")
	p.must(p.APIServer.Start(p.ctx))
	third := p.replica("third", kubeconfig, queues, args)
	p.must(third.Start(p.ctx))
	p.create("last", 1, "root.batch", "1")
	p.bound("default", "applicationId=last", 1)
	p.must(third.Terminate(p.ctx))

	requests, err := p.Requests("quern", "quern")
	p.must(err)
	for _, wrong := range clustertest.Complaints(granted, requests, idle) {
		t.Error(wrong)
	}
}

// policyMap makes a ConfigMap with a module, and returns that.
func (p *plane) policyMap() []byte {
	p.Helper()
	module, err := os.ReadFile("../../../../plugins/binpack-tetris/binpack-tetris.wasm")
	p.must(err)
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "policies", Labels: map[string]string{"quern/policy": "true"}},
		BinaryData: map[string][]byte{"binpack-tetris.wasm": module}}
	_, err = p.admin.CoreV1().ConfigMaps("quern").Create(p.ctx, m, metav1.CreateOptions{})
	p.must(err)
	return module
}

// taken checks that a file has a content.
func (p *plane) taken(file string, content []byte) {
	p.Helper()
	found, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(found, content) {
		p.Errorf("%s: expected the module of the ConfigMap, found %d bytes, %v", file, len(found), err)
	}
}

// leads waits until another replica than one holds the lease, and returns which.
func (p *plane) leads(before string) (holder string) {
	p.Helper()
	p.awaits("waiting for the lease", func() string {
		l, err := p.admin.CoordinationV1().Leases("quern").Get(p.ctx, "quern", metav1.GetOptions{})
		switch {
		case err != nil:
			return err.Error()
		case l.Spec.HolderIdentity == nil || *l.Spec.HolderIdentity == "" || *l.Spec.HolderIdentity == before:
			return "it has no other holder than " + before
		}
		holder = *l.Spec.HolderIdentity
		return ""
	})
	return holder
}

// podOf is a pod of an application in a queue.
func podOf(app, name, queue, cpu string) *corev1.Pod {
	grace := int64(1)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"applicationId": app, "queue": queue}},
		Spec: corev1.PodSpec{SchedulerName: "quern", TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{{Name: "c", Image: "none",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}}}},
	}
}

// create creates pods APP-0 and so on in the default namespace.
func (p *plane) create(app string, count int, queue, cpu string) {
	p.Helper()
	for i := range count {
		_, err := p.admin.CoreV1().Pods("default").Create(p.ctx, podOf(app, fmt.Sprint(app, "-", i), queue, cpu), metav1.CreateOptions{})
		p.must(err)
	}
}

// waits waits until the condition of a pod has a reason, and an event the same text.
func (p *plane) waits(name, reason, event string) (message string) {
	p.Helper()
	p.awaits("waiting for the condition of pod "+name, func() string {
		pod, err := p.admin.CoreV1().Pods("default").Get(p.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Reason == reason {
				message = c.Message
				return ""
			}
		}
		return "the pod has the conditions " + conditions(pod)
	})
	p.awaits("waiting for the event of pod "+name, func() string {
		list, err := p.admin.CoreV1().Events("default").List(p.ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=" + name + ",reason=" + event})
		if err != nil {
			return err.Error()
		}
		for i := range list.Items {
			if list.Items[i].Message == message {
				return ""
			}
		}
		return "no event " + event + " says: " + message
	})
	return message
}

func conditions(pod *corev1.Pod) string {
	var all []string
	for _, c := range pod.Status.Conditions {
		all = append(all, string(c.Type)+"="+string(c.Status)+" "+c.Reason+" "+c.Message)
	}
	return strings.Join(all, "; ")
}

// removeAll deletes the pods of the default namespace.
func (p *plane) removeAll() {
	p.Helper()
	now := int64(0)
	p.must(p.admin.CoreV1().Pods("default").DeleteCollection(p.ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}))
}

// objects of volumesAndDevices. The volume "made" is made for the claim "made" by the test, once a node is chosen.
const storage = `{"classes": [
  {"metadata": {"name": "disks"}, "provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"},
  {"metadata": {"name": "makes"}, "provisioner": "example.com/makes", "volumeBindingMode": "WaitForFirstConsumer"}
], "volumes": [
  {"metadata": {"name": "disk"}, "spec": {"storageClassName": "disks", "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "local": {"path": "/disk"},
    "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-0"]}]}]}}}},
  {"metadata": {"name": "made"}, "spec": {"storageClassName": "makes", "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/made"},
    "claimRef": {"namespace": "default", "name": "made"}}}
], "claims": [
  {"metadata": {"name": "disk"}, "spec": {"storageClassName": "disks", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
  {"metadata": {"name": "made"}, "spec": {"storageClassName": "makes", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
], "deviceClass": {"metadata": {"name": "gpu"}},
"slice": {"metadata": {"name": "gpus"}, "spec": {"nodeName": "node-0", "driver": "example.com", "pool": {"name": "gpus", "resourceSliceCount": 1}, "devices": [{"name": "gpu-0"}]}},
"claim": {"metadata": {"name": "gpu"}, "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}}}`

// volumesAndDevices has a volume bound that is there and one that is made, and a device allocated. The pod with the first and the device changes
// in the middle, so that it cannot be bound as it was decided: what it has got is given back, and it is decided anew.
func (p *plane) volumesAndDevices() {
	p.Helper()
	var o struct {
		Classes     []storagev1.StorageClass
		Volumes     []corev1.PersistentVolume
		Claims      []corev1.PersistentVolumeClaim
		DeviceClass resourceapi.DeviceClass
		Slice       resourceapi.ResourceSlice
		Claim       resourceapi.ResourceClaim
	}
	p.must(yaml.UnmarshalStrict([]byte(storage), &o))
	var none metav1.CreateOptions
	for i := range o.Classes {
		_, err := p.admin.StorageV1().StorageClasses().Create(p.ctx, &o.Classes[i], none)
		p.must(err)
		_, err = p.admin.CoreV1().PersistentVolumeClaims("default").Create(p.ctx, &o.Claims[i], none)
		p.must(err)
	}
	_, err := p.admin.CoreV1().PersistentVolumes().Create(p.ctx, &o.Volumes[0], none)
	p.must(err)
	_, err = p.admin.ResourceV1().DeviceClasses().Create(p.ctx, &o.DeviceClass, none)
	p.must(err)
	_, err = p.admin.ResourceV1().ResourceSlices().Create(p.ctx, &o.Slice, none)
	p.must(err)
	_, err = p.admin.ResourceV1().ResourceClaims("default").Create(p.ctx, &o.Claim, none)
	p.must(err)

	p.must(p.ControllerManager.Pause()) // which binds claims to volumes
	p.withClaim("disk", func(s *corev1.PodSpec) {
		s.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &o.Claim.Name}}
	})
	p.asked("update", "persistentvolumes")
	image := []byte(`{"spec":{"containers":[{"name":"c","image":"another"}]}}`)
	_, err = p.admin.CoreV1().Pods("default").Patch(p.ctx, "disk", types.StrategicMergePatchType, image, metav1.PatchOptions{})
	p.must(err)
	p.must(p.ControllerManager.Resume())
	p.bound("default", "applicationId=disk", 1)

	p.withClaim("made", func(*corev1.PodSpec) {})
	p.asked("update", "persistentvolumeclaims")
	_, err = p.admin.CoreV1().PersistentVolumes().Create(p.ctx, &o.Volumes[1], none)
	p.must(err)
	p.bound("default", "applicationId=made", 1)
}

// withClaim creates a pod with the volume of a claim of the same name.
func (p *plane) withClaim(name string, more func(*corev1.PodSpec)) {
	p.Helper()
	pod := podOf(name, name, "root.batch", "1")
	claim := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}
	pod.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: claim}}}
	more(&pod.Spec)
	_, err := p.admin.CoreV1().Pods("default").Create(p.ctx, pod, metav1.CreateOptions{})
	p.must(err)
}

// asked waits until the scheduler has sent a request.
func (p *plane) asked(verb, resource string) {
	p.Helper()
	p.awaits("waiting for a request: "+verb+" "+resource, func() string {
		list, err := p.Requests("quern", "quern")
		if err != nil {
			return err.Error()
		}
		kinds := map[string]bool{}
		for _, q := range list {
			kinds[q.Verb+" "+q.Resource] = true
		}
		if !kinds[verb+" "+resource] {
			return "there are only " + strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")
		}
		return ""
	})
}
