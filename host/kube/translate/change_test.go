package translate

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

var quernOnly = Settings{Schedulers: []string{"quern"}}

// line writes inputs as a journal has them, without what does not matter here.
func line(t *testing.T, inputs []core.Input) string {
	t.Helper()
	var b bytes.Buffer
	e := journal.NewEncoder(&b, journal.Relative)
	for _, in := range inputs {
		if ask := in.Ask(); ask != nil {
			ask.Constraints = nil
		}
		if err := e.Entry(&journal.Entry{Input: in, Count: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(b.String()), `{"at":"0s","type":`, ""), "}\n", "}; ")
}

func TestWhatAChangeOfAPodCallsFor(t *testing.T) {
	const small, large = "{cpu: 1}", "{cpu: 2}"
	pod := func(more, requests string) *corev1.Pod {
		return podFrom(t, "spec: {schedulerName: quern, containers: [{name: c, resources: {requests: "+requests+"}}]"+more+"}")
	}
	with := func(p *corev1.Pod, change func(*corev1.Pod)) *corev1.Pod {
		p = p.DeepCopy()
		change(p)
		return p
	}
	waiting, bigger := pod("", small), pod("", large)
	gated := pod(", schedulingGates: [{name: g}]", small)
	onN1, onN2, biggerOnN1 := pod(", nodeName: n1", small), pod(", nodeName: n2", small), pod(", nodeName: n1", large)
	terminating := func(p *corev1.Pod) *corev1.Pod {
		return with(p, func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} })
	}
	succeeded := with(onN1, func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
	failed := with(onN1, func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed })
	tolerant := with(waiting, func(p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{{Key: "gpu"}} })
	anew := with(waiting, func(p *corev1.Pod) { p.UID = "v" })
	foreign := with(onN1, func(p *corev1.Pod) { p.Spec.SchedulerName = "other" })
	foreignBigger := with(biggerOnN1, func(p *corev1.Pod) { p.Spec.SchedulerName = "other" })

	one := PodAmounts(waiting)
	none, pending := Known{App: true}, Known{App: true, Has: Pending, Resources: one}
	allocated := Known{App: true, Has: Allocation, Resources: one, Node: "n1"}
	const (
		app     = `"app.add","id":"ns/p","tags":{"namespace":"ns"}}; `
		forced  = `"app.add","id":"ns/p","tags":{"application.create.force":"true","namespace":"ns"}}; `
		ask     = `"ask.add","id":"ns/p","app":"ns/p","resources":{"pods":1,"vcore":"1000m"}}`
		onOne   = `"allocation.restore","id":"ns/p","app":"ns/p","resources":{"pods":1,"vcore":"1000m"},"placed_on":"n1"}`
		release = `"allocation.release","id":"ns/p"}`
		lost    = `"allocation.release","id":"ns/p","failed":true}`
		remove  = `"ask.remove","id":"ns/p"}`
	)
	for name, c := range map[string]struct {
		old, current *corev1.Pod
		known        Known
		want         string
		occupied     []string
	}{
		"it comes":                                   {nil, waiting, Known{}, app + ask, nil},
		"it comes to an application":                 {nil, waiting, none, ask, nil},
		"it comes with gates":                        {nil, gated, Known{}, "", nil},
		"its gates are gone":                         {gated, waiting, none, ask, nil},
		"nothing changes":                            {waiting, waiting, pending, "", nil},
		"it asks for more":                           {waiting, bigger, pending, `"ask.update","id":"ns/p","resources":{"pods":1,"vcore":"2000m"}}`, nil},
		"it tolerates more":                          {waiting, tolerant, pending, remove + "; " + ask, nil},
		"it is withdrawn":                            {waiting, nil, pending, remove, nil},
		"it terminates before it was placed":         {waiting, terminating(waiting), pending, remove, nil},
		"it is deleted while it is bound":            {waiting, nil, allocated, lost, nil},
		"its binding is under way":                   {waiting, waiting, allocated, "", nil},
		"it is bound":                                {waiting, onN1, allocated, "", nil},
		"it is bound by somebody else":               {waiting, onN1, pending, remove + "; " + onOne, nil},
		"it is bound elsewhere":                      {waiting, onN2, allocated, lost + "; " + strings.ReplaceAll(onOne, "n1", "n2"), nil},
		"it is found on a node":                      {nil, onN1, Known{}, forced + onOne, nil},
		"it is found where it is known to be":        {nil, onN1, allocated, "", nil},
		"it is found with other amounts after a gap": {nil, biggerOnN1, allocated, lost + "; " + strings.ReplaceAll(onOne, "1000m", "2000m"), nil},
		"it is resized":                              {onN1, biggerOnN1, allocated, lost + "; " + strings.ReplaceAll(onOne, "1000m", "2000m"), nil},
		"it terminates":                              {onN1, terminating(onN1), allocated, "", nil},
		"it succeeds":                                {onN1, succeeded, allocated, release, nil},
		"it fails":                                   {terminating(onN1), failed, allocated, lost, nil},
		"it is deleted after its end":                {succeeded, nil, none, "", nil},
		"it is deleted":                              {terminating(onN1), nil, allocated, lost, nil},
		"it is made anew between two looks":          {onN1, anew, allocated, lost + "; " + ask, nil},
		"a foreign pod comes":                        {nil, foreign, Known{}, "", []string{"n1"}},
		"a foreign pod is resized":                   {foreign, foreignBigger, Known{}, "", []string{"n1"}},
		"a foreign pod terminates":                   {foreign, terminating(foreign), Known{}, "", nil},
		"a foreign pod is gone":                      {foreign, nil, Known{}, "", []string{"n1"}},
		"a foreign pod gives way to one of ours":     {foreign, anew, none, ask, []string{"n1"}},
	} {
		e := quernOnly.Change(c.old, c.current, c.known, &Context{})
		if got := line(t, e.Inputs); got != c.want || !slices.Equal(e.Occupied, c.occupied) {
			t.Errorf("%s:\ngot  %s, occupied %v\nwant %s, occupied %v", name, got, e.Occupied, c.want, c.occupied)
		}
	}
}

