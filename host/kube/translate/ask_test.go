package translate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kubelabels"
)

// marked is a pod with the rest of its metadata, and its spec.
func marked(t *testing.T, metadata, spec string) *corev1.Pod {
	t.Helper()
	if !strings.Contains(spec, "schedulerName") {
		spec = "schedulerName: quern, " + spec
	}
	return decoded[corev1.Pod](t, []byte("metadata: {name: p, namespace: ns, uid: u, "+metadata+"}\nspec: {"+spec+"}"))
}

const (
	daemon  = "ownerReferences: [{apiVersion: v1, kind: DaemonSet, name: d, uid: o, controller: true}]"
	ofAJob  = "ownerReferences: [{apiVersion: v1, kind: Job, name: train, uid: o, controller: true}]"
	ordered = "ownerReferences: [{apiVersion: v1, kind: StatefulSet, name: db, uid: o, controller: true}]"
	ofAPod  = "ownerReferences: [{apiVersion: v1, kind: Pod, name: driver, uid: o}]"
)

// schedulerOfYuniKorn ends the metadata of a pod that names that scheduler; the rest of its spec follows.
const schedulerOfYuniKorn = " for YuniKorn"

func TestWhichApplicationAPodBelongsTo(t *testing.T) {
	generating := decoded[corev1.Namespace](t, []byte(`metadata: {name: ns, annotations: {yunikorn.apache.org/namespace.generateAppId: "true"}}`))
	for name, c := range map[string]struct {
		metadata  string
		namespace *corev1.Namespace
		want      string
		bad       bool
	}{
		"named":                         {`labels: {yunikorn.apache.org/app-id: a}`, nil, "a", false},
		"by Spark":                      {`labels: {spark-app-selector: spark-1}`, generating, "spark-1", false},
		"by its controller":             {ofAJob, nil, "ns/train", false},
		"by nobody":                     {`labels: {}`, nil, "ns/p", false},
		"by its namespace":              {ofAJob, generating, "yunikorn-ns-autogen", false},
		"by YuniKorn's name":            {ofAJob + schedulerOfYuniKorn, nil, "yunikorn-ns-autogen", false},
		"of a task group, for YuniKorn": {ofAJob + ", annotations: {yunikorn.apache.org/task-group-name: w}" + schedulerOfYuniKorn, nil, "ns/train", false},
		"of a pod group, for YuniKorn":  {ofAJob + schedulerOfYuniKorn + ", schedulingGroup: {podGroupName: g}", nil, "ns/g", false},
		"named, for YuniKorn":           {`labels: {applicationId: a}` + schedulerOfYuniKorn, nil, "a", false},
		"by a name that is too long":    {ofAJob + `, annotations: {yunikorn.apache.org/app-id: ` + strings.Repeat("x", 600) + `}`, nil, "ns/train", true},
		"by a name with a line end":     {`annotations: {yunikorn.apache.org/app-id: "a\nb"}`, nil, "ns/p", true},
	} {
		metadata, spec, _ := strings.Cut(c.metadata, schedulerOfYuniKorn)
		if strings.Contains(c.metadata, schedulerOfYuniKorn) {
			spec = "schedulerName: yunikorn" + spec
		}
		id, bad := AppID(marked(t, metadata, spec), &Context{Namespace: c.namespace})
		if id != c.want || (len(bad) > 0) != c.bad {
			t.Errorf("%s: %q, %v, want %q", name, id, bad, c.want)
		}
	}
}

func TestApp_QueueFromPodOrSettings(t *testing.T) {
	withDefault := Settings{Schedulers: []string{"quern"}, Queue: "root.default"}
	for metadata, want := range map[string]string{"labels: {queue: root.a}": "root.a", "labels: {}": "root.default"} {
		if in, _ := withDefault.Application(marked(t, metadata, ""), &Context{}); in.Queue != want {
			t.Errorf("%s: %s", metadata, in.Queue)
		}
	}
}

func TestApplication_BesideOthersOfAStateawareQueue(t *testing.T) {
	for metadata, want := range map[string]string{`labels: {disableStateAware: "true"}`: "true", "labels: {}": ""} {
		if in, _ := quernOnly.Application(marked(t, metadata, ""), &Context{}); in.Tags["application.stateaware.disable"] != want {
			t.Errorf("%s: %v", metadata, in.Tags)
		}
	}
}

