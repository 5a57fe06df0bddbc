package manager

import (
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/nodefit"
)

// repelling has the pods with required anti-affinity that have a node or ask for one: other pods need plugins because of them. Pods that repel
// alike are represented by one, and only those are listed that may repel pods of a namespace, since each pod that asks is held against them.
type repelling struct {
	like    map[string]string     // by pod: the group that it belongs to
	groups  map[string]*repellers // by what they repel
	at      map[string]groups     // those that repel pods of some namespaces only, by namespace
	all     groups                // those that may repel pods of every namespace
	lists   map[string][]*corev1.Pod
	changed []*corev1.Pod // one of each group that has come or gone
}

// groups are some groups by what they repel.
type groups map[string]*repellers

// repellers are the pods that repel alike.
type repellers struct {
	pod  *corev1.Pod // one of them, or one that was
	pods int
}

func newRepelling() *repelling {
	return &repelling{like: map[string]string{}, groups: groups{}, at: map[string]groups{}, all: groups{}, lists: map[string][]*corev1.Pod{}}
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
		group = &repellers{pod: pod}
		r.groups[like] = group
		r.file(like, group)
	}
	group.pods++
}

// remove takes a pod out that is gone.
func (r *repelling) remove(key string) {
	like, ok := r.like[key]
	if !ok {
		return
	}
	delete(r.like, key)
	group := r.groups[like]
	if group.pods--; group.pods == 0 {
		delete(r.groups, like)
		r.file(like, group)
	}
}

// file brings a group that has come or gone into the namespaces that it concerns, or takes it out.
func (r *repelling) file(like string, group *repellers) {
	r.changed = append(r.changed, group.pod)
	namespaces, everywhere := nodefit.Repelled(group.pod)
	if everywhere {
		clear(r.lists)
		r.all.set(like, group)
		return
	}
	for _, namespace := range namespaces {
		delete(r.lists, namespace)
		if r.at[namespace] == nil {
			r.at[namespace] = groups{}
		}
		if r.at[namespace].set(like, group); len(r.at[namespace]) == 0 {
			delete(r.at, namespace)
		}
	}
}

func (g groups) set(like string, group *repellers) {
	if group.pods == 0 && g[like] != nil {
		delete(g, like)
	} else {
		g[like] = group
	}
}

// near lists pods, in a fixed order, that repel as all do that may repel pods of a namespace.
func (r *repelling) near(namespace string) []*corev1.Pod {
	list, known := r.lists[namespace]
	if !known {
		for _, some := range []groups{r.at[namespace], r.all} {
			for _, like := range slices.Sorted(maps.Keys(some)) {
				list = append(list, some[like].pod)
			}
		}
		r.lists[namespace] = list
	}
	return list
}

// changes lists one of each group that has come or gone since the last call.
func (r *repelling) changes() []*corev1.Pod {
	list := r.changed
	r.changed = nil
	return list
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
