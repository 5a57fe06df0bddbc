package kubernetes

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/importing/importtest"
)

// imported is the journal of listings without its first line, the tally, and the errors.
func imported(t importtest.Reporter, o Options, listings ...string) (text, tally string, err error) {
	t.Helper()
	return skipping(t, 0, o, listings...)
}

// skipping is imported, with so many bad objects left out.
func skipping(t importtest.Reporter, bad int, o Options, listings ...string) (text, tally string, err error) {
	t.Helper()
	return importtest.Journal(t, importing.Options{SkipBad: bad}, importing.Layout{Dates: true}, func(s *importing.Sink) error {
		r := NewReader(s, o)
		for i, listing := range listings {
			if err := r.Read(strings.NewReader(listing), fmt.Sprintf("l%d.json", i+1)); err != nil {
				return err
			}
		}
		return r.Give()
	})
}

// aNode is a node with more fields of its metadata, its spec and its status.
func aNode(name, metadata, spec, allocatable string) string {
	return fmt.Sprintf(`{"kind":"Node","metadata":{"name":%q%s},"spec":{%s},"status":{"allocatable":{%s}}}`, name, metadata, spec, allocatable)
}

// aPod is a pod of one container of a core, made so many seconds after nine.
func aPod(name string, seconds int, metadata, spec string) string {
	if !strings.Contains(spec, `"containers"`) {
		spec = strings.TrimSuffix(`"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}],`+spec, ",")
	}
	return fmt.Sprintf(`{"kind":"Pod","metadata":{"namespace":"ns","name":%q,"creationTimestamp":"2026-03-01T09:00:%02dZ"%s},"spec":{%s},"status":{"phase":"Pending"}}`, name, seconds, metadata, spec)
}

func list(objects ...string) string {
	return `{"apiVersion":"v1","items":[` + strings.Join(objects, ",\n") + `],"kind":"List"}`
}

// line is the line of the journal about an ID.
func line(t *testing.T, text, id string) string {
	t.Helper()
	for l := range strings.Lines(text) {
		if strings.Contains(l, `"id":"`+id+`"`) {
			return strings.TrimSpace(l)
		}
	}
	t.Errorf("nothing about %s in\n%s", id, text)
	return ""
}

func TestPods_RunningBeforeWaiting(t *testing.T) {
	text, tally, err := imported(t, Options{}, list(
		aPod("waits", 1, "", ""),
		aNode("n", `,"labels":{"zone":"a"}`, `"unschedulable":true,"taints":[{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}]`, `"cpu":"7910m","memory":"1Ki","pods":"110","hugepages-2Mi":"0"`),
		aPod("runs", 2, `,"ownerReferences":[{"kind":"ReplicaSet","name":"web-1","controller":true}]`, `"nodeName":"n","priority":5,"preemptionPolicy":"Never"`),
		aPod("lost", 3, "", `"nodeName":"gone"`),
		strings.Replace(aPod("over", 9, "", `"nodeName":"n"`), "Pending", "Succeeded", 1),
		aPod("gated", 4, "", `"schedulingGates":[{"name":"wait"}]`),
		`{"kind":"Service","metadata":{"name":"s"}}`,
	))
	const want = `{"at":"2026-03-01T09:00:02Z","type":"node.add","id":"n","capacity":{"memory":1024,"pods":110,"vcore":"7910m"},"attributes":{"zone":"a"},"schedulable":false}
{"at":"2026-03-01T09:00:02Z","type":"app.add","id":"ns/web-1","queue":"root.ns","tags":{"namespace":"ns"}}
{"at":"2026-03-01T09:00:02Z","type":"allocation.restore","id":"ns/runs","app":"ns/web-1","resources":{"pods":1,"vcore":"1000m"},"priority":5,"preempt_others":false,"placed_on":"n"}
{"at":"2026-03-01T09:00:04Z","type":"app.add","id":"ns/waits","queue":"root.ns","tags":{"namespace":"ns"}}
{"at":"2026-03-01T09:00:04Z","type":"ask.add","id":"ns/waits","app":"ns/waits","resources":{"pods":1,"vcore":"1000m"}}
`
	if err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	const counted = `taken: 1 node, 2 applications, 1 ask, 1 allocation
left out: 1 pod: ended
left out: 1 object: kind is not Node, Pod, Namespace, PriorityClass or PodGroup
left out: 1 pod: node not in the listing
left out: 1 pod: held by scheduling gates`
	if tally != counted {
		t.Errorf("got\n%s", tally)
	}
}

