package manager

import (
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// repelling has the pods with required anti-affinity that have a node or ask for one: other pods need plugins because of them. Pods that repel alike are
// represented by one, since every pod that asks is held against each.
type repelling struct {
	list    []*corev1.Pod
	changed bool // the list has changed
	like    map[string]string
	groups  map[string]map[string]*corev1.Pod // by what they repel, and by their keys
}

func newRepelling() repelling {
	return repelling{like: map[string]string{}, groups: map[string]map[string]*corev1.Pod{}}
}

// add takes in a pod that has a node, or asks for one.
func (r *repelling) add(key string, pod *corev1.Pod) {
	like := repels(pod)
	if r.like[key] == like {
		return
	}
	r.remove(key)
	if like == "" {
		return
	}
	r.like[key] = like
	group := r.groups[like]
	if group == nil {
		group = map[string]*corev1.Pod{}
		r.groups[like] = group
	}
	if group[key] = pod; len(group) == 1 {
		r.relist()
	}
}

// remove takes a pod out that is gone.
func (r *repelling) remove(key string) {
	like, ok := r.like[key]
	if !ok {
		return
	}
	delete(r.like, key)
	if delete(r.groups[like], key); len(r.groups[like]) == 0 {
		delete(r.groups, like)
		r.relist()
	}
}

// relist makes the list again, in a fixed order.
func (r *repelling) relist() {
	r.changed = true
	r.list = nil
	for _, like := range slices.Sorted(maps.Keys(r.groups)) {
		group := r.groups[like]
		r.list = append(r.list, group[slices.Min(slices.Collect(maps.Keys(group)))])
	}
}

// repels is what a pod repels, as a text that is equal for pods that repel alike; empty: nothing.
func repels(pod *corev1.Pod) string {
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.PodAntiAffinity == nil || len(affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) == 0 {
		return ""
	}
	text, err := json.Marshal(affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	if err != nil {
		panic(err) // it came as JSON
	}
	return pod.Namespace + "/" + string(text)
}
