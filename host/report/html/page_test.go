package html_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
	"github.com/quern-project/quern/host/workload"
)

// pageOf replays a journal and writes its report into a file.
func pageOf(t *testing.T, name, text string) string {
	t.Helper()
	return pageBeside(t, name, text, html.Playground{}, nil)
}

// pageBeside writes the report of a run that can be opened in a playground, beside other runs.
func pageBeside(t *testing.T, name, text string, playground html.Playground, beside *html.Comparison) string {
	t.Helper()
	books, scheduler := ledger.New(), scheduler.New(core.Options{})
	meter := ledger.Measure(books, ledger.Detail{Queues: true})
	page, limits := html.Collect(books, scheduler, meter), ledger.WatchLimits(books, scheduler)
	source := journal.NewDecoder(strings.NewReader(text), name, nil)
	outcome, err := replay.Run(scheduler, replay.Options{Source: source, Books: books})
	meta := html.Meta{Journal: name, Version: "test", Start: outcome.Start, End: outcome.End, Summary: &summary.Summary{Summary: books.Summary(&outcome.State)}, State: outcome.State}
	meta.Playground = playground
	meta.Summary.Limits, meta.Summary.Usage = limits.Peaks(), meter.Figures(outcome.End)
	if err != nil {
		var bad *journal.Error
		if !errors.As(err, &bad) {
			t.Fatal(err)
		}
		meta.Summary.Partial = &summary.Partial{Cause: summary.BadLine, Message: err.Error()}
	}
	meta.Absolute = source.Form() == journal.Absolute
	var b bytes.Buffer
	if err := page.Draw(meta).Write(&b, beside); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func demo(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if err := workload.Demo(&b, 1); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// thousandQueues is a tree of ten by ten by nine queues with an application in each leaf, half of which wait.
func thousandQueues() string {
	var config, inputs strings.Builder
	config.WriteString("partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n")
	for i := range 10 {
		fmt.Fprintf(&config, "    - name: division%d\n      queues:\n", i)
		for j := range 10 {
			fmt.Fprintf(&config, "      - name: team%d\n        queues:\n", j)
			for k := range 9 {
				fmt.Fprintf(&config, "        - name: project%d\n          resources:\n            guaranteed: {vcore: 1}\n            max: {vcore: 2}\n", k)
				queue := fmt.Sprintf("root.division%d.team%d.project%d", i, j, k)
				fmt.Fprintf(&inputs, `{"at":"%dms","type":"app.add","id":"%s","queue":"%s"}`+"\n", 1000+i*100+j, queue, queue)
				fmt.Fprintf(&inputs, `{"at":"%dms","type":"ask.add","id":"%s-ask","app":"%s","resources":{"vcore":1,"memory":"1Gi"},"run":"10m","count":4}`+"\n", 1000+i*100+j, queue, queue)
			}
		}
	}
	head := `{"at":"0s","type":"config.set","config":` + strconv.Quote(config.String()) + "}\n" +
		`{"at":"0s","type":"node.add","id":"big","capacity":{"vcore":1000,"memory":"8Ti"}}` + "\n"
	return head + inputs.String() + `{"at":"1h","type":"tick"}` + "\n"
}

// takings is a node whose allocations are preempted in three ways, by hostile names; an observing partition says the same
// and takes nobody.
func takings(observe bool) string {
	config := "partitions:\n- name: default\n  preemption: {observe: " + strconv.FormatBool(observe) + "}\n  queues:\n  - name: root\n    queues:\n" +
		"    - {name: a, resources: {guaranteed: {vcore: 2}}}\n    - {name: b, properties: {preemption.intra-queue: enabled}}\n"
	return `{"at":"0s","type":"config.set","config":` + strconv.Quote(config) + `}
{"at":"0s","type":"node.add","id":"<b>n1</b>","capacity":{"vcore":6}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"app.add","id":"b","queue":"root.b"}
{"at":"0s","type":"app.add","id":"c","queue":"root.b"}
{"at":"0s","type":"ask.add","id":"<img src=x onerror=window.taken=7>","app":"b","resources":{"vcore":2},"count":3}
{"at":"1s","type":"ask.add","id":"<script>window.taken=8</script>","app":"a","resources":{"vcore":2}}
{"at":"40s","type":"ask.add","id":"urgent","app":"c","priority":5,"resources":{"vcore":2}}
{"at":"80s","type":"ask.add","id":"bound","app":"a","node":"<b>n1</b>","resources":{"vcore":2}}
{"at":"90s","type":"tick"}
`
}

// shared is a cluster with limits, gangs and a quota that shrinks; names of users, groups and gangs have markup.
const shared = `{"at":"0s","type":"config.set","config":"partitions: [{name: default, preemption: {quotapreemptionenabled: true}, limits: [{groups: [dev], maxresources: {vcore: 16}, maxapplications: 4}], queues: [{name: root, queues: [{name: a, properties: {quota.preemption.delay: 1m}, resources: {max: {vcore: 8}}, limits: [{users: ['*'], maxresources: {vcore: 6}}]}, {name: b}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":12}}
{"at":"1s","type":"app.add","id":"x","queue":"root.a","user":"<img src=x onerror=window.taken=9>","groups":["dev"]}
{"at":"1s","type":"ask.add","id":"x","app":"x","resources":{"vcore":2},"count":4}
{"at":"2s","type":"app.add","id":"y","queue":"root.b","groups":["dev"],"placeholder_ask":{"vcore":4},"placeholder_timeout":"30s"}
{"at":"2s","type":"ask.add","id":"hold","app":"y","placeholder":true,"task_group":"g","resources":{"vcore":2},"count":2}
{"at":"5s","type":"ask.add","id":"task","app":"y","task_group":"g","resources":{"vcore":2}}
{"at":"5s","type":"app.add","id":"z","queue":"root.b","user":"eve","groups":["dev"]}
{"at":"5s","type":"ask.add","id":"z","app":"z","gang":"<i>g</i>","gang_min":2,"resources":{"vcore":2},"count":2}
{"at":"5m","type":"config.set","config":"partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, queues: [{name: a, properties: {quota.preemption.delay: 1m}, resources: {max: {vcore: 3}}}, {name: b}]}]}]"}
{"at":"10m","type":"tick"}
`

// hostileNames has markup wherever a name may stand.
const hostileNames = `{"at":"0s","type":"node.add","id":"</script><script>window.taken=1</script>","capacity":{"vcore":1,"<b>\"gpu'":4},"attributes":{"<i>zone":"a"}}
{"at":"1s","type":"app.add","id":"\"'><img src=x onerror=window.taken=2>","queue":"root.default"}
{"at":"1s","type":"ask.add","id":"<script>window.taken=3</script>","app":"\"'><img src=x onerror=window.taken=2>","resources":{"vcore":1,"<b>\"gpu'":1}}
{"at":"2s","type":"ask.add","id":"<!--<script>\u2028 $& %DATA% \"'` + "`" + `${window.taken=4}","app":"\"'><img src=x onerror=window.taken=2>","resources":{"vcore":1},"constraints":{"<i>zone":["a","</li><script>window.taken=5</script>"]}}
{"at":"1h","type":"tick"}
`
const nameOfTheLongest = "<!--<script>\u2028 $& %DATA% \"'`${window.taken=4}"
