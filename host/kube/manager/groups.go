package manager

import "github.com/quern-project/quern/host/kube/podgroup"

// group returns the pod group of a pod; nil: it belongs to none, or the group is not there.
func (c *cluster) group(key string) *podgroup.Group {
	if key == "" {
		return nil
	}
	return c.groups.Get(key)
}
