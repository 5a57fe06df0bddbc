package yunikorn

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/auth"
)

func TestWhatIsNotThereAndWhatCannotBeUsed(t *testing.T) {
	l := rich(t)
	const p = "/ws/v1/partition/default"
	for path, status := range map[string]int{
		"/ws/v1":                                                  404,
		"/ws/v1/nothing":                                          404,
		"/ws/v2/queues":                                           404,
		"/ws/v1/partition/none/queues":                            404,
		"/ws/v1/partition/%5Brm%5Dnone/nodes":                     404,
		"/ws/v1/partition/default%00/queues":                      404,
		"/ws/v1/partition/none/placementrules":                    404,
		"/ws/v1/partition/none/usage/users":                       404,
		"/ws/v1/partition/none/usage/user/ann":                    404,
		"/ws/v1/partition/none/usage/groups":                      404,
		"/ws/v1/partition/none/usage/group/vision":                404,
		"/ws/v1/partition/none/node/n1":                           404,
		"/ws/v1/partition/none/queue/root":                        404,
		"/ws/v1/partition/none/application/gang":                  404,
		"/ws/v1/partition/none/applications/active":               404,
		"/ws/v1/partition/none/queue/root.batch/applications":     404,
		"/ws/v1/partition/gpu/node/n1":                            404, // of another partition
		"/ws/v1/partition/gpu/application/gang":                   404,
		"/ws/v1/partition/gpu/queue/root.batch":                   404,
		"/ws/v1/partition/gpu/usage/user/eve":                     404,
		p + "/queue/root.none":                                    404,
		p + "/queue/batch":                                        404,
		p + "/queue/root..batch":                                  400,
		p + "/queue/root.%20":                                     400,
		p + "/queue/.":                                            404, // the path is cleaned before it is read
		p + "/queue/%2E":                                          400,
		p + "/queue/root%22":                                      400,
		p + "/queue/" + strings.Repeat("a.", 2000) + "a":          404,
		p + "/queue/root%0A/applications":                         400,
		p + "/queue/root.none/applications":                       404,
		p + "/queue/root.batch/applications/running":              400,
		p + "/queue/root.batch/application/gang":                  404, // of another queue
		p + "/queue/root.batch/application/none":                  404,
		p + "/queue/root%5C/application/gang":                     400,
		p + "/queue/root.none/application/gang":                   404,
		p + "/node/none":                                          404,
		p + "/node/%00":                                           400,
		p + "/node/%FF":                                           400,
		p + "/node/" + strings.Repeat("n", 2000):                  400,
		p + "/application/none":                                   404,
		p + "/application/%01":                                    400,
		p + "/application/models":                                 404, // of another partition
		p + "/applications/done":                                  400,
		p + "/applications/completed?status=running":              400,
		p + "/applications/active?status=finished":                400,
		p + "/applications/active?status=running,":                200,
		p + "/usage/user/none":                                    404,
		p + "/usage/user/%0d":                                     400,
		p + "/usage/group/staff":                                  404, // no limit names it
		p + "/usage/group/%0d":                                    400,
		"/ws/v1/events/batch?count=0":                             400,
		"/ws/v1/events/batch?count=-1":                            400,
		"/ws/v1/events/batch?count=many":                          400,
		"/ws/v1/events/batch?count=":                              400,
		"/ws/v1/events/batch?count=99999999999999999999999999999": 400,
		"/ws/v1/events/batch?count=1000000":                       200,
		"/ws/v1/events/batch?start=-1":                            400,
		"/ws/v1/events/batch?start=x":                             400,
		"/ws/v1/events/batch?start=999999":                        200,
		"/ws/v1/events/stream?count=-1":                           400,
		"/ws/v1/events/stream?count=x":                            400,
	} {
		r := l.do("GET", path, "")
		if r.status != status {
			t.Errorf("%.80s: expected %d, found %d %.200s", path, status, r.status, r.body)
		}
		if r.status < 400 {
			continue
		}
		var f struct {
			Code        int     `json:"status_code"`
			Message     *string `json:"message"`
			Description *string `json:"description"`
		}
		d := json.NewDecoder(strings.NewReader(r.body))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil || f.Code != status || f.Message == nil || *f.Message == "" || f.Description == nil || *f.Description != http.StatusText(status) {
			t.Errorf("%.80s: %v, %s", path, err, r.body)
		}
	}
	for _, wrong := range []struct{ method, path string }{{"POST", "/ws/v1/clusters"}, {"POST", p + "/queues"}, {"GET", "/ws/v1/validate-conf"}} {
		if r := l.do(wrong.method, wrong.path, ""); r.status != http.StatusMethodNotAllowed {
			t.Errorf("%v: found %d", wrong, r.status)
		}
	}
}

func TestConfigurationsAreValidated(t *testing.T) {
	l := begin(t)
	for text, reason := range map[string]string{
		"":               "",
		"partitions: [":  "configuration:1:1",
		"partitions: []": "partitions",
		"partitions: [{name: a, x: 1, queues: [{name: b}]}]":                                                                "expected",
		"partitions: [{queues: [{name: b, properties: {application.sort.policy: not-there}}]}]":                             "a loaded policy",
		"partitions: [{queues: [{name: root, queues: [{name: b, resources: {guaranteed: {vcore: 2}, max: {vcore: 1}}}]}]}]": "guaranteed",
	} {
		r := l.do("POST", "/ws/v1/validate-conf", text)
		var v validated
		if err := json.Unmarshal([]byte(r.body), &v); err != nil || r.status != http.StatusOK {
			t.Fatalf("%q: %d %s", text, r.status, r.body)
		}
		if v.Allowed || v.Reason == "" || !strings.Contains(v.Reason, reason) {
			t.Errorf("%q: expected a reason with %q, found %s", text, reason, r.body)
		}
	}
	l.submit(`{"type":"app.add","id":"a","queue":"root.default","user":"u"}`)
	r := l.do("POST", "/ws/v1/validate-conf", "partitions: [{name: default, queues: [{name: root, queues: [{name: default, queues: [{name: below}]}]}]}]")
	if r.status != http.StatusOK || !strings.Contains(r.body, `"allowed":false`) || !strings.Contains(r.body, "root.default") {
		t.Errorf("a leaf that has an application becomes a parent: %d %s", r.status, r.body)
	}
	if r := l.do("POST", "/ws/v1/validate-conf", strings.Repeat("#", mostConfiguration+1)); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("too large: %d %s", r.status, r.body)
	}
}

func TestReadingNeedsAViewerAndDebuggingAnAdministrator(t *testing.T) {
	for _, r := range (&API{}).Routes() {
		needs := auth.Viewer
		switch {
		case strings.HasSuffix(r.Pattern, " /ws/"):
			needs = auth.Anyone // there is nothing to be seen
		case strings.Contains(r.Pattern, " /debug/"):
			needs = auth.Admin
		}
		if r.Needs != needs {
			t.Errorf("%s needs %v, expected %v", r.Pattern, r.Needs, needs)
		}
	}
}
