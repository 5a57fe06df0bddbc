// Package nodefit says which nodes a pod may run on, in the terms of the core: constraints on attributes of nodes, a required node, and the
// scheduler plugins of Kubernetes that have to be asked besides.
//
// The attributes of a node are its labels, which answer for nodeSelector and for node affinity that lists values. Everything else that
// depends on the node alone is a Selector: an attribute that Attributes gives to nodes while an ask uses it. With both, the constraints of a
// pod hold on a node exactly where the plugins NodeAffinity, TaintToleration and NodeUnschedulable let the pod in. Plugins names the plugins
// for all that depends on other pods, on volumes or on devices.
package nodefit
