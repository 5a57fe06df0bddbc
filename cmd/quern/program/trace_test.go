package program

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// traceFiles generates a trace of a few nodes and pods of all classes.
func traceFiles(t *testing.T) map[string]string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	nodes := [][]string{{"sn", "cpu_milli", "memory_mib", "gpu", "model"}}
	for i := range 4 {
		nodes = append(nodes, []string{fmt.Sprintf("node-%d", i), "32000", "262144", fmt.Sprint(i % 2 * 4), []string{"", "T4"}[i%2]})
	}
	pods := [][]string{{"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "pod_phase", "creation_time", "deletion_time", "scheduled_time"}}
	classes := []string{"LS", "Guaranteed", "Burstable", "BE"}
	for i := range 40 {
		gpus := random.IntN(2)
		created := random.IntN(1000)
		pods = append(pods, []string{
			fmt.Sprintf("pod-%d", i), "4000", "8192", fmt.Sprint(gpus), fmt.Sprint(gpus * 500), []string{"", "T4"}[gpus], classes[i%4], "Running",
			fmt.Sprint(created), fmt.Sprint(created + 1 + random.IntN(500)), "",
		})
	}
	return map[string]string{"nodes.csv": table(t, nodes), "pods.csv": table(t, pods)}
}

func table(t *testing.T, rows [][]string) string {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestATraceIsFilledOrReplayedAtItsTimes(t *testing.T) {
	folder(t, traceFiles(t))
	trace := []string{"replay", "--json", "--out", "decisions", "--trace", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv"}
	fill := quern("", append(trace, "--speed", "fill")...)
	fill.want(t, cli.Succeeded, `"root.burstable"`, "")
	if fill.count(t, "asks") != 40 || fill.count(t, "nodes") != 4 || fill.count(t, "virtual_seconds") != 0 {
		t.Errorf("fill submits all 40 pods at once:\n%s", fill.out)
	}
	timed := quern("", trace...)
	timed.want(t, cli.Succeeded, "", "")
	if timed.count(t, "allocated") != 40 || timed.count(t, "pending") != 0 || timed.count(t, "virtual_seconds") < 900 {
		t.Errorf("at their times all 40 pods find room and leave:\n%s", timed.out)
	}
	if got := read(t, "decisions"); !strings.Contains(got, `"type":"release"`) {
		t.Error("no pod was deleted")
	}
}

const mapped = `[LS]
queue = "root.default"
priority = 7
[Guaranteed]
queue = "root.default"
priority = 6
[Burstable]
queue = "root.default"
priority = 5
[BE]
queue = "root.default"
priority = -3
`

func TestAMapSaysWhereClassesGo(t *testing.T) {
	files := traceFiles(t)
	files["map.toml"], files["queues.yaml"] = mapped, strings.Replace(queues, "{vcore: 1}\n", "{vcore: 100}\n", 2)
	files["class.toml"] = "[Gold]\nqueue = \"root.default\"\npriority = 1\n"
	files["key.toml"] = mapped + "colour = \"red\"\n"
	files["half.toml"] = "[LS]\nqueue = \"root.default\"\n"
	folder(t, files)
	trace := []string{"replay", "--out", "-", "--trace", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv", "--config", "queues.yaml", "--map"}
	quern("", append(trace, "map.toml")...).want(t, cli.Succeeded, `"queue":"root.default","node":"node-0","priority":-3`, "allocated")
	quern("", append(trace, "class.toml")...).want(t, cli.BadInput, "", "class.toml: Gold: expected a class")
	quern("", append(trace, "key.toml")...).want(t, cli.BadInput, "", "key.toml: BE.colour: expected queue or priority")
	quern("", append(trace, "half.toml")...).want(t, cli.BadInput, "", "half.toml: LS: expected both")
	quern("", append(trace, "none.toml")...).want(t, cli.BadInput, "", "none.toml")
}

func TestATraceWithAWrongLineIsBadInput(t *testing.T) {
	files := traceFiles(t)
	files["bad.csv"] = files["nodes.csv"] + "node-9,many,1,0,\n"
	folder(t, files)
	quern("", "replay", "--trace", "openb", "--nodes", "bad.csv", "--pods", "pods.csv").want(t, cli.BadInput, "", "bad.csv:6")
}
