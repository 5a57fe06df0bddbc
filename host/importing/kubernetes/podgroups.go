package kubernetes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/kubelabels"
)

// podGroup holds the settings of a PodGroup that a journal can express.
type podGroup struct {
	name     string
	gang     bool // its pods are placed together; else one by one, the first of them alone if they have a key in common
	min      int  // of a gang
	whole    bool // of a gang: its pods are preempted together
	priority *int32
	policy   string // whether its pods preempt others; empty: they say so themselves
	key      string // the label whose value the nodes of its pods have in common; empty: none
}

// disruptionMode reports whether pods of a group are disrupted together. In v1alpha2 it is PodGroup, in later versions it has the field all.
type disruptionMode bool

// UnmarshalJSON takes any value: the API server has checked those that matter.
func (m *disruptionMode) UnmarshalJSON(raw []byte) error {
	var of struct {
		All *struct{} `json:"all"`
	}
	*m = disruptionMode(string(raw) == `"PodGroup"` || json.Unmarshal(raw, &of) == nil && of.All != nil)
	return nil
}

// groupAPI begins the version of the PodGroups that are read; others have theirs.
const groupAPI = "scheduling.k8s.io/"

func (r *Reader) takePodGroup(i *item) {
	if i.APIVersion != "" && !strings.HasPrefix(i.APIVersion, groupAPI) {
		r.sink.LeftOut(1, "object", "PodGroup of an API other than scheduling.k8s.io")
		return
	}
	s := &i.Spec
	g := &podGroup{name: i.Metadata.Name, priority: s.Priority, policy: s.PreemptionPolicy}
	if gang := s.SchedulingPolicy.Gang; gang != nil {
		const most = kubelabels.MostMembers
		if gang.MinCount < 1 || gang.MinCount > most {
			i.refuse(fmt.Sprintf("a whole number from 1 to %d", most), fmt.Sprint(gang.MinCount), "spec", "schedulingPolicy", "gang", "minCount")
		}
		g.gang, g.min, g.whole = true, int(gang.MinCount), bool(s.DisruptionMode)
	}
	switch all := s.SchedulingConstraints.Topology; {
	case len(all) > 1:
		i.refuse("one constraint", fmt.Sprint(len(all)), "spec", "schedulingConstraints", "topology")
	case len(all) == 1 && all[0].Key == "":
		i.refuse("the key of a label of nodes", "", "spec", "schedulingConstraints", "topology", 0, "key")
	case len(all) == 1:
		g.key = all[0].Key
	}
	if len(i.errs) == 0 {
		r.groups[i.Metadata.Namespace+"/"+g.name] = g
	}
}

// podGroup returns the namespace and name of the PodGroup of a pod; empty: none.
func (i *item) podGroup() string {
	if name := i.Spec.SchedulingGroup.Name; name != "" {
		return i.Metadata.Namespace + "/" + name
	}
	return ""
}

// atomic reports whether the pods of a group form a gang: they are placed together, or one by one in one domain of a topology. Of these one is enough for the
// gang, which the others follow.
func (g *podGroup) atomic() bool { return g.gang || g.key != "" }

// join makes a pod a member of the gang of its PodGroup.
func (r *Reader) join(p *pod) {
	g := r.groups[p.group]
	if g == nil {
		r.sink.Changed(1, "pod", "PodGroup not in the listing; scheduled without it")
		return
	}
	if g.priority != nil {
		p.ask.Priority = *g.priority
	}
	if g.policy != "" {
		p.ask.NoPreemptOthers = g.policy == never
	}
	if g.atomic() {
		p.ask.Gang = p.policy.OfPodGroup(g.name, max(1, g.min), g.whole)
		p.ask.Topology.Required = levelOf(g.key)
	}
}

// levelOf names the level of a label.
func levelOf(key string) string {
	if key == config.NodeLevel {
		return "label " + key
	}
	return key
}

// topology gives the levels that gangs name to the queue configuration. A level with fewer domains is the wider one.
func (r *Reader) topology() {
	var keys []string
	for _, p := range r.pods {
		if g := r.groups[p.group]; p.foreign == "" && g != nil && g.key != "" && !slices.Contains(keys, g.key) {
			keys = append(keys, g.key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(r.domains(a), r.domains(b)), strings.Compare(a, b)) })
	for _, key := range keys {
		r.sink.Queues.Topology = append(r.sink.Queues.Topology, config.Level{Name: levelOf(key), Attribute: key})
	}
}

// domains counts the values of a label.
func (r *Reader) domains(key string) int {
	values := map[string]bool{}
	for _, n := range r.nodes {
		if value, ok := n.labels[key]; ok {
			values[value] = true
		}
	}
	return len(values)
}
