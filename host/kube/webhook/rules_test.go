package webhook

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/quern-project/quern/host/kubelabels"
)

const (
	controller = "system:serviceaccount:kube-system:replicaset-controller"
	gateway    = "system:serviceaccount:jobs:gateway"
	annsInfo   = `{"user":"ann","groups":["data","system:authenticated"]}`
	bobsInfo   = `{"user":"bob","groups":["data"]}`
)

// one pattern.
func matching(text string) Patterns { return Patterns{regexp.MustCompile(text)} }

func rules(change func(*Rules)) *Rules {
	r := &Rules{Schedulers: []string{"quern"}, TrustedUsers: matching(`^` + gateway + `$`), TrustedGroups: matching(`^submitters$`)}
	if change != nil {
		change(r)
	}
	if err := r.check(); err != nil {
		panic(err)
	}
	return r
}

func twoNames(r *Rules) { r.Schedulers = []string{"quern", "yunikorn"} }

// request is one of ann, or of another user, about an object in the namespace team. YAML makes the objects easy to read.
func request(t testing.TB, kind, user, now, old string) *admissionv1.AdmissionRequest {
	t.Helper()
	group, name, _ := strings.Cut(kind, "/")
	q := &admissionv1.AdmissionRequest{UID: "1", Namespace: "team", Name: "x", Operation: admissionv1.Create,
		Kind:     metav1.GroupVersionKind{Group: group, Version: "v1", Kind: name},
		Resource: metav1.GroupVersionResource{Group: group, Version: "v1", Resource: strings.ToLower(name) + "s"},
		UserInfo: authenticationv1.UserInfo{Username: user, Groups: []string{"data", "system:authenticated"}}, Object: raw(t, now)}
	if old != "" {
		q.Operation, q.OldObject = admissionv1.Update, raw(t, old)
	}
	return q
}

func raw(t testing.TB, text string) runtime.RawExtension {
	t.Helper()
	out, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return runtime.RawExtension{Raw: out}
}

// apply is a second, simple implementation of the patches: it knows "add" to members of objects only.
func apply(t testing.TB, text []byte, patch []Operation) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	for _, o := range patch {
		keys := strings.Split(o.Path, "/")[1:]
		object := root
		for n, key := range keys {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
			if n == len(keys)-1 {
				object[key] = o.Value
				break
			}
			below, ok := object[key].(map[string]any)
			if !ok {
				t.Fatalf("%s: no object %q to add to", o.Path, key)
			}
			object = below
		}
		if o.Op != "add" {
			t.Fatalf("unknown operation %q", o.Op)
		}
	}
	return root
}

func namespace(annotations ...string) *corev1.Namespace {
	n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team", Annotations: map[string]string{}}}
	for i := 0; i < len(annotations); i += 2 {
		n.Annotations["yunikorn.apache.org/"+annotations[i]] = annotations[i+1]
	}
	return n
}

