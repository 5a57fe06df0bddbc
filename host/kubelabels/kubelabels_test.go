package kubelabels

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/resource"
)

func annotated(key, value string) Metadata {
	return Metadata{Annotations: map[string]string{key: value}}
}

func TestTheApplicationIsNamedByTheFirstKeyInOrder(t *testing.T) {
	m := Metadata{Labels: map[string]string{}, Annotations: map[string]string{}}
	for _, step := range []struct {
		keys map[string]string
		key  string
	}{{m.Labels, SparkAppID}, {m.Annotations, AppID}, {m.Labels, AppIDShort}, {m.Labels, AppID}} {
		want := fmt.Sprintf("%s wins after %d others", step.key, len(m.Labels)+len(m.Annotations))
		step.keys[step.key] = want
		if got := m.App(); got != want {
			t.Errorf("with %s added the application is %q, expected %q", step.key, got, want)
		}
	}
	if got := (Metadata{}).App(); got != "" {
		t.Errorf("a pod without labels has the application %q", got)
	}
}

func TestTheQueueIsNamedByTheFirstKeyInOrder(t *testing.T) {
	m := annotated(QueueName, "root.annotated")
	m.Labels = map[string]string{}
	if got := m.Queue(); got != "root.annotated" {
		t.Errorf("got %q", got)
	}
	m.Labels[QueueShort] = "root.short"
	if got := m.Queue(); got != "root.short" {
		t.Errorf("got %q", got)
	}
	m.Labels[QueueName] = "root.labelled"
	if got := m.Queue(); got != "root.labelled" {
		t.Errorf("got %q", got)
	}
}

func TestABrokenUserGivesNoUser(t *testing.T) {
	m := annotated(UserInfo, `{"user":"ann","groups":["dev","ops"]}`)
	m.Labels = map[string]string{UserName: "old"}
	if user, groups, bad := m.User(); user != "ann" || !reflect.DeepEqual(groups, []string{"dev", "ops"}) || bad != nil {
		t.Error(user, groups, bad)
	}
	for _, broken := range []string{`{"user":`, `{"user":7}`, `{"user":"ann"} {"user":"root"}`, "ann"} {
		m.Annotations[UserInfo] = broken
		user, groups, bad := m.User()
		if user != "" || groups != nil || bad == nil || !strings.HasPrefix(bad.Error(), "annotation yunikorn.apache.org/user.info: expected an object such as") {
			t.Errorf("%s: %q, %v, %v", broken, user, groups, bad)
		}
	}
	delete(m.Annotations, UserInfo)
	if user, _, _ := m.User(); user != "old" {
		t.Errorf("the label gives %q", user)
	}
}

func TestWhatAPodSaysOfItsPreemption(t *testing.T) {
	for text, want := range map[string][2]bool{"true": {true, true}, "false": {false, true}, "no": {true, false}, "": {true, false}} {
		may, given, bad := annotated(AllowPreemption, text).Preemptable()
		if may != want[0] || given != want[1] || (bad == nil) != given {
			t.Errorf("%q: %v, %v, %v", text, may, given, bad)
		}
	}
	if may, given, bad := (Metadata{}).Preemptable(); !may || given || bad != nil {
		t.Error(may, given, bad)
	}
}

type nodes struct {
	NodeSelector map[string]string `json:"nodeSelector"`
}

func TestTaskGroupsAreReadWithTheirAmountsAndNodes(t *testing.T) {
	groups, bad := TaskGroups[nodes](annotated(TaskGroupsKey, `[{"name":"driver","minMember":1,"minResource":{"cpu":"500m","memory":"1Gi"}},
		{"name":"spares","minMember":0},{"name":"workers","minMember":4,"minResource":{"cpu":1.5,"nvidia.com/gpu":2},"nodeSelector":{"zone":"a"},"unknown":[]}]`))
	want := []TaskGroup[nodes]{
		{"driver", 1, resource.NewSet(resource.Quantity{Type: "memory", Value: 1 << 30}, resource.Quantity{Type: "vcore", Value: 500}), nodes{}},
		{"spares", 0, resource.Set{}, nodes{}},
		{"workers", 4, resource.NewSet(resource.Quantity{Type: "nvidia.com/gpu", Value: 2}, resource.Quantity{Type: "vcore", Value: 1500}), nodes{map[string]string{"zone": "a"}}},
	}
	if bad != nil || !reflect.DeepEqual(groups, want) {
		t.Errorf("%v, %v", groups, bad)
	}
}

