package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

// governed is a cluster with limits, access lists and placement rules, in which an application runs.
const governed = `{"type":"config.set","config":"partitions: [{name: default, preemption: {quotapreemptionenabled: true}, placementrules: [{name: tag, value: namespace, create: true, ` +
	`parent: {name: fixed, value: root.teams}}, {name: fixed, value: root.lab}], ` +
	`queues: [{name: root, queues: [{name: lab, submitacl: 'ann,bob course', adminacl: 'tina', properties: {quota.preemption.delay: 1m}, ` +
	`limits: [{users: [ann], maxresources: {vcore: 3}}, {groups: [course], maxapplications: 2}]}, {name: teams, parent: true, submitacl: '*'}]}]}]"}
{"type":"node.add","id":"n1","capacity":{"vcore":4}}
{"type":"app.add","id":"a1","user":"ann","queue":""}
{"type":"ask.add","id":"k1","app":"a1","resources":{"vcore":2}}`

func TestWhatUsersMayDoAndUseIsExplained(t *testing.T) {
	l := start(t)
	l.submit(governed)
	for path, has := range map[string]string{
		"/v1/limits":                                                  `"text": "In root.lab, user ann uses 2 of 3 vcore."`,
		"/v1/limits?user=ann":                                         `"user": "ann"`,
		"/v1/limits?user=bob&groups=course":                           `"text": "No limit applies to a live application of user bob, group course."`,
		"/v1/limits?user=":                                            `of user \"\"`,
		"/v1/queues/root.lab/explanation?user=ann":                    `"text": "User \"ann\" may submit to queue root.lab by the user in submitacl of root.lab, and may not administer it."`,
		"/v1/queues/root.lab/explanation?user=eve&groups=course":      `by the group \"course\" in submitacl of root.lab`,
		"/v1/queues/root.lab/explanation?user=":                       `may neither submit`,
		"/v1/queues/root.lab/explanation?max=vcore%3D1":               `"id": "k1"`,
		"/v1/queues/root.lab/explanation?max=vcore%3D9":               `"victims": []`,
		"/v1/placement?user=ann":                                      `"queue": "root.lab"`,
		"/v1/placement?user=eve&tag=namespace%3Dweb&tag=team%3Da%3Db": `"queue": "root.teams.web"`,
		"/v1/placement?user=eve&to=root.lab":                          `"to": "root.lab"`,
		"/v1/placement?partition=gpu":                                 `"reason": "unknown-partition"`,
	} {
		if r := l.do("GET", path, ""); r.status != http.StatusOK || !strings.Contains(r.body, has) {
			t.Errorf("%s: expected %s, found %+v", path, has, r)
		}
	}
	for path, c := range map[string]struct {
		status int
		has    string
	}{
		"/v1/queues/root.none/explanation?user=ann":            {404, "root.none"},
		"/v1/queues/root.none/explanation?max=vcore%3D1":       {404, "root.none"},
		"/v1/queues/root.lab/explanation?max=4":                {400, "max: expected type=amount"},
		"/v1/queues/root.lab/explanation?max=":                 {400, "max: expected type=amount"},
		"/v1/queues/root.lab/explanation?max=vcore%3D-1":       {400, "max: vcore: "},
		"/v1/queues/root.lab/explanation?max=vcore%3D1&user=a": {400, "max: expected no user beside it"},
		"/v1/queues/root.lab/explanation?groups=a":             {400, "groups: expected a user beside them"},
		"/v1/queues/root.lab/explanation?user=a&user=b":        {400, "user: expected one value"},
		"/v1/queues/root.lab/explanation?user=a&groups=b,,c":   {400, "groups: expected names joined by commas"},
		"/v1/queues/root.lab/explanation?tag=a%3Db":            {400, "expected one of max, user, groups"},
		"/v1/apps/a1/explanation?user=a":                       {400, "expected no parameter"},
		"/v1/limits?groups=,":                                  {400, "groups: "},
		"/v1/limits?max=vcore%3D1":                             {400, "expected one of user, groups"},
		"/v1/placement?tag=namespace":                          {400, "tag: expected name=value"},
		"/v1/placement?tag=%3Da":                               {400, "tag: expected name=value"},
		"/v1/placement?tag=a%3D1&tag=a%3D2":                    {400, "tag: expected each name once"},
		"/v1/placement?queue=root.lab":                         {400, "expected one of user, groups, to, tag, partition"},
	} {
		if r := l.do("GET", path, ""); r.status != c.status || !strings.Contains(r.body, c.has) {
			t.Errorf("%s: expected %d and %s, found %+v", path, c.status, c.has, r)
		}
	}
}

func TestWhoAmI_RolesAndUsage(t *testing.T) {
	l := guarded(t, "ann=submitter", "eva=viewer", "op=operator", "root=admin", "rm")
	if r := l.as("root", governed); r.status != http.StatusOK {
		t.Fatalf("found %+v", r)
	}
	for path, may := range map[string]string{
		"/v1/limits":                                              "op root",
		"/v1/limits?user=ann":                                     "ann op root",
		"/v1/limits?user=ann&groups=course":                       "op root",
		"/v1/limits?groups=course":                                "op root",
		"/v1/limits?user=":                                        "op root",
		"/v1/placement?user=eva":                                  "eva op root",
		"/v1/placement?user=eva&groups=course":                    "op root",
		"/v1/placement":                                           "op root",
		"/v1/queues/root.lab/explanation?user=ann":                "ann op root",
		"/v1/queues/root.none/explanation?user=ann":               "ann op root",
		"/v1/queues/root.lab/explanation?user=eva&groups=all,ops": "op root",
		"/v1/queues/root.lab/explanation?max=vcore%3D1":           "op root",
	} {
		for _, user := range []string{"ann", "eva", "op", "root", "rm"} {
			r := l.do("GET", path, "", "Authorization", "Bearer "+user)
			if told := r.status != http.StatusForbidden; told != strings.Contains(" "+may+" ", " "+user+" ") {
				t.Errorf("%s asks %s: found %d %s", user, path, r.status, r.body)
			}
		}
	}
}

// The text for people is in the object, so that the program, the dashboard and clients of gRPC say the same.
func TestAnExplanationOfAnAllocationSaysWhyItIsThere(t *testing.T) {
	l := start(t)
	l.submit(`{"type":"node.add","id":"n1","capacity":{"vcore":4}}
{"type":"node.add","id":"n2","capacity":{"vcore":8}}
{"type":"node.add","id":"tiny","capacity":{"vcore":1}}
{"type":"app.add","id":"a1","queue":"root.default"}
{"type":"ask.add","id":"k1","app":"a1","resources":{"vcore":2}}`)
	l.submit(`{"type":"ask.add","id":"k2","app":"a1","resources":{"vcore":6}}`)
	for ask, has := range map[string]string{
		"k1": "2 nodes would take it, and policy fair prefers",
		"k2": "Node n2 was the only one that would take it.",
	} {
		r := l.do("GET", "/v1/asks/"+ask+"/explanation", "")
		if r.status != http.StatusOK || !strings.Contains(r.body, has) || !strings.Contains(r.body, "It was submitted and allocated at ") ||
			!strings.Contains(r.body, `"reason": "too-small"`) || !strings.Contains(r.body, `"candidates": [`) {
			t.Errorf("%s: expected %s, found %+v", ask, has, r)
		}
	}
}
