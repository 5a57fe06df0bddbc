package filter

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/util"
)

// removePod has a pod count no more on a node. Where another pod has the same port, the port stays in use: a NodeInfo notes a port once, however many
// pods have it. Another scheduler, or a user, may have put both there, before the kubelet refused the second.
func removePod(log klog.Logger, n *framework.NodeInfo, gone *corev1.Pod) error {
	err := n.RemovePod(log, gone)
	if len(util.GetHostPorts(gone)) == 0 {
		return err
	}
	for _, p := range n.Pods {
		for _, port := range util.GetHostPorts(p.GetPod()) {
			n.UsedPorts.Add(port.HostIP, string(port.Protocol), port.HostPort)
		}
	}
	return err
}
