package kubernetes

import (
	"strings"
	"testing"
)

const (
	groupsOfTwo = `"yunikorn.apache.org/task-groups":"[{\"name\":\"w\",\"minMember\":2,\"minResource\":{\"cpu\":\"1\"},\"nodeSelector\":{\"zone\":\"a\"}}]"`
	hard        = `"yunikorn.apache.org/schedulingPolicyParameters":"placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard"`
)

// member is a pod of the gang g.
func member(name string, annotations, spec string) string {
	return aPod(name, 1, `,"labels":{"applicationId":"g"},"annotations":{`+annotations+`}`, spec)
}

func placeholder(name, spec string) string {
	return member(name, `"yunikorn.apache.org/placeholder":"true","yunikorn.apache.org/task-group-name":"w"`, spec)
}

func TestAGangHoldsTheRoomOfItsTaskGroups(t *testing.T) {
	const declared = `"placeholder_ask":{"pods":2,"vcore":"2000m"},"gang_style":"Hard","placeholder_timeout":"1m0s"`
	const made = `"id":"g/w","app":"g","resources":{"pods":1,"vcore":"1000m"},"constraints":{"zone":["a"]},"task_group":"w","placeholder":true,"count":2`
	node := aNode("n", "", "", `"cpu":"4"`)
	driver := func(spec string) string { return member("driver", groupsOfTwo+","+hard, spec) }
	for name, c := range map[string]struct {
		listing string
		has     []string
		not     []string
	}{
		"none of it has pods": {list(node, driver("")), []string{declared, made, `"originator":true`}, nil},
		"placeholders wait and run": {list(node, driver(""), placeholder("h1", `"nodeName":"n"`), placeholder("h2", "")),
			[]string{declared, `"id":"ns/h1","app":"g","resources":{"pods":1,"vcore":"1000m"},"task_group":"w","placeholder":true,"placed_on":"n"`, `"id":"ns/h2"`}, []string{"g/w"}},
		"a task runs already, and placeholders are left": {list(node, driver(`"nodeName":"n"`), placeholder("h1", `"nodeName":"n"`), placeholder("h2", "")),
			[]string{`"placeholder_ask":{"pods":1,"vcore":"1000m"},"gang_style":"Hard"`, "ns/h1"}, []string{"g/w", "ns/h2"}},
		"all run": {list(node, driver(`"nodeName":"n"`), member("w1", `"yunikorn.apache.org/task-group-name":"w"`, `"nodeName":"n"`)),
			[]string{`"task_group":"w","placed_on":"n"`}, []string{"placeholder"}},
		"a group that needs none beside it": {list(node, member("driver", strings.Replace(groupsOfTwo, `[{`, `[{\"name\":\"spare\",\"minMember\":0,\"minResource\":{\"gpu\":\"1\"}},{`, 1)+","+hard, "")),
			[]string{declared, made}, []string{"spare", "gpu"}},
		"preempted as one":                 {list(node, member("driver", groupsOfTwo+","+strings.Replace(hard, "Hard", "Soft gangDisruption=unit", 1), "")), []string{`"gang_disruption":"unit"`}, nil},
		"groups that need none":            {list(node, member("driver", strings.Replace(groupsOfTwo, `2`, `0`, 1), "")), []string{`"id":"ns/driver"`}, []string{"placeholder"}},
		"placeholders without task groups": {list(node, placeholder("h1", ""), placeholder("h2", "")), []string{`"placeholder_ask":{"pods":2,"vcore":"2000m"}`}, []string{"gang_style", "placeholder_timeout"}},
	} {
		text, _, err := imported(t, Options{}, c.listing)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantParts(t, name, text, c.has, c.not)
	}
}
