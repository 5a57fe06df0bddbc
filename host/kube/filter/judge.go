package filter

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity"

	"github.com/quern-project/quern/host/kube/nodefit"
)

// judgement is what PreFilter has found out about a pod.
type judgement struct {
	version uint64 // of the cluster, +1; 0: there is none
	state   fwk.CycleState
	nodes   sets.Set[string] // the only ones that may be; nil: all
	against *fwk.Status      // why no node will do, or none but those; nil: Filter decides
	spread  int              // pods that PodTopologySpread may have counted since
}

// prepare has PreFilter look at a pod in the cluster as it is.
func (f *Filters) prepare(ctx context.Context, pod *corev1.Pod) (judgement, error) {
	j := judgement{version: f.cluster.version + 1, state: framework.NewCycleState()}
	result, status, restricting := f.framework.RunPreFilterPlugins(ctx, j.state, pod)
	switch {
	case status.IsSuccess() && !result.AllNodes():
		j.nodes = result.NodeNames
		j.against = fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "the node cannot have what the pod needs").WithPlugin(strings.Join(sets.List(restricting), ", "))
	case status.IsSuccess():
	case status.IsRejected():
		j.nodes, j.against = sets.New[string](), status
		if status.Plugin() == "" {
			status.SetPlugin(strings.Join(sets.List(restricting), ", "))
		}
	default:
		return j, status.AsError()
	}
	return j, nil
}

// follow brings a judgement up to date where pods were added and nothing else has changed, and reports whether it could. PodTopologySpread
// remembers the two domains with the fewest pods, so that it knows the fewest after one more pod, and has to look at everything after two.
func (j *judgement) follow(ctx context.Context, f *Filters, pod *corev1.Pod) bool {
	if j.version == 0 || j.against != nil {
		return false
	}
	list, only := f.cluster.since(j.version - 1)
	skipped := j.state.GetSkipFilterPlugins()
	if !only {
		return false
	}
	for _, a := range list {
		if skipped.Has(nodefit.InterPodAffinity) && len(a.pod.GetRequiredAntiAffinityTerms()) > 0 {
			return false
		}
		if a.pod.GetPod().Namespace == pod.Namespace {
			j.spread++
		}
		if j.spread > 1 && !skipped.Has(nodefit.PodTopologySpread) {
			return false
		}
		if a.node.Node() != nil && !f.framework.RunPreFilterExtensionAddPod(ctx, j.state, pod, a.pod, a.node).IsSuccess() {
			return false
		}
	}
	j.version = f.cluster.version + 1
	return true
}

// on reports what keeps a pod off a node, nil for nothing.
func (j *judgement) on(ctx context.Context, f *Filters, pod *corev1.Pod, node string) (*fwk.Status, error) {
	n, err := f.cluster.Get(node)
	if err != nil { // the scheduler has a node that is gone by now
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, err.Error()), nil
	}
	return j.of(ctx, f, pod, n)
}

// of is on of a node as it may be.
func (j *judgement) of(ctx context.Context, f *Filters, pod *corev1.Pod, n fwk.NodeInfo) (*fwk.Status, error) {
	name := n.Node().Name
	if j.nodes != nil && !j.nodes.Has(name) {
		return j.against, nil
	}
	status := f.framework.RunFilterPlugins(ctx, j.state, pod, n)
	if !status.IsSuccess() && !status.IsRejected() {
		return nil, fmt.Errorf("node %q: %w", name, status.AsError())
	}
	if status.IsSuccess() {
		return nil, nil
	}
	return status, nil
}

// judge has the plugins look at nodes for a class, and calls each with what keeps it off them.
func (f *Filters) judge(c *class, nodes []string, each func(i int, against *fwk.Status)) error {
	ctx := klog.NewContext(context.Background(), f.log)
	if c.last.version != f.cluster.version+1 && !c.last.follow(ctx, f, c.pod) {
		var err error
		if c.last, err = f.prepare(ctx, c.pod); err != nil {
			c.last = judgement{}
			return err
		}
	}
	for i, node := range nodes {
		against, err := c.last.on(ctx, f, c.pod, node)
		if err != nil {
			return err
		}
		each(i, against)
	}
	return nil
}

