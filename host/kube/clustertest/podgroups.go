package clustertest

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// OfferPodGroups has the API server offer pod groups, with all that its version knows of them, the controller manager let deleted ones go when their pods
// have ended, and kube-scheduler schedule by them, all from their next start on. After Upgrade it is called again.
func (c *Cluster) OfferPodGroups() error {
	minor, err := c.APIServer.minor()
	if err != nil {
		return err
	}
	gates := []string{"GenericWorkload=true", "TopologyAwareWorkloadScheduling=true"}
	scheduling := gates
	if minor >= 37 {
		gates = append(gates, "CompositePodGroup=true", "PodGroupPreemptionPolicy=true")
		scheduling = gates
	} else {
		scheduling = append(scheduling, "GangScheduling=true")
	}
	c.APIServer.Add("--feature-gates="+strings.Join(gates, ","), "--runtime-config=api/alpha=true,api/beta=true")
	c.ControllerManager.Add("--feature-gates=" + strings.Join(gates, ","))
	c.Scheduler.Add("--feature-gates=" + strings.Join(scheduling, ","))
	return nil
}

// HasCompositePodGroups reports whether the version of the API server knows groups of pod groups.
func (c *Cluster) HasCompositePodGroups() (bool, error) {
	minor, err := c.APIServer.minor()
	return minor >= 37, err
}

// minor asks a program of Kubernetes for the second number of its version.
func (p *Process) minor() (n int, err error) {
	text, err := exec.Command(p.program, "--version").Output()
	if err == nil {
		_, err = fmt.Sscanf(string(text), "Kubernetes v1.%d.", &n)
	}
	if err != nil {
		return 0, fmt.Errorf("%s --version: %w", p.name, err)
	}
	return n, nil
}

// PodGroup is a group of pods, or of groups, that was created.
type PodGroup struct {
	dynamic.ResourceInterface

	Name    string
	Version schema.GroupVersion

	client   dynamic.Interface
	resource string
}

// DeleteNow deletes the group although its pods have not ended.
func (g *PodGroup) DeleteNow(ctx context.Context) error {
	if _, err := g.Patch(ctx, g.Name, types.MergePatchType, []byte(`{"metadata": {"finalizers": null}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	return g.Delete(ctx, g.Name, metav1.DeleteOptions{})
}

// In returns the group as the API server has it in a version.
func (g *PodGroup) In(version schema.GroupVersion) *PodGroup {
	in := *g
	in.Version, in.ResourceInterface = version, g.client.Resource(version.WithResource(g.resource)).Namespace(metav1.NamespaceDefault)
	return &in
}

// CreatePodGroup creates a PodGroup or a CompositePodGroup in the default namespace, by its kind, in the first of some versions that the API server has.
func (c *Cluster) CreatePodGroup(ctx context.Context, o *unstructured.Unstructured, versions ...schema.GroupVersion) (*PodGroup, error) {
	client, err := dynamic.NewForConfig(c.Admin())
	if err != nil {
		return nil, err
	}
	g := &PodGroup{Name: o.GetName(), client: client, resource: strings.ToLower(o.GetKind()) + "s"}
	for _, version := range versions {
		in := o.DeepCopy()
		in.SetGroupVersionKind(version.WithKind(o.GetKind()))
		if version.Version == "v1alpha2" { // which writes it in another way, and only with another feature gate
			unstructured.RemoveNestedField(in.Object, "spec", "disruptionMode")
		}
		g = g.In(version)
		if _, err = g.Create(ctx, in, metav1.CreateOptions{}); err == nil {
			return g, nil
		}
		if !apierrors.IsNotFound(err) {
			break
		}
	}
	return nil, fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), err)
}
