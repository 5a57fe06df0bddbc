package translate

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	quern "github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kubelabels"
)

// placement is what a task group says of the nodes for its members.
type placement struct {
	NodeSelector map[string]string                 `json:"nodeSelector"`
	Tolerations  []corev1.Toleration               `json:"tolerations"`
	Affinity     *corev1.Affinity                  `json:"affinity"`
	Spread       []corev1.TopologySpreadConstraint `json:"topologySpreadConstraints"`
	Labels       map[string]string                 `json:"labels"`
}

// Gang is the tasks that an application has declared to need together.
type Gang struct {
	// Atomic: the pods are there, or come without waiting for one another; they are placed by one decision, and hold nothing before. Otherwise
	// some pods come only once others run, and placeholders hold their room.
	Atomic bool
	// Hard: without the gang its pods fail. Otherwise they go on singly.
	Hard bool

	policy kubelabels.GangPolicy
	asked  []int // members of each group, however many are made at once
	groups []kubelabels.TaskGroup[placement]
}

// GangOf returns the gang that a pod declares; nil: none, or none that can be read. It needs no more members than are made at once.
func GangOf(pod *corev1.Pod, c *Context) (*Gang, []*Problem) {
	var bad problems
	m := metadata(&pod.ObjectMeta)
	groups, wrong := kubelabels.TaskGroups[placement](m)
	bad.note("Pod", &pod.ObjectMeta, noGang, wrong...)
	if len(groups) == 0 {
		return nil, bad
	}
	policy, wrong := m.GangPolicy()
	bad.note("Pod", &pod.ObjectMeta, noParameter, wrong...)
	g := &Gang{Hard: policy.Hard, policy: policy, groups: groups}
	for i := range groups {
		g.asked = append(g.asked, groups[i].MinMember)
		groups[i].MinMember = bounded(groups[i].MinMember, c.AtOnce[groups[i].Name])
	}
	g.Atomic = !slices.ContainsFunc(groups, func(t kubelabels.TaskGroup[placement]) bool {
		return c.Members[t.Name] < t.MinMember && (t.Name != m.TaskGroup() || !madeAtOnce(pod))
	})
	return g, bad
}

// madeAtOnce reports whether the others of a pod's task group are made without waiting until the pod runs.
func madeAtOnce(pod *corev1.Pod) bool {
	owner := controller(pod)
	return owner != nil && owner.Kind != "StatefulSet" && owner.Kind != "Pod" && pod.Labels[kubelabels.SparkRole] == ""
}

// Min is how many members the gang needs.
func (g *Gang) Min() int {
	sum := 0
	for _, t := range g.groups {
		sum += t.MinMember
	}
	return sum
}

// MinOf is how many it would need if other numbers of pods were made at once.
func (g *Gang) MinOf(atOnce map[string]int) int {
	sum := 0
	for i := range g.groups {
		sum += bounded(g.asked[i], atOnce[g.groups[i].Name])
	}
	return sum
}

// bounded is how many members are needed of which so many are made at once; 0: nothing bounds that.
func bounded(members, atOnce int) int {
	if atOnce > 0 {
		return min(members, atOnce)
	}
	return members
}

func (g *Gang) has(group string) bool { return g.index(group) >= 0 }

// needs is how many members of a group that it has the gang needs.
func (g *Gang) needs(group string) int { return g.groups[g.index(group)].MinMember }

func (g *Gang) index(group string) int {
	return slices.IndexFunc(g.groups, func(t kubelabels.TaskGroup[placement]) bool { return t.Name == group })
}

// each is what a placeholder takes.
func each(t *kubelabels.TaskGroup[placement]) quern.Set {
	return total(t.Each, quern.NewSet(quern.Quantity{Type: pods, Value: 1}))
}

// placeholders says what room the placeholders of an application hold; nil: it has none.
func (g *Gang) placeholders() *core.Placeholders {
	if g == nil || g.Atomic {
		return nil
	}
	sets := make([]quern.Set, 0, len(g.groups))
	for i := range g.groups {
		if n := g.groups[i].MinMember; n > 0 {
			sets = append(sets, times(each(&g.groups[i]), n))
		}
	}
	return &core.Placeholders{Ask: total(sets...), Hard: g.Hard, Timeout: cmp.Or(g.policy.Timeout, kubelabels.GangTimeout), Unit: g.policy.Disruption == "unit"}
}

// Placeholders returns the asks of an application's placeholders; none for an atomic gang. The pod is the one that declares the gang,
// whose priority they have.
func (g *Gang) Placeholders(app string, pod *corev1.Pod, c *Context) []Ask {
	if g == nil || g.Atomic {
		return nil
	}
	var list []Ask
	for i := range g.groups {
		t := &g.groups[i]
		member := like(t, pod)
		fit, set, plugins := nodefit.Of(member), each(t), []string(nil)
		if sound(member) {
			plugins = nodefit.Plugins(member, &c.Cluster)
		}
		for n := range t.MinMember {
			in := core.AddAsk{ID: placeholderID(app, t.Name, n+1), App: app, Resources: set}
			in.Ask = core.Ask{Priority: c.priority(pod), Constraints: fit.Constraints, TaskGroup: t.Name, Placeholder: true}
			own := *member
			own.Name = in.ID
			list = append(list, Ask{AddAsk: in, Selectors: fit.Selectors, Plugins: plugins, Like: &own})
		}
	}
	return list
}

// placeholderID never equals the Key of a pod, which has one slash.
func placeholderID(app, group string, n int) string {
	return app + "/" + url.PathEscape(group) + "/placeholder-" + strconv.Itoa(n)
}

// join makes an ask a member of the gang. Nothing waits for members of a group that needs none, and they wait for none. Readers of an atomic
// gang get the name of the group, too.
func (g *Gang) join(ask *core.Ask, group string) {
	ask.TaskGroup = group
	if g.Atomic && g.needs(group) > 0 {
		ask.Gang = g.policy.OfTaskGroups(g.Min())
	}
}