// judgeWithout is judge as if some pods had gone.
func (f *Filters) judgeWithout(c *class, gone, nodes []string, each func(i int, against *fwk.Status)) error {
	if len(gone) == 0 {
		return f.judge(c, nodes, each)
	}
	if c.last.spread > 0 { // PodTopologySpread remembers too little of what has come since to tell what remains
		c.last = judgement{}
	}
	if err := f.judge(c, nil, nil); err != nil {
		return err
	}
	ctx := klog.NewContext(context.Background(), f.log)
	d := departure{f: f, judgement: c.last, nodes: map[string]*framework.NodeInfo{}}
	d.state = c.last.state.Clone()
	if c.last.nodes != nil && len(c.last.nodes) == 0 { // PreFilter has not looked further than what is against all nodes
		gone = nil
	}
	for _, key := range gone {
		if err := d.remove(ctx, c.pod, f.cluster.pods[key]); err != nil {
			return fmt.Errorf("without pod %s: %w", key, err)
		}
	}
	for i, node := range nodes {
		against, err := d.on(ctx, c.pod, node)
		if err != nil {
			return err
		}
		each(i, against)
	}
	return nil
}

// departure is a judgement as if some pods had gone.
type departure struct {
	f *Filters
	judgement
	nodes map[string]*framework.NodeInfo // those that have lost pods
}

// remove removes a pod, unless it counts nowhere.
func (d *departure) remove(ctx context.Context, pod *corev1.Pod, known *pod) error {
	if known == nil || known.counted == nil {
		return nil
	}
	name := known.counted.Spec.NodeName
	n := d.nodes[name]
	if n == nil {
		n = d.f.cluster.nodes[name].SnapshotConcrete()
		d.nodes[name] = n
	}
	info, err := framework.NewPodInfo(known.counted)
	if err != nil {
		return err
	}
	if err := removePod(d.f.log, n, known.counted); err != nil {
		return err
	}
	if status := d.f.framework.RunPreFilterExtensionRemovePod(ctx, d.state, pod, info, n); !status.IsSuccess() {
		return status.AsError()
	}
	return nil
}

// on reports what keeps a pod off a node then, nil for nothing.
func (d *departure) on(ctx context.Context, pod *corev1.Pod, node string) (*fwk.Status, error) {
	if n := d.nodes[node]; n != nil {
		return d.judgement.of(ctx, d.f, pod, n)
	}
	return d.judgement.on(ctx, d.f, pod, node)
}

// sentence is why a plugin keeps a pod off a node.
func sentence(against *fwk.Status) string {
	text := strings.Join(against.Reasons(), ", ")
	if p := against.Plugin(); p != "" {
		text += " (" + p + ")"
	}
	return text
}

// mostSentences is how many sentences have codes of their own: some name objects of the cluster, which come and go.
const mostSentences = 10_000

// firstCode is that of the first sentence: 1 stands for a missing answer.
const firstCode = 2

// sentences gives sentences codes.
type sentences struct {
	codes map[string]uint32
	texts []string // by code - firstCode
}

// answer is the core's code for what keeps a pod off a node, 0 for nothing: negative where no further pod can change it, and no whole number
// where nothing changes it that goes.
func (s *sentences) answer(against *fwk.Status) float64 {
	if against == nil {
		return 0
	}
	code := float64(s.code(against))
	if against.Code() == fwk.UnschedulableAndUnresolvable {
		code += hopeless
	}
	if stands(against) {
		code = -code
	}
	return code
}

// hopeless makes a code one that is no whole number.
const hopeless = 0.5

// stands reports whether what keeps a pod off a node does so as long as pods come and none goes.
func stands(against *fwk.Status) bool {
	switch against.Plugin() {
	case nodefit.NodeDeclaredFeatures, nodefit.NodePorts, nodefit.VolumeRestrictions, nodefit.VolumeZone:
		return true
	case nodefit.InterPodAffinity:
		return !slices.Contains(against.Reasons(), interpodaffinity.ErrReasonAffinityRulesNotMatch)
	}
	return false
}

// code is the one of a sentence.
func (s *sentences) code(against *fwk.Status) uint32 {
	text := sentence(against)
	code, known := s.codes[text]
	switch {
	case known:
		return code
	case s.codes == nil:
		s.codes = map[string]uint32{}
	case len(s.codes) >= mostSentences:
		return firstCode + mostSentences
	}
	code = uint32(firstCode + len(s.codes))
	s.codes[text], s.texts = code, append(s.texts, text)
	return code
}

// text is the sentence of an answer; empty: it has none.
func (s *sentences) text(answer float64) string {
	if i := int(math.Abs(answer)) - firstCode; i >= 0 && i < len(s.texts) {
		return s.texts[i]
	}
	return ""
}

// Why returns the sentence for a node that a predicate keeps its pods off, as the cluster is now; empty: it does not, or no filter has the
// predicate.
func (f *Filters) Why(predicate, node string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.classes[predicate]
	if c == nil {
		return ""
	}
	var text string
	if err := f.judge(c, []string{node}, func(_ int, against *fwk.Status) {
		if against != nil {
			text = sentence(against)
		}
	}); err != nil {
		return err.Error()
	}
	return text
}
