package translate

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/nodefit"
)

// driver has a scheduler follow the objects of a cluster, and writes what it is told and what it decides.
type driver struct {
	t         tester
	settings  Settings
	scheduler *scheduler.Scheduler
	text      bytes.Buffer

	namespaces map[string]*corev1.Namespace
	classes    map[string]*schedulingv1.PriorityClass
	nodes      []*corev1.Node
	pods       map[string]*corev1.Pod
	inUse      nodefit.InUse
	apps       map[string]*app
	known      map[string]*Known
	selectors  map[string][]*nodefit.Selector // by pod
	refused    []string
}

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// app is what a host keeps of an application.
type app struct {
	gang    *Gang
	first   string // the pod that it began with
	members map[string]int
}

// rules are a configuration in which applications name a queue, or get one by their namespace.
const rules = `
partitions:
- name: default
  placementrules:
  - {name: provided}
  - {name: tag, value: namespace, create: true, parent: {name: tag, value: namespace.parentqueue, create: true}}
  - {name: tag, value: namespace, create: true}
  queues:
  - name: root
    queues: [{name: analytics}, {name: ml}]
`

func newDriver(t tester) *driver {
	d := &driver{t: t, settings: Settings{Schedulers: []string{"quern"}}, scheduler: scheduler.New(core.Options{}), namespaces: map[string]*corev1.Namespace{},
		classes: map[string]*schedulingv1.PriorityClass{}, pods: map[string]*corev1.Pod{}, apps: map[string]*app{}, known: map[string]*Known{}, selectors: map[string][]*nodefit.Selector{}}
	d.scheduler.Advance(0)
	if refused := d.scheduler.Apply(&core.Input{Event: &core.SetConfig{Config: rules}}); refused != core.Accepted {
		t.Fatal(refused)
	}
	d.scheduler.Take()
	return d
}

// input tells the scheduler, and writes what it is told as a journal would.
func (d *driver) input(in core.Input) {
	d.t.Helper()
	in.At = d.scheduler.Now()
	e := journal.NewEncoder(&d.text, journal.Relative)
	if err := e.Entry(&journal.Entry{Input: in, Count: 1}); err != nil || e.Flush() != nil {
		d.t.Fatal(err)
	}
	if refused := d.scheduler.Apply(&in); refused != core.Accepted {
		fmt.Fprintf(&d.text, "  refused: %s\n", refused)
		d.refused = append(d.refused, fmt.Sprintf("%s %s: %s", in.Type(), in.ID(), refused))
	}
}

func (d *driver) node(n *corev1.Node) {
	d.nodes = append(d.nodes, n)
	for _, in := range NodeChange(nil, n, d.inUse.All()) {
		d.input(in)
	}
}

// pod tells the scheduler of a version of a pod; nil: it is deleted.
func (d *driver) pod(key string, current *corev1.Pod) {
	old := d.pods[key]
	of := first(current, old)
	c := &Context{Namespace: d.namespaces[of.Namespace], Class: d.classes[of.Spec.PriorityClassName]}
	id, _ := AppID(of, c)
	a := d.apps[id]
	if stage := d.settings.StageOf(current); a == nil && (stage == Waiting || stage == Placed) {
		a = &app{first: key, members: map[string]int{}}
		group := metadata(&of.ObjectMeta).TaskGroup()
		a.members[group]++
		c.Members = a.members
		var bad []*Problem
		a.gang, bad = GangOf(current, c)
		d.problems(bad)
	}
	k := d.known[key]
	if k == nil {
		k = &Known{}
		d.known[key] = k
	}
	if a != nil {
		c.Gang, c.Starts = a.gang, a.first == key
	}
	k.App = d.apps[id] != nil
	e := d.settings.Change(old, current, *k, c)
	d.problems(e.Problems)
	if e.Ask != nil {
		d.use(e.Ask.Selectors)
	}
	for _, in := range e.Inputs {
		d.input(in)
		switch event := in.Event.(type) {
		case *core.AddApp:
			d.apps[id] = a
			for _, ask := range a.gang.Placeholders(id, current, &Context{}) {
				d.use(ask.Selectors)
				d.input(ask.Input())
			}
		case *core.RemoveAsk, *core.ReleaseAllocation:
			*k = Known{App: k.App}
			d.unuse(d.selectors[key])
			delete(d.selectors, key)
		case *core.AddAsk:
			k.Has, k.Resources = Pending, e.Ask.Resources
			d.selectors[key] = e.Ask.Selectors
		case *core.RestoreAllocation:
			k.Has, k.Resources, k.Node = Allocation, e.Ask.Resources, e.Ask.PlacedOn
			d.selectors[key] = e.Ask.Selectors
		case *core.UpdateAsk:
			k.Resources = event.Resources
		default:
		}
	}
	if d.pods[key] = current; current == nil {
		delete(d.pods, key)
		delete(d.known, key)
	}
	for _, node := range e.Occupied {
		d.input(core.Input{Event: d.settings.Occupied(node, d.all(), nil)})
	}
	d.cycle()
}

