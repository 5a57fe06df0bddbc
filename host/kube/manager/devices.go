package manager

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/served"
)

// devices has the extended resources that devices stand for: those that device classes name, unless a node has an amount of its own, as from a
// device plugin. Pods that request them need plugins, and nodes have no amounts of them.
type devices struct {
	standing map[string]bool
	offered  map[corev1.ResourceName]int // how many nodes have an amount
}

func newDevices() *devices { return &devices{offered: map[corev1.ResourceName]int{}} }

// count counts the amounts of a node, or takes them back.
func (d *devices) count(n *corev1.Node, by int) {
	for name, amount := range n.Status.Allocatable {
		if amount.IsZero() {
			continue
		}
		if d.offered[name] += by; d.offered[name] == 0 {
			delete(d.offered, name)
		}
	}
}

// stand reads device classes, and returns the resources that devices stand for now and did not before, or no longer.
func (d *devices) stand(classes []*resourcev1.DeviceClass) (changed map[string]bool) {
	before, now := d.standing, map[string]bool{}
	for _, class := range classes {
		for _, name := range nodefit.ResourcesOf(class) {
			if d.offered[corev1.ResourceName(name)] == 0 {
				now[name] = true
			}
		}
	}
	d.standing, changed = now, map[string]bool{}
	for _, pair := range [][2]map[string]bool{{before, now}, {now, before}} {
		for name := range pair[0] {
			if !pair[1][name] {
				changed[name] = true
			}
		}
	}
	return changed
}

// checkDevices refuses an API server without the API of dynamic resources, which the scheduler plugins read: its objects would be awaited
// without end.
func (m *Manager) checkDevices(ctx context.Context) error {
	if m.o.Filters == nil {
		return nil
	}
	has, err := served.Has(ctx, m.o.Client.Discovery(), resourcev1.SchemeGroupVersion, "resourceclaims", m.o.Log)
	if err == nil && !has {
		err = fmt.Errorf("the API server does not serve %v, which the scheduler plugins read: expected Kubernetes 1.34 or later with this API switched on",
			resourcev1.SchemeGroupVersion)
	}
	return err
}