func TestOneBadTaskGroupLeavesNone(t *testing.T) {
	const good = `{"name":"a","minMember":1,"minResource":{"cpu":1}}`
	for value, want := range map[string]string{
		`{"name":"a"}`:                                            "expected a list of task groups with name, minMember and minResource, found",
		`[` + good + `] x`:                                        "expected a list of task groups",
		`[` + good + `,{"name":"b"}]`:                             "expected a name and a minMember from 0 to 1000000 in task group 2, found \"b, none\"",
		`[` + good + `,` + good + `]`:                             `expected each task group once, found "a"`,
		`[{"name":"b","minMember":-2}]`:                           "expected a name and a minMember",
		`[{"minMember":1}]`:                                       "expected a name and a minMember",
		`[` + good + `,{"minMember":1.5}]`:                        "expected a list of task groups",
		`[{"name":"b","minMember":1,"minResource":{"cpu":"-1"}}]`: `: cpu: expected a quantity of zero or more, found "-1"`,
		`[{"name":"b","minMember":1,"minResource":{"":"1"}}]`:     "expected the name of a resource, found nothing",
		`[{"name":"b","minMember":1,"nodeSelector":7}]`:           "expected a list of task groups",
	} {
		groups, bad := TaskGroups[nodes](annotated(TaskGroupsKey, value))
		if len(groups) > 0 || len(bad) == 0 || !strings.Contains(bad[0].Error(), want) {
			t.Errorf("%s: %v, %v\nwant %s", value, groups, bad, want)
		}
	}
	for _, none := range []string{"", "[]", "null"} {
		if groups, bad := TaskGroups[nodes](annotated(TaskGroupsKey, none)); len(groups) > 0 || bad != nil {
			t.Errorf("%q: %v, %v", none, groups, bad)
		}
	}
}

func TestParametersOfAGang(t *testing.T) {
	for text, want := range map[string]struct {
		policy GangPolicy
		bad    string
	}{
		"": {},
		"placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard": {policy: GangPolicy{Hard: true, Timeout: time.Minute}},
		"gangSchedulingStyle=soft other=7":                        {},
		"gangSchedulingStyle=Firm placeholderTimeoutInSeconds=5":  {GangPolicy{Timeout: 5 * time.Second}, `expected Soft or Hard in gangSchedulingStyle, found "Firm"`},
		"placeholderTimeoutInSeconds=-5 gangSchedulingStyle=Hard": {GangPolicy{Hard: true}, "expected a number of seconds in placeholderTimeoutInSeconds"},
		"gangDisruption=Whole gangRepairInSeconds=0":              {policy: GangPolicy{Disruption: "whole", HasRepair: true}},
		"gangRepairInSeconds=90 gangDisruption=some":              {GangPolicy{Repair: 90 * time.Second, HasRepair: true}, `expected unit, whole or member in gangDisruption, found "some"`},
		"gangMaxMembers=8":                           {policy: GangPolicy{Max: 8}},
		"gangMaxMembers=0 gangDisruption=unit":       {GangPolicy{Disruption: "unit"}, `expected a number from 1 to 1000000 in gangMaxMembers, found "0"`},
		"gangMaxMembers=1000001":                     {bad: "gangMaxMembers"},
		"gangMaxMembers=many":                        {bad: "gangMaxMembers"},
		"gangRepairInSeconds=1m gangDisruption=unit": {GangPolicy{Disruption: "unit"}, `expected a number of seconds in gangRepairInSeconds, found "1m"`},
	} {
		policy, bad := annotated(SchedulingParameters, text).GangPolicy()
		if policy != want.policy || (len(bad) > 0) != (want.bad != "") || len(bad) > 0 && !strings.Contains(bad[0].Error(), want.bad) {
			t.Errorf("%q: %v, %v", text, policy, bad)
		}
	}
}