func (d *driver) all() (list []*corev1.Pod) {
	for _, pod := range d.pods {
		list = append(list, pod)
	}
	return list
}

// use gives nodes the attributes that an ask needs.
func (d *driver) use(selectors []*nodefit.Selector) {
	before := d.inUse.All()
	if len(d.inUse.Add(selectors)) > 0 {
		d.attributes(before)
	}
}

// unuse takes the attributes away that only one ask needed.
func (d *driver) unuse(selectors []*nodefit.Selector) {
	before := d.inUse.All()
	if len(d.inUse.Remove(selectors)) > 0 {
		d.attributes(before)
	}
}

// attributes tells of nodes whose attributes are others now than those of the selectors before.
func (d *driver) attributes(before []*nodefit.Selector) {
	for _, n := range d.nodes {
		if all := nodefit.Attributes(n, d.inUse.All()); !maps.Equal(all, nodefit.Attributes(n, before)) {
			d.input(core.Input{Event: &core.UpdateNode{ID: n.Name, Attributes: all}})
		}
	}
}

func (d *driver) problems(list []*Problem) {
	for _, p := range list {
		fmt.Fprintf(&d.text, "  problem: %v\n", p)
	}
}

// cycle has the scheduler decide. Placeholders that are replaced have no pods, and leave at once.
func (d *driver) cycle() {
	for again := true; again; {
		again = false
		d.scheduler.Cycle(-1)
		for _, decision := range d.scheduler.Take() {
			switch decision.Type {
			case core.Allocation:
				fmt.Fprintf(&d.text, "  allocation: %s on %s\n", decision.ID, decision.Node)
				if k := d.known[decision.ID]; k != nil {
					k.Has, k.Node = Allocation, decision.Node
				}
			case core.Replaced:
				again = true
				d.input(core.Input{Event: &core.ReleaseAllocation{ID: decision.ID}})
			case core.AskRejected, core.Ignored:
				d.refused = append(d.refused, fmt.Sprintf("%s %s: %s", decision.Type, decision.ID, decision.Message))
			case core.AppState:
				if decision.To == core.StateCompleted {
					delete(d.apps, decision.ID)
				}
			case core.AppAccepted, core.AppRejected:
				fmt.Fprintf(&d.text, "  %s: %s %s %s\n", decision.Type, decision.ID, decision.Queue, decision.Reason)
			}
		}
	}
}

// file tells the scheduler of the objects of a file, in their order.
func (d *driver) file(name string) {
	f, err := os.Open(name)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for decoder := yaml.NewYAMLOrJSONDecoder(f, 4096); ; {
		var raw map[string]any
		if err := decoder.Decode(&raw); err == io.EOF {
			return
		} else if err != nil {
			d.t.Fatal(err)
		}
		if raw == nil { // a comment
			continue
		}
		text, err := sigsyaml.Marshal(raw)
		if err != nil {
			d.t.Fatal(err)
		}
		d.object(fmt.Sprint(raw["kind"]), text)
	}
}

func (d *driver) object(kind string, text []byte) {
	switch kind {
	case "Namespace":
		n := decoded[corev1.Namespace](d.t, text)
		d.namespaces[n.Name] = n
	case "PriorityClass":
		c := decoded[schedulingv1.PriorityClass](d.t, text)
		d.classes[c.Name] = c
	case "Node":
		d.node(decoded[corev1.Node](d.t, text))
	case "Pod":
		pod := decoded[corev1.Pod](d.t, text)
		d.pod(Key(pod), pod)
	default:
		d.t.Fatalf("unknown kind %s", kind)
	}
}

// decoded reads an object as strictly as the API server.
func decoded[T any](t tester, text []byte) *T {
	t.Helper()
	o := new(T)
	if err := sigsyaml.UnmarshalStrict(text, o); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o
}

// nodeOf returns where pods whose names begin with a prefix are allocated, sorted.
func (d *driver) nodesOf(prefix string) (list []string) {
	for key, k := range d.known {
		if strings.HasPrefix(key, prefix) && k.Node != "" {
			list = append(list, k.Node)
		}
	}
	slices.Sort(list)
	return list
}