func TestListingsMayBeSplitAndComeInAllFormsOfKubectl(t *testing.T) {
	node, pod := aNode("n", "", "", `"cpu":"4"`), aPod("p", 1, "", `"nodeName":"n"`)
	want, _, err := imported(t, Options{}, list(node, pod))
	if err != nil || !strings.Contains(want, `"placed_on":"n"`) {
		t.Fatalf("%v\n%s", err, want)
	}
	untyped := strings.Replace(pod, `"kind":"Pod",`, "", 1)
	for name, listings := range map[string][]string{
		"two files":            {list(pod), list(node)},
		"one after the other":  {node + "\n" + pod + "\n"},
		"a plain list":         {"[" + node + "," + pod + "]"},
		"a list of one kind":   {`{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[` + untyped + `]}`, node},
		"lists without a null": {list(node, pod), `{"kind":"PodList","items":null}`},
	} {
		if text, _, err := imported(t, Options{}, listings...); err != nil || text != want {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

func TestRequestsAreCountedAsKubernetesCounts(t *testing.T) {
	requests := func(name, amounts, more string) string {
		return fmt.Sprintf(`{"name":%q,"resources":{"requests":{%s}}%s}`, name, amounts, more)
	}
	const sidecar = `,"restartPolicy":"Always"`
	status := func(fields string) string { return `@"phase":"Pending",` + fields }
	for _, c := range []struct{ name, spec, want string }{
		{"containers add up", `"containers":[` + requests("a", `"cpu":"100m","memory":"1Gi"`, "") + `,` + requests("b", `"cpu":0.5,"memory":"128974848"`, "") + `]`, `{"memory":1202716672,"pods":1,"vcore":"600m"}`},
		{"quantities of all forms", `"containers":[` + requests("a", `"cpu":"1e3m","memory":"1e3","nvidia.com/gpu":"2","ephemeral-storage":"1k"`, "") + `]`, "error"},
		{"exponents", `"containers":[` + requests("a", `"cpu":2e0,"memory":"1e3","nvidia.com/gpu":"2","ephemeral-storage":"1k"`, "") + `]`, `{"ephemeral-storage":1000,"memory":1000,"nvidia.com/gpu":2,"pods":1,"vcore":"2000m"}`},
		{"fractions are rounded up", `"containers":[` + requests("a", `"cpu":"1500u","memory":"100m"`, "") + `]`, `{"memory":1,"pods":1,"vcore":"2m"}`},
		{"no requests", `"containers":[{"name":"a"}]`, `{"pods":1}`},
		{"a large step of the start", `"containers":[` + requests("a", `"cpu":"1","memory":"2"`, "") + `],"initContainers":[` + requests("i", `"cpu":"3","memory":"1"`, "") + `]`, `{"memory":2,"pods":1,"vcore":"3000m"}`},
		{"sidecars run beside what follows them", `"containers":[` + requests("a", `"cpu":"1"`, "") + `],"initContainers":[` + requests("i", `"cpu":"2"`, "") + `,` + requests("s", `"cpu":"500m"`, sidecar) + `,` + requests("j", `"cpu":"2"`, "") + `]`, `{"pods":1,"vcore":"2500m"}`},
		{"sidecars add to containers", `"containers":[` + requests("a", `"cpu":"1"`, "") + `],"initContainers":[` + requests("s", `"cpu":"500m"`, sidecar) + `]`, `{"pods":1,"vcore":"1500m"}`},
		{"overhead", `"overhead":{"cpu":"250m"},"containers":[` + requests("a", `"cpu":"1"`, "") + `]`, `{"pods":1,"vcore":"1250m"}`},
		{"the pod as a whole", `"resources":{"requests":{"cpu":"5"}},"overhead":{"cpu":"1"},"containers":[` + requests("a", `"cpu":"1","memory":"7"`, "") + `]`, `{"memory":7,"pods":1,"vcore":"6000m"}`},
		{"resized to less", `"containers":[` + requests("a", `"cpu":"1"`, "") + `]` + status(`"containerStatuses":[{"name":"a","allocatedResources":{"cpu":"2"},"resources":{"requests":{"cpu":"3"}}}]`), `{"pods":1,"vcore":"3000m"}`},
		{"resized to more than can be", `"containers":[` + requests("a", `"cpu":"9"`, "") + `]` + status(`"conditions":[{"type":"PodResizePending","reason":"Infeasible"}],"containerStatuses":[{"name":"a","allocatedResources":{"cpu":"2"}}]`), `{"pods":1,"vcore":"2000m"}`},
	} {
		spec, more, _ := strings.Cut(c.spec, "@")
		pod := aPod("p", 1, "", spec)
		if more != "" {
			pod = strings.Replace(pod, `"phase":"Pending"`, more, 1)
		}
		text, _, err := imported(t, Options{}, list(pod))
		if c.want == "error" {
			if err == nil {
				t.Errorf("%s: an error was expected", c.name)
			}
			continue
		}
		if err != nil || !strings.Contains(text, `"resources":`+c.want) {
			t.Errorf("%s: %v, want %s in\n%s", c.name, err, c.want, text)
		}
	}
}

func TestPod_AppQueueAndUserFromLabels(t *testing.T) {
	const domain = "yunikorn.apache.org/"
	labels := func(all string) string { return `,"labels":{` + all + `}` }
	annotations := func(all string) string { return `,"annotations":{` + all + `}` }
	namespaces := `{"kind":"Namespace","metadata":{"name":"ns","annotations":{"` + domain + `parentqueue":"root.teams","` + domain + `namespace.quota":"{\"cpu\":\"4\",\"nvidia.com/gpu\":\"0\"}","` +
		domain + `guaranteed":"{\"memory\":\"1Gi\"}","` + domain + `namespace.maxApps":"3"}}}`
	for _, c := range []struct{ metadata, want string }{
		{"", `"id":"ns/p","queue":"root.teams.ns",`},
		{labels(`"applicationId":"b","spark-app-selector":"c"`), `"id":"b","queue":"root.teams.ns",`},
		{labels(`"spark-app-selector":"c"`), `"id":"c",`},
		{labels(`"` + domain + `app-id":"a","applicationId":"b"`), `"id":"a",`},
		{labels(`"applicationId":"b"`) + annotations(`"`+domain+`app-id":"x"`), `"id":"b",`},
		{labels(`"spark-app-selector":"c"`) + annotations(`"`+domain+`app-id":"x"`), `"id":"x",`},
		{labels(`"queue":"root.a.b","` + domain + `queue":"root.c"`), `"queue":"root.c",`},
		{labels(`"queue":"sandbox.x"`), `"queue":"root.sandbox_dot_x",`},
		{annotations(`"` + domain + `queue":"root.d"`), `"queue":"root.d",`},
		{labels(`"` + domain + `username":"ann"`), `"user":"ann",`},
		{annotations(`"` + domain + `user.info":"{\"user\":\"ann\",\"groups\":[\"x\"]}"`), `"user":"ann","groups":["x"],`},
	} {
		if text, _, err := imported(t, Options{}, list(namespaces, aPod("p", 1, c.metadata, ""))); err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, want %s in\n%s", c.metadata, err, c.want, text)
		}
	}
	forYuniKorn := strings.Replace(aPod("p", 1, "", ""), `"spec":{`, `"spec":{"schedulerName":"yunikorn",`, 1)
	if text, _, err := imported(t, Options{}, list(namespaces, forYuniKorn)); err != nil || !strings.Contains(text, `"id":"yunikorn-ns-autogen","queue":"root.teams.ns",`) {
		t.Errorf("a pod written for YuniKorn: %v\n%s", err, text)
	}
	s := importing.NewSink(importing.Options{})
	r := NewReader(s, Options{})
	if err := r.Read(strings.NewReader(list(namespaces, aPod("p", 1, "", ""))), "l"); err != nil || r.Give() != nil {
		t.Fatal(err)
	}
	config, err := s.Queues.Config()
	for _, part := range []string{`- name: "teams"`, `- name: "ns"`, "maxapplications: 3", `guaranteed: {"memory": "1073741824"}`, `max: {"nvidia.com/gpu": "0", "vcore": "4000m"}`} {
		if err != nil || !strings.Contains(config, part) {
			t.Errorf("%v: %s is not in\n%s", err, part, config)
		}
	}
}

func TestPreemptible_FromPodThenPriorityClass(t *testing.T) {
	class := func(value string) string {
		return `{"kind":"PriorityClass","metadata":{"name":"low","annotations":{"yunikorn.apache.org/allow-preemption":"` + value + `"}}}`
	}
	for _, c := range []struct {
		class, pod string
		not        bool
	}{{"true", "", false}, {"false", "", true}, {"false", "true", false}, {"true", "false", true}} {
		metadata := ""
		if c.pod != "" {
			metadata = `,"annotations":{"yunikorn.apache.org/allow-preemption":"` + c.pod + `"}`
		}
		text, _, err := imported(t, Options{}, list(class(c.class), aPod("p", 1, metadata, `"priorityClassName":"low"`)))
		if err != nil || strings.Contains(text, `"preemptable":false`) != c.not {
			t.Errorf("class %s, pod %q: %v\n%s", c.class, c.pod, err, text)
		}
	}
}

func TestForeignPodsOccupyTheirNodes(t *testing.T) {
	daemon := `,"ownerReferences":[{"kind":"DaemonSet","name":"d","controller":true}]`
	listing := list(
		aNode("n", "", "", `"cpu":"4"`),
		aPod("d1", 1, daemon, `"nodeName":"n"`), aPod("d2", 1, daemon, ""), aPod("static", 1, `,"ownerReferences":[{"kind":"Node","name":"n","controller":true}]`, `"nodeName":"n"`),
		aPod("other", 1, "", `"nodeName":"n","schedulerName":"default-scheduler"`), aPod("mine", 1, "", `"schedulerName":"yunikorn"`),
	)
	text, tally, err := imported(t, Options{Schedulers: []string{"yunikorn"}}, listing)
	if err != nil || !strings.Contains(line(t, text, "n"), `"occupied":{"pods":3,"vcore":"3000m"}`) || strings.Contains(text, "ns/other") || !strings.Contains(text, "ns/mine") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, want := range []string{"left out: 1 pod: pending, and of a DaemonSet", "occupied: 1 pod: of another scheduler"} {
		if !strings.Contains(tally, want) {
			t.Errorf("%s is not in\n%s", want, tally)
		}
	}
	if text, _, err := imported(t, Options{}, listing); err != nil || !strings.Contains(line(t, text, "n"), `"occupied":{"pods":2,`) || !strings.Contains(text, "ns/other") {
		t.Errorf("pods of all schedulers: %v\n%s", err, text)
	}
}

func TestABadListingNamesFileLineAndKey(t *testing.T) {
	// The pod of such a listing begins in line 3.
	pretty := func(object string) string { return "{\"kind\": \"List\",\n\"items\": [\n" + object + "\n]}" }
	pod := func(spec string) string {
		return pretty("{\"kind\": \"Pod\",\n\"metadata\": {\"name\": \"p\", \"namespace\": \"ns\",\n\"creationTimestamp\": \"2026-03-01T09:00:00Z\"},\n\"spec\": {" + spec + "}}")
	}
	for listing, want := range map[string]string{
		"":                        "",
		"{":                       "l1.json:1: expected JSON, found the end of the file within a value",
		"7":                       `l1.json:1: expected an object, or a list of objects, found "7"`,
		"{\"items\":\n{}}":        `l1.json:2: items: expected a list of objects, found "{"`,
		"{\"items\": [\n{}\n{}]}": "l1.json:3: expected JSON, found no comma after array element",
		pretty(`{"kind": "Pod"}`): "l1.json:3: Pod : metadata.name: expected a name, found nothing",
		pretty("{\"kind\":\n7}"):  "l1.json:4: kind: expected a value of type string, found a number",
		pod("\"containers\": [{},\n{\"resources\": {\"requests\": {\"cpu\": \"1\",\n\"memory\": \"4X\"}}}]"): "l1.json:8: Pod ns/p: spec.containers[1].resources.requests.memory: expected a quantity with one of the suffixes",
		pod(`"overhead": {"": "1"}`):                                                                                             "l1.json:6: Pod ns/p: spec.overhead: expected the name of a resource, found nothing",
		pod(`"overhead": {"cpu": [1]}`):                                                                                          `l1.json:6: Pod ns/p: spec.overhead.cpu: expected a quantity such as 4, 1.5, 500m or 64Gi, found "[1]"`,
		strings.Replace(pod(""), "2026-03-01T09:00:00Z", "today", 1):                                                             `l1.json:5: Pod ns/p: metadata.creationTimestamp: expected a time such as 2026-03-01T09:00:00Z, found "today"`,
		strings.Replace(pod(""), `"name": "p"`, `"name": "p", "labels": {"queue": "root..x"}`, 1):                                `l1.json:3: Pod ns/p: queue: expected the full name of a queue`,
		strings.Replace(pod(""), `"name": "p"`, `"name": "p", "annotations": {"yunikorn.apache.org/movable": "no"}`, 1):          `l1.json:4: Pod ns/p: metadata.annotations.yunikorn.apache.org/movable: expected "true" or "false", found "no"`,
		strings.Replace(pod(""), `"name": "p"`, `"name": "p", "annotations": {"yunikorn.apache.org/allow-preemption": "no"}`, 1): `l1.json:4: Pod ns/p: metadata.annotations.yunikorn.apache.org/allow-preemption: expected "true" or "false", found "no"`,
		strings.Replace(pod(""), `"name": "p"`, `"name": "p", "annotations": {"yunikorn.apache.org/task-groups": "[{}]"}`, 1):    `l1.json:4: Pod ns/p: metadata.annotations.yunikorn.apache.org/task-groups: expected a name and a minMember`,
	} {
		_, _, err := imported(t, Options{}, listing)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", listing, err, want)
		}
	}
}

func TestBadObjectsMayBeLeftOut(t *testing.T) {
	listing := list(aNode("n", "", "", `"cpu":"x"`), aNode("m", "", "", `"cpu":"4"`), aPod("p", 1, `,"labels":{"queue":"root..x"}`, ""), aPod("q", 1, "", ""),
		`{"kind":"Namespace","metadata":{"name":"ns","annotations":{"yunikorn.apache.org/quota":"much","yunikorn.apache.org/parentqueue":"root.a"}}}`)
	text, tally, err := skipping(t, 3, Options{}, listing)
	if err != nil || strings.Count(text, "node.add") != 1 || strings.Contains(text, "ns/p") || !strings.Contains(text, `"id":"ns/q","queue":"root.ns"`) {
		t.Errorf("%v\n%s%s", err, text, tally)
	}
	if _, _, err := skipping(t, 2, Options{}, listing); err == nil {
		t.Error("three bad objects pass where two may be left out")
	}
	if _, _, err := skipping(t, 9, Options{}, listing[:len(listing)-3]); err == nil {
		t.Error("half a file passes")
	}
}

func FuzzListing(f *testing.F) {
	example, err := os.ReadFile("../../../docs/examples/cluster.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	f.Add(list(aNode("n", "", "", `"cpu":"4"`), aPod("p", 1, "", `"nodeName":"n"`)))
	f.Add(list(aNode("n", `,"labels":{"node":"a"}`, "", `"cpu":"4"`), aGroup("scheduling.k8s.io/v1beta1", `"schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"all":{}},"schedulingConstraints":{"topology":[{"key":"node"}]}`),
		grouped("p", 1, "", `"nodeName":"n"`), ended(grouped("q", 2, "", ""), "Succeeded"), worker("w", 3, "gangRepairInSeconds=1", "")))
	f.Add(`{"kind":"PodList","items":[{"metadata":{"name":"a"}}]} [{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"k","effect":"NoExecute"}]}}]`)
	f.Fuzz(func(t *testing.T, listing string) {
		var text string
		var err error
		importtest.Bounded(t, listing, func() { text, _, err = imported(t, Options{}, listing) })
		if err != nil {
			return
		}
		importtest.Readable(t, text)
	})
}