func TestMovable_AnAnnotation(t *testing.T) {
	for text, want := range map[string]struct{ may, bad bool }{"": {}, "false": {}, "true": {may: true}, "True": {bad: true}, "yes": {bad: true}} {
		may, bad := annotated(MovableKey, text).Movable()
		if may != want.may || (bad != nil) != want.bad {
			t.Errorf("%q: %v, %v", text, may, bad)
		}
	}
}

func TestANamespaceSetsTheQuotaOfItsQueue(t *testing.T) {
	n, bad := Metadata{Annotations: map[string]string{
		ParentQueue: "root.teams", Domain + "namespace.quota": `{"cpu":"4","nvidia.com/gpu":"0"}`, Domain + "quota": `{"cpu":"9"}`,
		Domain + "guaranteed": `{"memory":"1Gi"}`, Domain + "maxApps": "0", Domain + "generateAppId": "true",
	}}.Namespace()
	want := Namespace{Parent: "root.teams", HasMaxApps: true, GenerateAppID: true,
		Max:        resource.NewSet(resource.Quantity{Type: "nvidia.com/gpu"}, resource.Quantity{Type: "vcore", Value: 4000}),
		Guaranteed: resource.NewSet(resource.Quantity{Type: "memory", Value: 1 << 30})}
	if bad != nil || !reflect.DeepEqual(n, want) {
		t.Errorf("%v, %v", n, bad)
	}
	n, bad = Metadata{Annotations: map[string]string{
		ParentQueue: "root.teams", Domain + "quota": `{"cpu":"-4"}`, Domain + "guaranteed": "much", Domain + "maxApps": "many", Domain + "generateAppId": "yes",
	}}.Namespace()
	if len(bad) != 4 || !reflect.DeepEqual(n, Namespace{Parent: "root.teams"}) {
		t.Errorf("%v, %v", n, bad)
	}
}