func TestPriorityAndPreemption(t *testing.T) {
	class := decoded[schedulingv1.PriorityClass](t, []byte(`{metadata: {name: c, annotations: {yunikorn.apache.org/allow-preemption: "false"}}, value: 7}`))
	no, yes := `annotations: {yunikorn.apache.org/allow-preemption: "false"}`, `annotations: {yunikorn.apache.org/allow-preemption: "true"}`
	for name, c := range map[string]struct {
		metadata, spec string
		context        Context
		want           core.Ask
	}{
		"a plain pod":                        {"", "", Context{}, core.Ask{}},
		"a priority":                         {"", "priority: -5", Context{}, core.Ask{Priority: -5}},
		"it preempts nobody":                 {"", "preemptionPolicy: Never", Context{}, core.Ask{NoPreemptOthers: true}},
		"it preempts lower priorities":       {"", "preemptionPolicy: PreemptLowerPriority", Context{}, core.Ask{}},
		"it is not preempted":                {no, "", Context{}, core.Ask{NotPreemptable: true}},
		"its class is not preempted":         {"", "", Context{Class: class}, core.Ask{NotPreemptable: true}},
		"it goes before its class":           {yes, "", Context{Class: class}, core.Ask{}},
		"the first of its application":       {"", "", Context{Starts: true}, core.Ask{Originator: true}},
		"the first, made by a pod":           {ofAPod, "", Context{Starts: true}, core.Ask{}},
		"a driver that comes late":           {"labels: {spark-role: driver}", "", Context{}, core.Ask{Originator: true}},
		"an executor that comes first":       {"labels: {spark-role: executor}", "", Context{Starts: true}, core.Ask{}},
		"a node that the DaemonSet wants":    {daemon, "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}", Context{}, core.Ask{Node: "n1"}},
		"a task group without a gang":        {"annotations: {yunikorn.apache.org/task-group-name: g}", "", Context{}, core.Ask{}},
		"a priority from the time before it": {"", "priority: null", Context{}, core.Ask{}},
	} {
		ask, bad := quernOnly.AskOf(marked(t, c.metadata, c.spec), &c.context)
		got := ask.AddAsk.Ask
		got.Constraints = nil
		if got.Priority != c.want.Priority || got.NoPreemptOthers != c.want.NoPreemptOthers || got.NotPreemptable != c.want.NotPreemptable ||
			got.Originator != c.want.Originator || got.Node != c.want.Node || got.TaskGroup != "" || got.Gang != nil || bad != nil {
			t.Errorf("%s: %+v, %v", name, got, bad)
		}
	}
}

func TestAPodSaysWhichPluginsHaveToBeAsked(t *testing.T) {
	for spec, want := range map[string][]string{
		"nodeSelector: {disk: ssd}": nil,
		"containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}], topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]": {nodefit.NodePorts, nodefit.PodTopologySpread},
	} {
		if ask, _ := quernOnly.AskOf(marked(t, "", spec), &Context{}); !slices.Equal(ask.Plugins, want) {
			t.Errorf("%s: %v", spec, ask.Plugins)
		}
	}
	near := &Context{Cluster: nodefit.Cluster{Devices: map[string]bool{"example.com/gpu": true}}}
	if ask, _ := quernOnly.AskOf(marked(t, "", "containers: [{name: c, resources: {requests: {example.com/gpu: 1}}}]"), near); !slices.Equal(ask.Plugins, []string{nodefit.DynamicResources}) {
		t.Error(ask.Plugins)
	}
}

