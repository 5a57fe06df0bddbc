package kubernetes

import (
	"strings"
	"testing"
)

// worker is a task of the gang g, which declares it, too.
func worker(name string, seconds int, parameters, spec string) string {
	groups := strings.Replace(groupsOfTwo, `,\"nodeSelector\":{\"zone\":\"a\"}`, "", 1)
	return aPod(name, seconds, `,"labels":{"applicationId":"g"},"annotations":{`+groups+`,"yunikorn.apache.org/task-group-name":"w",`+
		`"yunikorn.apache.org/schedulingPolicyParameters":"`+parameters+`"}`, spec)
}

func ended(pod, phase string) string { return strings.Replace(pod, `"Pending"`, `"`+phase+`"`, 1) }

func TestTaskGroups_AllListedAreAnAtomicGang(t *testing.T) {
	const gang = `"task_group":"w","gang":"task-groups","gang_min":2,`
	node := aNode("n", "", "", `"cpu":"4"`)
	for name, c := range map[string]struct {
		listing  string
		has, not []string
	}{
		"both wait": {list(node, worker("w1", 1, "", ""), worker("w2", 2, "", "")),
			[]string{`"id":"ns/w1","app":"g","resources":{"pods":1,"vcore":"1000m"},"originator":true,` + gang + `"gang_timeout":"15m0s","gang_fallback":"members"}`,
				`"id":"ns/w2","app":"g","resources":{"pods":1,"vcore":"1000m"},` + gang}, []string{"placeholder"}},
		"with all parameters": {list(node, worker("w1", 1, "gangSchedulingStyle=Hard placeholderTimeoutInSeconds=60 gangDisruption=whole gangRepairInSeconds=0 gangMaxMembers=8", ""), worker("w2", 2, "", "")),
			[]string{gang + `"gang_timeout":"1m0s","gang_disruption":"whole","gang_repair":"0s","gang_max":8}`}, []string{"placeholder", "gang_fallback"}},
		"both run, restored together": {list(node, worker("w1", 1, "", `"nodeName":"n"`), worker("w2", 7, "", `"nodeName":"n"`)),
			[]string{`{"at":"2026-03-01T09:00:07Z","type":"allocation.restore","id":"ns/w1"`, gang}, []string{"placeholder"}},
		"one runs, one has succeeded": {list(node, worker("w1", 1, "", `"nodeName":"n"`), ended(worker("w2", 2, "", ""), "Succeeded")),
			[]string{`"succeeded":{"task-groups":1}`, gang}, []string{"placeholder"}},
		"one waits, one has failed": {list(node, worker("w1", 1, "", ""), ended(worker("w2", 2, "", ""), "Failed")),
			[]string{`"placeholder_ask":{"pods":2,"vcore":"2000m"}`}, []string{gang, "succeeded"}},
		"one is held by a gate":  {list(node, worker("w1", 1, "", ""), worker("w2", 2, "", `"schedulingGates":[{"name":"wait"}]`)), []string{"placeholder_ask"}, []string{gang}},
		"placeholders are there": {list(node, worker("w1", 1, "", ""), worker("w2", 2, "", ""), placeholder("h1", "")), []string{"placeholder_ask"}, []string{gang}},
	} {
		text, _, err := imported(t, Options{}, c.listing)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantParts(t, name, text, c.has, c.not)
	}
}

func wantParts(t *testing.T, name, text string, has, not []string) {
	t.Helper()
	for _, part := range has {
		if !strings.Contains(text, part) {
			t.Errorf("%s: %s is not in\n%s", name, part, text)
		}
	}
	for _, part := range not {
		if strings.Contains(text, part) {
			t.Errorf("%s: %s is in\n%s", name, part, text)
		}
	}
}

// aGroup is a PodGroup of some version.
func aGroup(version, spec string) string {
	return `{"apiVersion":"` + version + `","kind":"PodGroup","metadata":{"namespace":"ns","name":"train"},"spec":{` + spec + `}}`
}

func grouped(name string, seconds int, metadata, spec string) string {
	return aPod(name, seconds, metadata, strings.TrimSuffix(`"schedulingGroup":{"podGroupName":"train"},`+spec, ","))
}