func TestWhichPodsAreScheduled(t *testing.T) {
	for text, want := range map[string]Stage{
		"spec: {schedulerName: quern}":                                                   Waiting,
		"spec: {schedulerName: quern, nodeName: n}":                                      Placed,
		"spec: {schedulerName: default-scheduler}":                                       Gone,
		"spec: {schedulerName: default-scheduler, nodeName: n}":                          Foreign,
		"spec: {schedulerName: quern, nodeName: n}\nstatus: {phase: Failed}":             Gone,
		"spec: {schedulerName: default-scheduler, nodeName: n}\nstatus: {phase: Failed}": Gone,
		"spec: {schedulerName: quern, schedulingGates: [{name: g}]}":                     Gone,
	} {
		if got := quernOnly.StageOf(podFrom(t, text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	owned := func(kind, spec string) *corev1.Pod {
		p := podFrom(t, "spec: {schedulerName: quern, "+spec+"}")
		p.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: "o"}}
		return p
	}
	if got := quernOnly.StageOf(owned("Node", "nodeName: n")); got != Foreign {
		t.Errorf("a static pod is %d", got)
	}
	if got := quernOnly.StageOf(owned("DaemonSet", "")); got != Waiting {
		t.Errorf("a pod of a DaemonSet that names this scheduler is %d", got)
	}
}

func TestWhatAChangeOfANodeCallsFor(t *testing.T) {
	node := func(text string) *corev1.Node {
		return decoded[corev1.Node](t, []byte("{metadata: {name: n1, labels: {zone: a}}, "+text+"}"))
	}
	plain := node("status: {allocatable: {cpu: 4}}")
	larger := node("status: {allocatable: {cpu: 8}}")
	cordoned := node("spec: {unschedulable: true}, status: {allocatable: {cpu: 4}}")
	beaten := node("status: {allocatable: {cpu: 4}, conditions: [{type: Ready, status: \"True\"}]}")
	ask, _ := quernOnly.AskOf(podFrom(t, "spec: {schedulerName: quern}"), &Context{})
	const taints = `"untolerated taints without tolerations":`
	for name, c := range map[string]struct {
		old, current *corev1.Node
		want         string
	}{
		"it comes":            {nil, plain, `"node.add","id":"n1","capacity":{"vcore":"4000m"},"attributes":{` + taints + `"none","zone":"a"}}`},
		"its kubelet is seen": {plain, beaten, ""},
		"it grows":            {plain, larger, `"node.update","id":"n1","capacity":{"vcore":"8000m"}}`},
		"it is cordoned":      {plain, cordoned, `"node.update","id":"n1","attributes":{` + taints + `"node.kubernetes.io/unschedulable:NoSchedule","zone":"a"}}`},
		"it has nothing left": {plain, node("status: {}"), `"node.update","id":"n1","capacity":{}}`},
		"it is gone":          {plain, nil, `"node.remove","id":"n1"}`},
		"it was never there":  {nil, nil, ""},
	} {
		if got := line(t, NodeChange(c.old, c.current, ask.Selectors)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}
