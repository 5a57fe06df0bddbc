package translate

import (
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kubelabels"
)

// Ask is what a pod asks for.
type Ask struct {
	core.AddAsk
	PlacedOn  string              // the node that the pod has; empty: it waits
	Since     *time.Duration      // when the pod got its node; nil: it is not known
	Selectors []*nodefit.Selector // that nodes need attributes for
	Like      *corev1.Pod         // of a placeholder: the pod that plugins judge
	Plugins   []string            // that have to be asked about its nodes, by a predicate which the caller names in AddAsk; none: AddAsk says all
}

// AskOf returns the ask of a pod of this scheduler, or its allocation if the pod has a node.
func (s *Settings) AskOf(pod *corev1.Pod, c *Context) (Ask, []*Problem) {
	var bad problems
	app, wrong := AppID(pod, c)
	bad = append(bad, wrong...)
	fit := nodefit.Of(pod)
	in := core.AddAsk{ID: Key(pod), App: app, Resources: c.amounts(pod)}
	in.Ask = core.Ask{Priority: c.priority(pod), Node: fit.Node, Constraints: fit.Constraints, Originator: originator(pod, c)}
	in.NoPreemptOthers = c.preemption(pod) == corev1.PreemptNever
	in.NotPreemptable = !c.preemptable(pod, &bad)
	in.Movable = movable(pod, &bad)
	walltime(pod, &in.Ask, &bad)
	c.group(pod, &in.Ask, &bad)
	ask := Ask{AddAsk: in, Selectors: fit.Selectors, Plugins: nodefit.Plugins(pod, &c.Cluster)}
	if s.StageOf(pod) == Placed {
		ask.PlacedOn, ask.Since = pod.Spec.NodeName, began(pod)
	}
	return ask, bad
}

// Input is the ask.add, or the allocation.restore for a pod with a node.
func (a *Ask) Input() core.Input {
	ask := a.AddAsk
	if a.PlacedOn == "" {
		return core.Input{Event: &ask}
	}
	return core.Input{Event: &core.RestoreAllocation{AddAsk: ask, PlacedOn: a.PlacedOn, Since: a.Since}}
}

// movable reports whether a pod says that it may be moved.
func movable(pod *corev1.Pod, bad *problems) bool {
	may, wrong := metadata(&pod.ObjectMeta).Movable()
	bad.note("Pod", &pod.ObjectMeta, noPreemptWord, wrong)
	return may
}

// priority is the one that admission has worked out from the priority class of the outermost group of the pod, or else of the pod.
func (c *Context) priority(pod *corev1.Pod) int32 {
	if g := c.root(); g != nil && g.HasPriority {
		return g.Priority
	}
	return scheduling.PodPriority(pod)
}

// preemption says whether a pod preempts others, which admission has worked out likewise.
func (c *Context) preemption(pod *corev1.Pod) corev1.PreemptionPolicy {
	switch g := c.root(); {
	case g != nil && g.Preemption != "":
		return g.Preemption
	case pod.Spec.PreemptionPolicy != nil:
		return *pod.Spec.PreemptionPolicy
	}
	return corev1.PreemptLowerPriority
}

// Preemptable reports whether others may preempt a pod, as far as it and its priority class say.
func Preemptable(pod *corev1.Pod, c *Context) bool {
	var bad problems // translating the ask reports them
	return c.preemptable(pod, &bad)
}

// preemptable reports whether others may preempt a pod: what it says itself counts before what its priority class says.
func (c *Context) preemptable(pod *corev1.Pod, bad *problems) bool {
	may, given, wrong := metadata(&pod.ObjectMeta).Preemptable()
	bad.note("Pod", &pod.ObjectMeta, noPreemptWord, wrong)
	if given || c.Class == nil {
		return may
	}
	may, _, wrong = metadata(&c.Class.ObjectMeta).Preemptable()
	bad.note("PriorityClass", &c.Class.ObjectMeta, noPreemptWord, wrong)
	return may
}

// The values of the label spark-role.
const (
	sparkDriver   = "driver"
	sparkExecutor = "executor"
)

// originator reports whether an application stands and falls with a pod: it is the driver, or the first pod of an application without
// one. What another pod has made is none.
func originator(pod *corev1.Pod, c *Context) bool {
	switch pod.Labels[kubelabels.SparkRole] {
	case sparkDriver:
		return true
	case sparkExecutor:
		return false
	}
	return c.Starts && !slices.ContainsFunc(pod.OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == "Pod" })
}

// group puts an ask into the gang of its pod group, or else into that of its application.
func (c *Context) group(pod *corev1.Pod, ask *core.Ask, bad *problems) {
	if gang := c.podGroupGang(pod, bad); gang != nil {
		ask.Gang, ask.Topology = gang, c.podGroupTopology()
		return
	}
	name := metadata(&pod.ObjectMeta).TaskGroup()
	switch {
	case name == "" || c.Gang == nil:
	case !c.Gang.has(name):
		bad.note("Pod", &pod.ObjectMeta, noTaskGroup, &kubelabels.Problem{Key: kubelabels.TaskGroupName,
			Expected: "a task group that the first pod of the application declares", Found: strconv.Quote(name)})
	default:
		c.Gang.join(ask, name)
	}
}