func TestWhatBecomesOfPodsAndWorkloads(t *testing.T) {
	const stamped = "metadata: {annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}"
	const bobs = "metadata: {annotations: {yunikorn.apache.org/user.info: '" + bobsInfo + "'}}"
	template := func(text string) string { return "spec: {template: {" + text + "}}" }
	for name, test := range map[string]struct {
		kind, user string // Pod and ann if empty
		now, old   string
		rules      func(*Rules)
		namespace  *corev1.Namespace
		want       string // empty: unchanged
		refused    string // part of the message
	}{
		"a pod is sent to the scheduler with its sender": {now: "spec: {a: 1}", want: "{spec: {a: 1, schedulerName: quern}, " + stamped + "}"},
		"the default scheduler's name counts as none":    {now: "spec: {schedulerName: default-scheduler}", want: "{spec: {schedulerName: quern}, " + stamped + "}"},
		"a pod of another scheduler is left alone":       {now: "spec: {schedulerName: other}"},
		"a static pod is left alone":                     {now: "metadata: {annotations: {kubernetes.io/config.mirror: x}}\nspec: {schedulerName: quern}"},
		"a pod of a node is left alone":                  {now: "metadata: {ownerReferences: [{kind: Node, name: n}]}"},
		"a pod of a DaemonSet is left alone":             {user: controller, now: "metadata: {ownerReferences: [{kind: DaemonSet, name: d}]}"},
		"a DaemonSet as owner hides no forged user": {now: "metadata: {ownerReferences: [{kind: DaemonSet}], annotations: {yunikorn.apache.org/user.info: '" + bobsInfo + "'}}\nspec: {schedulerName: quern}",
			refused: "may not name other users"},
		"missing labels and queue": {now: "metadata: {labels: {a: b}}\nspec: {schedulerName: quern}", rules: func(r *Rules) { r.Queue = "root.default" },
			want: "{metadata: {labels: {a: b, yunikorn.apache.org/queue: root.default}, annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}, spec: {schedulerName: quern}}"},
		"a named queue stays": {now: "metadata: {labels: {queue: root.a}, annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}\nspec: {schedulerName: quern}",
			rules: func(r *Rules) { r.Queue = "root.default" }},
		"the application of the namespace": {now: "spec: {schedulerName: quern}", namespace: namespace("generateAppId", "true"),
			want: "{metadata: {labels: {yunikorn.apache.org/app-id: yunikorn-team-autogen}, annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}, spec: {schedulerName: quern}}"},
		"a named application stays": {now: "metadata: {labels: {applicationId: a}, annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}\nspec: {schedulerName: quern}", namespace: namespace("generateAppId", "true")},

		"a namespace that opts out":                    {now: "spec: {}", namespace: namespace("enableYuniKorn", "false")},
		"a namespace that opts in beats the bypass":    {now: "spec: {}", rules: func(r *Rules) { r.Bypass = matching("team") }, namespace: namespace("namespace.enableYuniKorn", "true"), want: "{spec: {schedulerName: quern}, " + stamped + "}"},
		"a bypassed namespace":                         {now: "spec: {}", rules: func(r *Rules) { r.Bypass = matching("^team$") }},
		"a namespace that is not listed":               {now: "spec: {}", rules: func(r *Rules) { r.Process = matching("^other$") }},
		"a namespace without the label":                {now: "spec: {}", rules: func(r *Rules) { r.Namespaces = labels.SelectorFromSet(labels.Set{"batch": "yes"}) }, namespace: namespace()},
		"a pod of a bypassed namespace names the user": {now: "{spec: {schedulerName: quern}, " + bobs + "}", rules: func(r *Rules) { r.Bypass = matching("team") }, refused: "may not name other users"},

		"a forged user":                       {now: "{spec: {schedulerName: quern}, " + bobs + "}", refused: `expected {"user":"ann"`},
		"one's own name and forged groups":    {now: `{spec: {schedulerName: quern}, metadata: {annotations: {yunikorn.apache.org/user.info: '{"user":"ann","groups":["admins"]}'}}}`, refused: "may not name other users"},
		"a broken user":                       {now: "{spec: {schedulerName: quern}, metadata: {annotations: {yunikorn.apache.org/user.info: '{'}}}", refused: "expected an object such as"},
		"an empty user is none":               {now: "{spec: {schedulerName: quern}, metadata: {annotations: {yunikorn.apache.org/user.info: ''}}}", want: "{spec: {schedulerName: quern}, " + stamped + "}"},
		"one's own user":                      {now: "{spec: {schedulerName: quern}, " + stamped + "}"},
		"a trusted sender names a user":       {user: gateway, now: "{spec: {schedulerName: quern}, " + bobs + "}"},
		"a trusted sender may not break it":   {user: gateway, now: "{spec: {schedulerName: quern}, metadata: {annotations: {yunikorn.apache.org/user.info: x}}}", refused: "expected an object such as"},
		"a controller keeps what it was told": {user: controller, now: "{spec: {schedulerName: quern}, " + bobs + "}"},
		"a controller adds no user":           {user: controller, now: "spec: {schedulerName: quern}"},

		"a pod's user does not change":            {now: "{spec: {schedulerName: quern}, " + stamped + "}", old: "{spec: {schedulerName: quern}, " + bobs + "}", refused: "no change of a pod's user"},
		"another change of a pod":                 {now: "{spec: {schedulerName: quern, a: 1}, " + bobs + "}", old: "{spec: {schedulerName: quern}, " + bobs + "}"},
		"a trusted sender changes a pod's user":   {user: gateway, now: "{spec: {schedulerName: quern}, " + stamped + "}", old: "{spec: {schedulerName: quern}, " + bobs + "}"},
		"defaults are not for pods that exist":    {now: "spec: {a: 1}", old: "spec: {a: 2}"},
		"a job gets its sender":                   {kind: "batch/Job", now: template("spec: {}"), want: "{spec: {template: {spec: {}, " + stamped + "}}}"},
		"a cron job gets its sender":              {kind: "batch/CronJob", now: "spec: {jobTemplate: {spec: {template: {spec: {}}}}}", want: "{spec: {jobTemplate: {spec: {template: {spec: {}, " + stamped + "}}}}}"},
		"a forged user in a deployment":           {kind: "apps/Deployment", now: template(bobs), refused: "may not name other users"},
		"also in one of another scheduler":        {kind: "apps/Deployment", now: template("spec: {schedulerName: other}, " + bobs), refused: "may not name other users"},
		"a workload of another scheduler":         {kind: "apps/Deployment", now: template("spec: {schedulerName: other}")},
		"scaling keeps the owner":                 {kind: "apps/Deployment", now: "spec: {replicas: 3, template: {" + bobs + "}}", old: "spec: {replicas: 2, template: {" + bobs + "}}"},
		"a manifest without a user keeps the old": {kind: "apps/StatefulSet", now: template("spec: {a: 1}"), old: template("spec: {a: 2}, " + bobs), want: "spec: {template: {spec: {a: 1}, " + bobs + "}}"},
		"taking a workload over":                  {kind: "apps/StatefulSet", now: template(stamped), old: template(bobs)},
		"giving a workload to somebody":           {kind: "apps/StatefulSet", now: template(bobs), old: template(stamped), refused: "may not name other users"},
		"scaling a workload from before":          {kind: "apps/ReplicaSet", now: "spec: {replicas: 3, template: {spec: {a: 1}}}", old: "spec: {replicas: 2, template: {spec: {a: 1}}}"},
		"changing a workload from before":         {kind: "apps/ReplicaSet", now: template("spec: {a: 1}"), old: template("spec: {a: 2}"), want: "{spec: {template: {spec: {a: 1}, " + stamped + "}}}"},
		"a controller copies a template":          {kind: "apps/ReplicaSet", user: controller, now: template(bobs)},

		"a pod of the scheduler's second name gets its sender": {now: "spec: {schedulerName: yunikorn}", rules: twoNames, want: "{spec: {schedulerName: yunikorn}, " + stamped + "}"},
		"a pod of the second name gets the default queue": {now: "{spec: {schedulerName: yunikorn}, metadata: {labels: {a: b}, annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}}",
			rules: func(r *Rules) { twoNames(r); r.Queue = "root.default" },
			want:  "{spec: {schedulerName: yunikorn}, metadata: {labels: {a: b, yunikorn.apache.org/queue: root.default}, annotations: {yunikorn.apache.org/user.info: '" + annsInfo + "'}}}"},
		"a pod without a scheduler gets the first name":     {now: "spec: {}", rules: twoNames, want: "{spec: {schedulerName: quern}, " + stamped + "}"},
		"a forged user under the second name":               {now: "{spec: {schedulerName: yunikorn}, " + bobs + "}", rules: twoNames, refused: "may not name other users"},
		"a forged user of a pod of another scheduler":       {now: "{spec: {schedulerName: other}, " + bobs + "}", refused: "may not name other users"},
		"a user is not added later under another scheduler": {now: "{spec: {schedulerName: other}, " + bobs + "}", old: "spec: {schedulerName: other}", refused: "no change of a pod's user"},
		"a forged user of a pod that claims to be static":   {now: "metadata: {annotations: {kubernetes.io/config.mirror: x, yunikorn.apache.org/user.info: '" + bobsInfo + "'}}\nspec: {schedulerName: quern}", refused: "may not name other users"},
		"a forged user of a pod that claims to be a node's": {now: "metadata: {ownerReferences: [{kind: Node}], annotations: {yunikorn.apache.org/user.info: '" + bobsInfo + "'}}\nspec: {schedulerName: quern}", refused: "may not name other users"},
		"a workload of the second name gets its sender":     {kind: "batch/Job", now: template("spec: {schedulerName: yunikorn}"), rules: twoNames, want: "{spec: {template: {spec: {schedulerName: yunikorn}, " + stamped + "}}}"},

		"another kind":        {kind: "/Service", now: "spec: {}"},
		"labels that are not": {now: "metadata: {labels: [a]}", refused: "metadata.labels: expected an object"},
		"a number as a label": {now: "metadata: {labels: {a: 1}}", refused: "metadata.labels: a: expected a text"},
		"a text as metadata":  {now: "metadata: x", refused: "metadata: expected an object"},
		"a number as a name":  {now: "spec: {schedulerName: 1}", refused: "spec.schedulerName: expected a text"},
		"null is nothing":     {now: "{metadata: {annotations: null}, spec: null}", want: "{spec: {schedulerName: quern}, " + stamped + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.kind == "" {
				test.kind = "/Pod"
			}
			if test.user == "" {
				test.user = "ann"
			}
			q := request(t, test.kind, test.user, test.now, test.old)
			before := string(q.Object.Raw)
			patch, err := rules(test.rules).Mutate(q, test.namespace, nil)
			if string(q.Object.Raw) != before {
				t.Error("the request was changed")
			}
			if test.refused != "" {
				if _, ok := err.(apierrors.APIStatus); !ok || !strings.Contains(err.Error(), test.refused) {
					t.Fatalf("expected a refusal with %q, found %v", test.refused, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				if len(patch) > 0 {
					t.Errorf("expected no patch, found %v", patch)
				}
				return
			}
			var want map[string]any
			if err := json.Unmarshal(raw(t, test.want).Raw, &want); err != nil {
				t.Fatal(err)
			}
			if got := apply(t, q.Object.Raw, patch); !reflect.DeepEqual(got, want) {
				t.Errorf("expected\n%v\nfound\n%v", want, got)
			}
		})
	}
}

func TestALongNameOfAnApplicationIsAnAnnotation(t *testing.T) {
	n := namespace("generateAppId", "true")
	n.Name = strings.Repeat("n", 63)
	patch, err := rules(nil).Mutate(request(t, "/Pod", controller, "spec: {}", ""), n, nil)
	if err != nil || len(patch) == 0 {
		t.Fatal(err)
	}
	if last := patch[len(patch)-1]; last.Path != "/metadata/annotations/yunikorn.apache.org~1app-id" || last.Value != "yunikorn-"+n.Name+"-autogen" {
		t.Errorf("found %v", patch)
	}
}

func TestPod_WhetherOthersMayPreemptIt(t *testing.T) {
	classes := func(name string) *schedulingv1.PriorityClass {
		switch name {
		case "kept":
			return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{kubelabels.AllowPreemption: "false"}}}
		case "broken":
			return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{kubelabels.AllowPreemption: "no"}}}
		case "plain":
			return &schedulingv1.PriorityClass{}
		}
		return nil
	}
	for now, want := range map[string]string{
		"spec: {priorityClassName: kept}":                       "false",
		"spec: {priorityClassName: plain}":                      "true",
		"spec: {priorityClassName: broken}":                     "true",
		"spec: {}":                                              "true",
		"spec: {priorityClassName: later}":                      "",
		"spec: {priorityClassName: kept, schedulerName: other}": "",
		"{spec: {priorityClassName: kept}, metadata: {annotations: {yunikorn.apache.org/allow-preemption: \"true\"}}}": "",
		"{spec: {priorityClassName: kept}, metadata: {annotations: {yunikorn.apache.org/allow-preemption: \"no\"}}}":   "",
		"{spec: {priorityClassName: kept}, metadata: {ownerReferences: [{kind: DaemonSet, name: d}]}}":                 "",
	} {
		patch, err := rules(nil).Mutate(request(t, "/Pod", controller, now, ""), nil, classes)
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, o := range patch {
			if o.Path == "/metadata/annotations/yunikorn.apache.org~1allow-preemption" {
				found, _ = o.Value.(string)
			}
		}
		if found != want {
			t.Errorf("%s: expected %q, found %q", now, want, found)
		}
	}
	if patch, err := rules(nil).Mutate(request(t, "/Pod", controller, "spec: {a: 1}", "spec: {a: 2}"), nil, classes); err != nil || len(patch) > 0 {
		t.Errorf("a pod that exists: %v, %v", patch, err)
	}
}

