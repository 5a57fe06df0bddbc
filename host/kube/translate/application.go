package translate

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/quern-project/quern/core"
	quern "github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kubelabels"
)

// Context is what the translation of a pod needs besides the pod.
type Context struct {
	Namespace  *corev1.Namespace           // nil: not known; no annotations
	Class      *schedulingv1.PriorityClass // of the pod; nil: none
	PodGroup   *podgroup.Group             // of the pod; nil: none, or it is not there
	Composites []*podgroup.Group           // that the PodGroup belongs to, the innermost first
	Gang       *Gang                       // that the application has declared; nil: none
	Starts     bool                        // the pod is the first of its application
	Members    map[string]int              // pods of the application by task group, this one included; read by GangOf only
	AtOnce     map[string]int              // by task group: how many pods are made at once; 0: nothing bounds them; read by GangOf only
	InGroup    int                         // likewise of the pod's PodGroup
	Succeeded  map[string]int              // by atomic gang: pods of the application that succeeded before it was submitted; nil: none
	Cluster    nodefit.Cluster             // what decides about plugins besides the pod
}

// longestAppID bounds the name of an application in bytes.
const longestAppID = 512

// AppID returns the ID of the application that a pod belongs to. A pod that names none belongs to the application of its PodGroup,
// NAMESPACE/GROUP, with the name of the outermost composite group if there is one, or of its controller, NAMESPACE/CONTROLLER, or is one of its own. In a namespace with generateAppId, all such pods form
// yunikorn-NAMESPACE-autogen, and elsewhere those that were written for YuniKorn and are of no group.
func AppID(pod *corev1.Pod, c *Context) (string, []*Problem) {
	var bad problems
	m := metadata(&pod.ObjectMeta)
	id := m.App()
	if len(id) > longestAppID || strings.ContainsFunc(id, unicode.IsControl) {
		bad.note("Pod", &pod.ObjectMeta, ownerInstead, &kubelabels.Problem{Key: kubelabels.AppID,
			Expected: "at most " + strconv.Itoa(longestAppID) + " bytes without control characters", Found: strconv.QuoteToASCII(id[:min(len(id), 40)]) + "…"})
		id = ""
	}
	if id != "" {
		return id, bad
	}
	if n, _ := c.namespace(); n.GenerateAppID {
		return kubelabels.AutogenAppID(pod.Namespace), bad
	}
	if group := PodGroupKey(pod); group != "" && len(c.Composites) > 0 { // the gangs of a set are of one application
		root := c.root()
		return root.Namespace + "/" + root.Name, bad
	} else if group != "" {
		return group, bad
	}
	if m.OfNamespace(pod.Spec.SchedulerName) {
		return kubelabels.AutogenAppID(pod.Namespace), bad
	}
	if owner := controller(pod); owner != nil {
		return pod.Namespace + "/" + owner.Name, bad
	}
	return Key(pod), bad
}

func (c *Context) namespace() (kubelabels.Namespace, []*kubelabels.Problem) {
	if c.Namespace == nil {
		return kubelabels.Namespace{}, nil
	}
	return metadata(&c.Namespace.ObjectMeta).Namespace()
}

// The tags of applications that placement rules and dynamic queues read.
const (
	tagNamespace  = "namespace"
	tagParent     = "namespace.parentqueue"
	tagMax        = "namespace.resourcequota"
	tagGuaranteed = "namespace.resourceguaranteed"
	tagMaxApps    = "namespace.resourcemaxapps"
	tagForce      = "application.create.force"
	tagBeside     = "application.stateaware.disable"
)

// Application returns the app.add for the application that begins with a pod.
func (s *Settings) Application(pod *corev1.Pod, c *Context) (*core.AddApp, []*Problem) {
	var bad problems
	id, wrong := AppID(pod, c)
	bad = append(bad, wrong...)
	m := metadata(&pod.ObjectMeta)
	in := &core.AddApp{ID: id, Queue: m.Queue(), Tags: c.tags(pod, &bad)}
	if in.Queue == "" {
		in.Queue = s.Queue
	}
	user, groups, broken := m.User()
	bad.note("Pod", &pod.ObjectMeta, noUser, broken)
	in.User, in.Groups = user, groups
	if s.StageOf(pod) == Placed {
		in.Tags[tagForce] = "true" // what runs is never turned away
	}
	if m.IgnoresStateAware() {
		in.Tags[tagBeside] = "true"
	}
	in.Placeholders, in.Succeeded = c.Gang.placeholders(), c.Succeeded
	return in, bad
}

// tags are those of the application of a pod.
func (c *Context) tags(pod *corev1.Pod, bad *problems) map[string]string {
	tags := map[string]string{tagNamespace: pod.Namespace}
	n, wrong := c.namespace()
	if wrong != nil {
		bad.note("Namespace", &c.Namespace.ObjectMeta, noQuota, wrong...)
	}
	if n.Parent != "" {
		tags[tagParent] = n.Parent
	}
	if n.Max != nil {
		tags[tagMax] = quantitiesText(n.Max)
	}
	if n.Guaranteed != nil {
		tags[tagGuaranteed] = quantitiesText(n.Guaranteed)
	}
	if n.HasMaxApps {
		tags[tagMaxApps] = strconv.FormatUint(n.MaxApps, 10)
	}
	return tags
}

// quantitiesText writes amounts as the tags of quotas have them.
func quantitiesText(set quern.Set) string {
	texts := make(map[string]string, len(set))
	for _, q := range set {
		texts[q.Type] = quern.Format(q.Type, q.Value)
	}
	text, _ := json.Marshal(texts) // a map of texts has no error
	return string(text)
}

// TaskGroup returns the task group that a pod names; empty: none.
func TaskGroup(pod *corev1.Pod) string { return metadata(&pod.ObjectMeta).TaskGroup() }
