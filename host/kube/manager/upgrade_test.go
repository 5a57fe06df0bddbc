package manager

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/podgroup"
)

// gangOfTwo creates a group of two pods in the version that the API server has.
func (p *plane) gangOfTwo(t *testing.T, name string) *clustertest.PodGroup {
	t.Helper()
	of := podGroup(2)
	of.Name = name
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(of)
	if err != nil {
		t.Fatal(err)
	}
	return p.createGroup(t, &unstructured.Unstructured{Object: fields})
}

func (p *plane) createMember(t *testing.T, group, name string) {
	t.Helper()
	pod := memberOf(group, 0)
	pod.Name = name
	p.createPod(t, pod)
}

// half has one gang run and another wait for its second member.
func (p *plane) half(t *testing.T) (runs, waits *clustertest.PodGroup) {
	t.Helper()
	runs, waits = p.gangOfTwo(t, "runs"), p.gangOfTwo(t, "waits")
	p.createMember(t, "runs", "runs-1")
	p.createMember(t, "runs", "runs-2")
	p.createMember(t, "waits", "waits-1")
	p.await(t, "runs", 2)
	untilWithin(t, recovery, wasScheduled(t, runs))
	untilWithin(t, recovery, p.saying(t, "waits-1", reasonWaiting, ""))
	return runs, waits
}

// whole has the other gang start, too, and checks that nothing else was bound, and that the first gang runs on.
func (p *plane) whole(t *testing.T, bound int64) {
	t.Helper()
	p.createMember(t, "waits", "waits-2")
	p.await(t, "waits", 2)
	for _, name := range []string{"runs-1", "runs-2"} {
		if pod, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Get(t.Context(), name, metav1.GetOptions{}); err != nil || pod.DeletionTimestamp != nil {
			t.Errorf("%s does not run on: %v, %v", name, pod, err)
		}
	}
	if n := p.taken.Load(); n != bound {
		t.Errorf("%d pods were bound, expected %d", n, bound)
	}
}

// A control plane becomes one of Kubernetes 1.37 under a running scheduler: gangs that run go on, and one that waits for a member starts once its group is
// there in the new version. Groups of an alpha version have to be deleted before, as the new API server cannot read them.
func TestAControlPlaneIsUpgraded(t *testing.T) {
	if os.Getenv("KUBERNETES") != "" {
		t.Skip("skipped, because it begins with the version that host/kube is built against")
	}
	p := planeWithGroups(t, 3)
	p.Upgrade(t, "1.37")
	var said bytes.Buffer
	r := start(t, p.client, rules, withGroups(&said))
	runs, waits := p.half(t)
	if err := errors.Join(runs.DeleteNow(t.Context()), waits.DeleteNow(t.Context())); err != nil {
		t.Fatal(err)
	}
	untilWithin(t, recovery, p.saying(t, "waits-1", reasonRefused, "which is not there"))

	if err := errors.Join(p.ControllerManager.Kill(), p.APIServer.Kill(), p.OfferPodGroups()); err != nil {
		t.Fatal(err)
	}
	if err := p.APIServer.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.ControllerManager.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.createPod(t, waiting("single-1", "single", 1000)) // it needs no group
	p.await(t, "single", 1)
	runs, waits = p.gangOfTwo(t, "runs"), p.gangOfTwo(t, "waits")
	p.whole(t, 5)
	untilWithin(t, recovery, wasScheduled(t, runs))
	untilWithin(t, recovery, wasScheduled(t, waits))
	r.end()
	followed(t, &said, "v1alpha2", "v1beta1")
}

// An API server starts again with a newer version of pod groups in place of the one that is followed: the groups that it has stay, and what waits goes on.
func TestAnAPIServerOffersANewerVersionOfPodGroups(t *testing.T) {
	p := planeWithGroups(t, 3, "--runtime-config=scheduling.k8s.io/v1beta1=false")
	if has, err := p.HasCompositePodGroups(); err != nil {
		t.Fatal(err)
	} else if !has {
		t.Skip("skipped, because this version of Kubernetes has one version of pod groups only: KUBERNETES=1.37")
	}
	var said bytes.Buffer
	r := start(t, p.client, rules, withGroups(&said))
	_, waits := p.half(t)
	if err := p.APIServer.Kill(); err != nil {
		t.Fatal(err)
	}
	p.APIServer.Add("--runtime-config=scheduling.k8s.io/v1beta1=true,scheduling.k8s.io/v1alpha3=false")
	if err := p.APIServer.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.whole(t, 4)
	untilWithin(t, recovery, wasScheduled(t, waits.In(podgroup.Known()[0])))
	r.end()
	followed(t, &said, "v1alpha3", "v1beta1")
}

// followed checks that the log names versions of pod groups that were followed.
func followed(t *testing.T, log *bytes.Buffer, versions ...string) {
	t.Helper()
	for _, version := range versions {
		if !strings.Contains(log.String(), `msg="pod groups are followed" api=scheduling.k8s.io/`+version) {
			t.Errorf("the log does not say that %s is followed:\n%s", version, log)
		}
	}
}