func TestPodGroups_AreGangs(t *testing.T) {
	const v1beta1, gangOfTwo = "scheduling.k8s.io/v1beta1", `"schedulingPolicy":{"gang":{"minCount":2}}`
	rack := func(name, zone, rack string) string {
		return aNode(name, `,"labels":{"zone":"`+zone+`","rack":"`+rack+`"}`, "", `"cpu":"4"`)
	}
	nodes := []string{rack("n1", "z", "r1"), rack("n2", "z", "r2")}
	for name, c := range map[string]struct {
		objects  []string
		has, not []string
		tally    string
	}{
		"waits": {[]string{aGroup(v1beta1, gangOfTwo), grouped("a", 1, "", ""), grouped("b", 2, "", "")},
			[]string{`"app.add","id":"ns/train"`, `"id":"ns/a","app":"ns/train","resources":{"pods":1,"vcore":"1000m"},"gang":"pod-group/train","gang_min":2,"gang_disruption":"member"}`}, []string{"gang_timeout"}, ""},
		"disrupted whole, with a priority and a repair": {[]string{aGroup(v1beta1, gangOfTwo+`,"disruptionMode":{"all":{}},"priority":7`),
			grouped("a", 1, `,"annotations":{"yunikorn.apache.org/schedulingPolicyParameters":"gangRepairInSeconds=60"}`, `"priority":3`)},
			[]string{`"priority":7,"gang":"pod-group/train","gang_min":2,"gang_disruption":"whole","gang_repair":"1m0s"}`}, nil, ""},
		"disrupted whole in the words of v1alpha2": {[]string{aGroup("scheduling.k8s.io/v1alpha2", gangOfTwo+`,"disruptionMode":"PodGroup"`), grouped("a", 1, "", "")}, []string{`"gang_disruption":"whole"`}, nil, ""},
		"disrupted one by one":                     {[]string{aGroup("scheduling.k8s.io/v1alpha2", gangOfTwo+`,"disruptionMode":"Pod"`), grouped("a", 1, "", "")}, []string{`"gang_disruption":"member"`}, nil, ""},
		"in an application of its own":             {[]string{aGroup(v1beta1, gangOfTwo), grouped("a", 1, `,"labels":{"applicationId":"x"}`, "")}, []string{`"id":"ns/a","app":"x"`, "pod-group/train"}, nil, ""},
		"with a policy of preemption":              {[]string{aGroup(v1beta1, gangOfTwo+`,"preemptionPolicy":"Never"`), grouped("a", 1, "", "")}, []string{`"preempt_others":false`}, nil, ""},
		"with another policy than its pods":        {[]string{aGroup(v1beta1, gangOfTwo+`,"preemptionPolicy":"PreemptLowerPriority"`), grouped("a", 1, "", `"preemptionPolicy":"Never"`)}, nil, []string{"preempt_others"}, ""},
		"basic":                                    {[]string{aGroup(v1beta1, `"schedulingPolicy":{"basic":{}}`), grouped("a", 1, "", "")}, []string{`"id":"ns/a","app":"ns/train"`}, []string{"gang"}, ""},
		"succeeded":                                {[]string{aGroup(v1beta1, gangOfTwo), grouped("a", 1, "", `"nodeName":"n1"`), ended(grouped("b", 2, "", ""), "Succeeded")}, []string{`"succeeded":{"pod-group/train":1}`}, nil, ""},
		"not listed":                               {[]string{grouped("a", 1, "", "")}, []string{`"id":"ns/a","app":"ns/train"`}, []string{"gang"}, "note: 1 pod: PodGroup not in the listing; scheduled without it"},
		"of another API": {[]string{aGroup("scheduling.volcano.sh/v1beta1", gangOfTwo), grouped("a", 1, "", "")}, nil, []string{"gang"},
			"left out: 1 object: PodGroup of an API other than scheduling.k8s.io"},
		"in one rack": {[]string{aGroup(v1beta1, gangOfTwo+`,"schedulingConstraints":{"topology":[{"key":"rack"}]}`), grouped("a", 1, "", "")}, []string{`"topology_required":"rack"`}, nil, ""},
		"basic, with a constraint": {[]string{aGroup(v1beta1, `"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"rack"}]}`), grouped("a", 1, "", ""), grouped("b", 2, "", "")},
			[]string{`"id":"ns/a","app":"ns/train","resources":{"pods":1,"vcore":"1000m"},"gang":"pod-group/train","gang_min":1,"gang_disruption":"member","topology_required":"rack"}`, `"id":"ns/b"`}, nil, ""},
		"basic, with a constraint and a mode, which is of gangs": {[]string{aGroup(v1beta1, `"schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}},"schedulingConstraints":{"topology":[{"key":"rack"}]}`), grouped("a", 1, "", "")},
			[]string{`"gang_disruption":"member"`}, nil, ""},
	} {
		text, tally, err := imported(t, Options{}, list(append(nodes, c.objects...)...))
		if err != nil || !strings.Contains(tally, c.tally) {
			t.Errorf("%s: %v\n%s", name, err, tally)
		}
		wantParts(t, name, text, c.has, c.not)
	}
}

func TestPodGroups_BadOnesNameTheirPlace(t *testing.T) {
	for spec, want := range map[string]string{
		`"schedulingPolicy":{"gang":{"minCount":0}}`:                `l1.json:1: PodGroup ns/train: spec.schedulingPolicy.gang.minCount: expected a whole number from 1 to 1000000, found "0"`,
		`"schedulingPolicy":{"gang":{"minCount":"2"}}`:              "l1.json:1: spec.schedulingPolicy.gang.minCount: expected a value of type int64, found a string",
		`"schedulingConstraints":{"topology":[{"key":""}]}`:         "PodGroup ns/train: spec.schedulingConstraints.topology[0].key: expected the key of a label of nodes, found nothing",
		`"schedulingConstraints":{"topology":[{"key":"a"},{}]}`:     `PodGroup ns/train: spec.schedulingConstraints.topology: expected one constraint, found "2"`,
		`"schedulingPolicy":{"gang":{"minCount":1000001}}`:          `found "1000001"`,
		`"schedulingPolicy":{"gang":{"minCount":1}},"priority":"x"`: "spec.priority: expected a value of type int32, found a string",
	} {
		if _, _, err := imported(t, Options{}, list(aGroup("scheduling.k8s.io/v1beta1", spec))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", spec, err, want)
		}
	}
}