func TestRulesThatWouldSpoilPodsAreRefused(t *testing.T) {
	for _, r := range []Rules{{}, {Schedulers: []string{"quern", "default-scheduler"}}, {Schedulers: []string{"default-scheduler"}}, {Schedulers: []string{"quern"}, Queue: "root.a b"}, {Schedulers: []string{"quern"}, Queue: "root." + strings.Repeat("a", 60)}} {
		if err := r.check(); err == nil {
			t.Errorf("%+v: expected an error", r)
		}
	}
}

// Whatever an ordinary sender sends: a pod of the scheduler names its sender or is refused.
func FuzzMutate(f *testing.F) {
	f.Add([]byte(`{"spec":{}}`), []byte(`{"metadata":null}`), true, uint8(0))
	f.Add([]byte(`{"metadata":{"annotations":{"yunikorn.apache.org/user.info":"{\"user\":\"bob\"}"}},"spec":{"schedulerName":"quern"}}`), []byte(`{}`), false, uint8(0))
	f.Add([]byte(`{"spec":{"template":{"metadata":{"labels":{"a":"b"}}}}}`), []byte(`{"spec":{"template":null}}`), false, uint8(1))
	f.Add([]byte(`{"spec":{"jobTemplate":{"spec":{"template":{}}}}}`), []byte(`{"spec":{}}`), false, uint8(2))
	kinds := []string{"/Pod", "apps/Deployment", "batch/CronJob"}
	f.Fuzz(func(t *testing.T, now, old []byte, update bool, kind uint8) {
		q := request(t, kinds[int(kind)%len(kinds)], "ann", "{}", "")
		q.Object.Raw, q.OldObject.Raw = now, old
		if update {
			q.Operation = admissionv1.Update
		}
		r := rules(nil)
		patch, err := r.Mutate(q, nil, nil)
		if err != nil {
			return
		}
		path := templates[q.Kind.Group+"/"+q.Kind.Kind]
		before, _, _ := versions(q, path)
		if before == nil {
			t.Fatal("a broken object was admitted")
		}
		q.Object.Raw, err = json.Marshal(apply(t, now, patch))
		if err != nil {
			t.Fatal(err)
		}
		after, _, err := versions(q, path)
		if err != nil {
			t.Fatalf("the patch %v breaks the object: %v", patch, err)
		}
		_, mirror := before.Annotations[corev1.MirrorPodAnnotationKey]
		static := len(path) == 0 && (mirror || before.ownedBy("Node"))
		if user, _, _ := after.User(); !update && !static && after.scheduler == "quern" && user != "ann" {
			t.Errorf("user %q", user)
		}
		if again, err := r.Mutate(q, nil, nil); err != nil || !update && len(again) > 0 {
			t.Errorf("a second time: %v, %v", again, err)
		}
	})
}