func TestAGangIsAtomicWhereItsPodsComeTogether(t *testing.T) {
	const two = `annotations: {yunikorn.apache.org/task-group-name: w, yunikorn.apache.org/schedulingPolicyParameters: placeholderTimeoutInSeconds=30,
		yunikorn.apache.org/task-groups: '[{"name":"w","minMember":2,"minResource":{"cpu":1}},{"name":"ps","minMember":1,"minResource":{"cpu":2,"memory":1}}]'}`
	const one = `annotations: {yunikorn.apache.org/task-group-name: w, yunikorn.apache.org/task-groups: '[{"name":"w","minMember":2,"minResource":{"cpu":1}}]'}`
	for name, c := range map[string]struct {
		metadata string
		members  map[string]int
		atomic   bool
	}{
		"a job makes its pods at once":                    {one + ", " + ofAJob, map[string]int{"w": 1}, true},
		"the pods of a stateful set wait for one another": {one + ", " + ordered, map[string]int{"w": 1}, false},
		"a driver makes the others":                       {one + ", labels: {spark-role: driver}, " + ofAJob, map[string]int{"w": 1}, false},
		"a pod that nothing controls":                     {one, map[string]int{"w": 1}, false},
		"all are there":                                   {one, map[string]int{"w": 2}, true},
		"another group is missing":                        {two + ", " + ofAJob, map[string]int{"w": 1}, false},
		"the other group is there":                        {two + ", " + ofAJob, map[string]int{"w": 1, "ps": 1}, true},
	} {
		pod := marked(t, c.metadata, "priority: 3")
		g, bad := GangOf(pod, &Context{Members: c.members})
		if g == nil || g.Atomic != c.atomic || bad != nil {
			t.Errorf("%s: %+v, %v", name, g, bad)
			continue
		}
		ask, _ := quernOnly.AskOf(pod, &Context{Gang: g})
		app, _ := quernOnly.Application(pod, &Context{Gang: g})
		asks := g.Placeholders("a", pod, &Context{})
		if c.atomic && (ask.Gang == nil || ask.TaskGroup != "w" || app.Placeholders != nil || asks != nil) ||
			!c.atomic && (ask.Gang != nil || ask.TaskGroup != "w" || app.Placeholders == nil || len(asks) != g.Min()) {
			t.Errorf("%s: %+v, %+v, %d placeholders", name, ask.AddAsk.Ask, app.Placeholders, len(asks))
		}
	}
	g, _ := GangOf(marked(t, two, ""), &Context{})
	p := g.placeholders()
	if want := setOf(map[string]int64{"vcore": 4000, "memory": 1, "pods": 3}); !slices.Equal(p.Ask, want) || p.Timeout != 30*time.Second || p.Hard {
		t.Errorf("%+v", p)
	}
	g.Atomic = true
	ask, _ := quernOnly.AskOf(marked(t, two, ""), &Context{Gang: g})
	if got := ask.Gang; *got != (core.Gang{ID: kubelabels.TaskGroupsID, Min: 3, Timeout: 30 * time.Second, Fallback: true}) {
		t.Errorf("%+v", got)
	}
}

func TestAsk_Movable(t *testing.T) {
	for text, want := range map[string]string{"true": "", "false": "", "yes": `expected "true" or "false", found "yes"`} {
		ask, bad := quernOnly.AskOf(marked(t, `annotations: {yunikorn.apache.org/movable: "`+text+`"}`, ""), &Context{})
		if ask.Movable != (text == "true") || (len(bad) > 0) != (want != "") || len(bad) > 0 && !strings.Contains(fmt.Sprint(bad), want) {
			t.Errorf("%s: %v, %v", text, ask.Movable, bad)
		}
	}
}

func TestGang_WhatBecomesOfItOnceItRuns(t *testing.T) {
	group := "trainers"
	for parameters, want := range map[string]core.Gang{
		"":                      {},
		"gangDisruption=unit":   {},
		"gangDisruption=whole":  {Disruption: core.DisruptWhole},
		"gangDisruption=member": {Disruption: core.DisruptMember},
		"gangRepairInSeconds=0": {Repair: core.Repair{Bounded: true}},
		"gangMaxMembers=8":      {Max: 8},
		"gangMaxMembers=1":      {Max: 2}, // not below the minimum
		"gangRepairInSeconds=600 gangSchedulingStyle=Hard": {Repair: core.Repair{Bounded: true, Within: 10 * time.Minute}},
	} {
		pod := marked(t, `annotations: {yunikorn.apache.org/task-group-name: w, yunikorn.apache.org/task-groups: '[{"name":"w","minMember":2}]',
			yunikorn.apache.org/schedulingPolicyParameters: "`+parameters+`"}, `+ofAJob, "")
		g, _ := GangOf(pod, &Context{Members: map[string]int{"w": 2}})
		ask, bad := quernOnly.AskOf(pod, &Context{Gang: g})
		if ask.Gang.Disruption != want.Disruption || ask.Gang.Repair != want.Repair || ask.Gang.Max != want.Max || len(bad) > 0 {
			t.Errorf("%q: %+v, %v", parameters, ask.Gang, bad)
		}
		if g.Atomic = false; g.placeholders().Unit != (parameters == "gangDisruption=unit") {
			t.Errorf("%q, with placeholders: %+v", parameters, g.placeholders())
		}
		pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group} // says itself what preemption may take
		ask, bad = quernOnly.AskOf(pod, &Context{PodGroup: &podgroup.Group{Name: group, Gang: true, MinCount: 2}})
		if ask.Gang.Disruption != core.DisruptMember || ask.Gang.Repair != want.Repair || ask.Gang.Max != want.Max || ask.Gang.Timeout != 0 || len(bad) > 0 {
			t.Errorf("%q, of a pod group: %+v, %v", parameters, ask.Gang, bad)
		}
	}
}