func TestApplication_BesideOthersOfAStateawareQueue(t *testing.T) {
	for value, want := range map[string]bool{"true": true, "True": true, "false": false, "": false} {
		if got := (Metadata{Labels: map[string]string{DisableStateAware: value}}).IgnoresStateAware(); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}

func TestANamespaceSetsSingleMaxima(t *testing.T) {
	memory := resource.Quantity{Type: "memory", Value: 300_000_000}
	for name, c := range map[string]struct {
		annotations map[string]string
		want        resource.Set
		bad         string
	}{
		"both":                   {map[string]string{MaxCPU: "300m", MaxMemory: "300M"}, resource.NewSet(memory, resource.Quantity{Type: "vcore", Value: 300}), ""},
		"one":                    {map[string]string{MaxMemory: "300M"}, resource.NewSet(memory), ""},
		"beside a quota":         {map[string]string{MaxCPU: "300m", Domain + "namespace.quota": `{"memory":"300M"}`}, resource.NewSet(memory), ""},
		"beside a short quota":   {map[string]string{MaxCPU: "300m", Domain + "quota": `{"memory":"300M"}`}, resource.NewSet(memory), ""},
		"beside a broken quota":  {map[string]string{MaxCPU: "300m", Domain + "quota": "much"}, nil, "quota: expected an object of quantities"},
		"one that is broken":     {map[string]string{MaxCPU: "300m", MaxMemory: "much"}, nil, "annotation yunikorn.apache.org/namespace.max.memory: memory: expected a quantity"},
		"the first one, broken":  {map[string]string{MaxCPU: "-1", MaxMemory: "1"}, nil, "annotation yunikorn.apache.org/namespace.max.cpu: cpu: expected a quantity of zero or more"},
		"an empty one":           {map[string]string{MaxCPU: ""}, nil, ""},
		"zero, which forbids it": {map[string]string{MaxCPU: "0"}, resource.NewSet(resource.Quantity{Type: "vcore"}), ""},
	} {
		n, bad := Metadata{Annotations: c.annotations}.Namespace()
		if !reflect.DeepEqual(n.Max, c.want) || (len(bad) == 0) != (c.bad == "") || len(bad) > 0 && !strings.Contains(bad[0].Error(), c.bad) {
			t.Errorf("%s: %v, %v", name, n.Max, bad)
		}
	}
}

func TestAPodWrittenForYuniKornSharesAnApplication(t *testing.T) {
	for name, c := range map[string]struct {
		m         Metadata
		scheduler string
		want      bool
	}{
		"plain":                 {Metadata{}, "yunikorn", true},
		"of another scheduler":  {Metadata{}, "quern", false},
		"of a task group":       {annotated(TaskGroupName, "w"), "yunikorn", false},
		"that declares a gang":  {annotated(TaskGroupsKey, "[]"), "yunikorn", false},
		"in a queue of its own": {annotated(QueueName, "root.a"), "yunikorn", true},
	} {
		if got := c.m.OfNamespace(c.scheduler); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestNamespace_QuotaWithoutTypes(t *testing.T) {
	for text, given := range map[string]bool{"{}": true, " { } ": true, "": false} {
		n, bad := annotated(Domain+"namespace.quota", text).Namespace()
		if bad != nil || (n.Max != nil) != given || len(n.Max) != 0 {
			t.Errorf("%q: %#v, %v", text, n.Max, bad)
		}
	}
}

func TestANamespaceChoosesItsScheduler(t *testing.T) {
	for _, test := range []struct {
		annotations         map[string]string
		enabled, given, bad bool
	}{
		{nil, false, false, false},
		{map[string]string{Domain + Enable: "true"}, true, true, false},
		{map[string]string{Domain + Enable: "true", Domain + "namespace." + Enable: "false"}, false, true, false},
		{map[string]string{Domain + Enable: "yes"}, false, false, true},
	} {
		enabled, given, bad := Metadata{Annotations: test.annotations}.Enabled()
		if enabled != test.enabled || given != test.given || (bad != nil) != test.bad {
			t.Errorf("%v: %v, %v, %v", test.annotations, enabled, given, bad)
		}
	}
}

func TestAUserThatIsWrittenIsReadAgain(t *testing.T) {
	user, groups, bad := Metadata{Annotations: map[string]string{UserInfo: UserInfoText(`an"n`, []string{"a", "b"})}}.User()
	if user != `an"n` || !reflect.DeepEqual(groups, []string{"a", "b"}) || bad != nil {
		t.Errorf("%q, %q, %v", user, groups, bad)
	}
}

func TestThePageListsEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../docs/kubernetes/labels.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("keys.go")
	if err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`= (Domain \+ )?"([^"]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(keys) < 15 {
		t.Fatal(keys)
	}
	for _, key := range keys {
		if short := key[2]; short != Domain && !strings.Contains(string(text), "`…/"+short+"`") && !strings.Contains(string(text), "`"+short+"`") {
			t.Errorf("docs/kubernetes/labels.md does not list %s", short)
		}
	}
}

func FuzzAnnotations(f *testing.F) {
	f.Add(`[{"name":"a","minMember":3,"minResource":{"cpu":"1"}}]`, "placeholderTimeoutInSeconds=60", `{"user":"ann"}`, `{"cpu":"4"}`)
	f.Add(`[{}]`, "gangSchedulingStyle=", `{}`, `null`)
	f.Fuzz(func(t *testing.T, groups, parameters, user, quota string) {
		m := Metadata{Annotations: map[string]string{TaskGroupsKey: groups, SchedulingParameters: parameters, UserInfo: user, Domain + "quota": quota, Domain + "maxApps": parameters}}
		read, bad := TaskGroups[nodes](m)
		if len(bad) > 0 && len(read) > 0 {
			t.Error("task groups beside a problem")
		}
		for _, g := range read {
			if g.Name == "" || g.MinMember < 0 || g.MinMember > MostMembers || negative(g.Each) {
				t.Errorf("%+v", g)
			}
		}
		if p, _ := m.GangPolicy(); p.Timeout < 0 || p.Repair < 0 || !p.HasRepair && p.Repair > 0 {
			t.Error(p)
		}
		if name, groups, bad := m.User(); bad != nil && (name != "" || groups != nil) {
			t.Error("a user beside a problem")
		}
		if n, _ := m.Namespace(); negative(n.Max) {
			t.Error(n.Max)
		}
	})
}

func negative(set resource.Set) bool {
	for _, q := range set {
		if q.Value < 0 {
			return true
		}
	}
	return false
}
