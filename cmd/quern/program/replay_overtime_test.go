package program

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// uneven uses 4 of 8 cores for 10 s, 8 for the next 10 s, 2 for the last 20 s, and none afterwards.
const uneven = `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: a}, {name: b}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":8}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"app.add","id":"b","queue":"root.b"}
{"at":"0s","type":"ask.add","id":"a1","app":"a","priority":5,"resources":{"vcore":4},"run":"20s"}
{"at":"10s","type":"ask.add","id":"b1","app":"b","resources":{"vcore":4},"run":"10s"}
{"at":"15s","type":"ask.add","id":"b2","app":"b","resources":{"vcore":2},"run":"20s"}
{"at":"16s","type":"ask.add","id":"b3","app":"b","resources":{"vcore":9}}
{"at":"50s","type":"tick"}
`

func TestTheSummaryMeasuresARunOverItsTime(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven})
	r := quern("", "replay", "--json", "uneven")
	var got map[string]any
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatalf("%v in\n%s", err, r.out)
	}
	for path, want := range map[string]string{
		"makespan_seconds":                     `40`,
		"pending_mean":                         `0.78`, // b2 for 5 s and b3 for 34 s, of 50 s
		"pending_peak":                         `2`,
		"oldest_pending_seconds":               `34`,
		"wait_seconds":                         `{"max":5,"mean":1.666666666,"p50":0,"p90":5,"p99":5}`,
		"cluster/vcore/used_mean":              `"3200m"`, // (40 + 80 + 40) / 50
		"cluster/vcore/used_mean_milli":        `3200`,
		"cluster/vcore/used_peak_milli":        `8000`,
		"cluster/vcore/used_peak_at_seconds":   `10`,
		"cluster/vcore/capacity_milli":         `8000`,
		"cluster/vcore/utilization_mean":       `0.4`,
		"cluster/vcore/utilization_peak":       `1`,
		"queues/root.a/used_mean":              `{"vcore":"1600m","vcore_milli":1600}`,
		"queues/root.b/used_peak":              `{"vcore":"4000m","vcore_milli":4000}`,
		"queues/root.a/pending_mean":           `0`,
		"queues/root.b/pending":                `1`,
		"queues/root.b/oldest_pending_seconds": `34`,
		"queues/root.b/allocated":              `2`,
		"queues/root.b/wait_seconds/mean":      `2.5`,
		"priorities": `[{"allocated":1,"priority":5,"wait_seconds":{"max":0,"mean":0,"p50":0,"p90":0,"p99":0}},` +
			`{"allocated":2,"priority":0,"wait_seconds":{"max":5,"mean":2.5,"p50":0,"p90":5,"p99":5}}]`,
	} {
		var at any = got
		for _, key := range strings.Split(path, "/") {
			at = at.(map[string]any)[key]
		}
		if found, _ := json.Marshal(at); string(found) != want {
			t.Errorf("%s: expected %s, found %s", path, want, found)
		}
	}
}

func TestTheSummaryHasCurvesOfTheQueues(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "instant": `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":8}}`})
	r := quern("", "replay", "--json", "uneven")
	var o struct {
		OverTime struct {
			Step    float64              `json:"step_seconds"`
			Pending []float64            `json:"pending"`
			Used    map[string][]float64 `json:"used"`
			Queues  map[string]struct {
				Pending []float64            `json:"pending"`
				Wait    []*float64           `json:"wait_seconds"`
				Used    map[string][]float64 `json:"used"`
			} `json:"queues"`
		} `json:"over_time"`
	}
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatal(err)
	}
	c := o.OverTime
	if c.Step != 0.5 || len(c.Pending) != 100 || len(c.Queues) != 3 || len(c.Used["vcore_milli"]) != 100 {
		t.Fatalf("expected 100 points of 0.5 s of three queues, found %+v", c)
	}
	for second, want := range map[float64][3]float64{5: {4000, 4000, 0}, 12: {8000, 4000, 4000}, 25: {2000, 0, 2000}, 45: {0, 0, 0}} {
		i := int(second / c.Step)
		found := [3]float64{c.Used["vcore_milli"][i], c.Queues["root.a"].Used["vcore_milli"][i], c.Queues["root.b"].Used["vcore_milli"][i]}
		if found != want {
			t.Errorf("at %v s: expected %v of root, a and b, found %v", second, want, found)
		}
	}
	if w := c.Queues["root.b"].Wait; w[40] == nil || *w[40] != 5 || w[41] != nil {
		t.Errorf("expected the wait of b2 at 20 s and none beside it, found %v", w[39:43])
	}
	for line := range strings.Lines(r.out) {
		if strings.Contains(line, `"vcore_milli": [`) && !strings.Contains(line, "]") {
			t.Errorf("expected a curve on a line, found %q", line)
		}
	}
	quern("", "replay", "--json", "instant").want(t, cli.Succeeded, `"utilization_mean": 0,`, "")
	if r := quern("", "replay", "instant"); strings.Contains(r.out, "over time") || strings.Contains(r.out, "makespan") {
		t.Errorf("a run of one instant has nothing over time:\n%s", r.out)
	}
}

func TestTheSummaryShowsAveragesPeaksAndPriorities(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven})
	r := quern("", "replay", "uneven")
	found := strings.Join(strings.Fields(r.out), " ")
	for _, want := range []string{
		"makespan 40s; pending asks: 0.78 on average, 2 at the peak", "capacity mean peak", "0 8 40 % 100 %",
		"over time vcore pending wait mean p90 root 3.2, 8 0.78, 2 1.67s 5s a 1.6, 4 – 0s 0s b 1.6, 4 0.78, 2 2.5s 5s",
		"priority allocated wait mean p50 p90 p99 max 5 1 0s 0s 0s 0s 0s 0 2 2.5s 0s 5s 5s 5s",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("expected %q in\n%s", want, r.out)
		}
	}
}