func TestGang_MembersOfAGroupThatNeedsNone(t *testing.T) {
	const groups = `, yunikorn.apache.org/task-groups: '[{"name":"w","minMember":2,"minResource":{"cpu":1}},{"name":"spare","minMember":0,"minResource":{"gpu":1}}]'}`
	of := func(group string) *corev1.Pod {
		return marked(t, "annotations: {yunikorn.apache.org/task-group-name: "+group+groups+", "+ofAJob, "")
	}
	g, bad := GangOf(of("w"), &Context{Members: map[string]int{"w": 2}})
	if g == nil || !g.Atomic || g.Min() != 2 || bad != nil {
		t.Fatalf("%+v, %v", g, bad)
	}
	worker, _ := quernOnly.AskOf(of("w"), &Context{Gang: g})
	spare, wrong := quernOnly.AskOf(of("spare"), &Context{Gang: g})
	if worker.Gang == nil || spare.Gang != nil || wrong != nil {
		t.Errorf("%+v, %+v, %v", worker.AddAsk.Ask, spare.AddAsk.Ask, wrong)
	}
	g.Atomic = false
	if ask, n := g.placeholders().Ask, len(g.Placeholders("a", of("w"), &Context{})); n != 2 || !slices.Equal(ask, setOf(map[string]int64{"vcore": 2000, "pods": 2})) {
		t.Errorf("%d placeholders of %v", n, ask)
	}
	if spare, _ := quernOnly.AskOf(of("spare"), &Context{Gang: g}); spare.TaskGroup != "spare" {
		t.Errorf("%+v", spare.AddAsk.Ask)
	}
	alone, _ := GangOf(marked(t, `annotations: {yunikorn.apache.org/task-group-name: w, yunikorn.apache.org/task-groups: '[{"name":"w","minMember":0}]'}`, ""), &Context{})
	if ask, _ := quernOnly.AskOf(of("w"), &Context{Gang: alone}); ask.Gang != nil || alone.placeholders() != nil {
		t.Errorf("%+v", ask.AddAsk.Ask)
	}
}

// Whatever stands in annotations, the scheduler takes the pod.
func FuzzAnnotatedPods(f *testing.F) {
	f.Add("app", "root.analytics", `{"user":"ann"}`, "w", `[{"name":"w","minMember":1,"minResource":{"cpu":"1"}}]`, "gangSchedulingStyle=Hard", "false", `{"cpu":"4"}`)
	f.Add("", "root..x", `{`, "w", `[{"name":"w","minMember":0}]`, "placeholderTimeoutInSeconds=-1", "x", `{"cpu":"-1"}`)
	f.Fuzz(func(t *testing.T, app, queue, user, group, groups, parameters, may, quota string) {
		const domain = "yunikorn.apache.org/"
		annotations := map[string]string{domain + "app-id": app, domain + "queue": queue, domain + "user.info": user, domain + "task-group-name": group, domain + "task-groups": groups,
			domain + "schedulingPolicyParameters": parameters, domain + "allow-preemption": may}
		pod := marked(t, "", "containers: [{name: c, resources: {requests: {cpu: 1}}}]")
		pod.Annotations = annotations
		namespace := decoded[corev1.Namespace](t, []byte("metadata: {name: ns}"))
		namespace.Annotations = map[string]string{domain + "quota": quota, domain + "maxApps": parameters}
		c := &Context{Namespace: namespace, Members: map[string]int{group: 1}}
		c.Gang, _ = GangOf(pod, c)
		if c.Gang != nil && c.Gang.Min() > 1000 {
			t.Skip("too many placeholders to wait for")
		}
		d := newDriver(t)
		d.scheduler.Apply(&core.Input{Event: &core.AddNode{ID: "n", Capacity: setOf(map[string]int64{"vcore": 4000, "pods": 9})}})
		e := quernOnly.Change(nil, pod, Known{}, c)
		for i := range e.Inputs {
			d.scheduler.Apply(&e.Inputs[i])
		}
		accepted := false
		for _, decision := range d.scheduler.Take() {
			switch decision.Type {
			case core.AppAccepted:
				accepted = true
			case core.AskRejected, core.AppRejected:
				switch decision.Reason {
				case core.ReasonNotPlaced, core.ReasonUnknownApplication, core.ReasonGangTooLarge, core.ReasonGangSortPolicy:
				default:
					t.Errorf("%s: %s", decision.Reason, decision.Message)
				}
			}
		}
		if queue == "" && !accepted && c.Gang == nil {
			t.Errorf("the application was not placed by its namespace: %v", e.Inputs[0])
		}
	})
}
