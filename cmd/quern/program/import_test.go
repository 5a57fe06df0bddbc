package program

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// docs is the folder of the documents, from wherever a test stands.
var docs = func() string {
	folder, err := filepath.Abs("../../../docs")
	if err != nil {
		panic(err)
	}
	return folder
}()

func exampleFile(t *testing.T, name string) string {
	t.Helper()
	return read(t, filepath.Join(docs, "examples", name))
}

// imports are the examples of all formats, with a waiting ask and when it waits.
var imports = []struct {
	name       string
	args       []string
	files      []string
	ask, at    string
	placed     float64
	waits, err string
}{
	{"csv", []string{"csv", "--map", "sacct.toml", "--nodes", "sinfo.csv", "sacct.csv"}, []string{"sacct.toml", "sinfo.csv", "sacct.csv"},
		"4106", "30m", 7, "too little memory free", "left out: 1 row: State is not among those of jobs.only"},
	{"swf", []string{"swf", "--node-memory", "64Gi", "log.swf"}, []string{"log.swf"}, "4-1", "6m", 10, "belongs to gang 4", "left out: 1 job: cancelled before running"},
	{"swf by processors", []string{"swf", "--job-as", "processors", "log.swf"}, []string{"log.swf"}, "4-1", "6m", 65, "belongs to gang 4, of which 32 or more", "taken: 4 nodes"},
	{"swf with withdrawn jobs", []string{"swf", "--cancelled", "withdraw", "log.swf"}, []string{"log.swf"}, "4-1", "6m", 10, "belongs to gang 4", "taken: 4 nodes, 6 applications"},
	{"csv with gangs", []string{"csv", "--map", "trainings.toml", "trainings.csv"}, []string{"trainings.toml", "trainings.csv"},
		"t2-leader", "0s", 5, "requires one domain of level rack; none of 1 has room for 5", "note: 4 rows: no run time"},
	{"kubernetes", []string{"kubernetes", "cluster.json"}, []string{"cluster.json"}, "data/etl-exec-3", "last", 2,
		"without an allowed value of topology.kubernetes.io/zone", "occupied: 3 pods: of a DaemonSet"},
	{"history", []string{"history", "history.journal"}, []string{"history.journal"}, "ml/train-0", "2026-03-01T09:00:30Z", 3,
		"with too little vcore free", "in the recorded cluster: 3 asks placed; wait mean 18.33s"},
}

func TestWhatIsImportedReplaysAndExplainsItself(t *testing.T) {
	for _, c := range imports {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range c.files {
				files[name] = exampleFile(t, name)
			}
			folder(t, files)
			run := append([]string{"import", c.args[0], "-o", "out.journal"}, c.args[1:]...)
			quern("", run...).want(t, cli.Succeeded, "", c.err)
			first := read(t, "out.journal")
			r := quern("", "replay", "--json", "out.journal")
			r.want(t, cli.Succeeded, "", "")
			if r.count(t, "allocated") != c.placed || r.count(t, "rejected") != 0 {
				t.Errorf("expected %v allocations and no rejections\n%s", c.placed, r.out)
			}
			quern("", "explain", "--ask", c.ask, "--at", c.at, "out.journal").want(t, cli.Succeeded, c.waits, "")
			if quern("", run...); read(t, "out.journal") != first {
				t.Error("the same files make another journal")
			}
			apart := append([]string{"import", c.args[0], "--queues", "q.yaml"}, c.args[1:]...)
			r = quern("", apart...)
			r.want(t, cli.Succeeded, `{"type":"journal","version":1`, "taken: ")
			quern("", "validate", "q.yaml").want(t, cli.Succeeded, "q.yaml: valid", "")
			if strings.Contains(r.out, "config.set") {
				t.Error("the configuration is in the journal as well")
			}
			again := quern(r.out, "replay", "--json", "--config", "q.yaml", "-")
			again.want(t, cli.Succeeded, "", "")
			if again.count(t, "allocated") != c.placed {
				t.Errorf("with its queues in a file: %s", again.out)
			}
		})
	}
}

func TestImportsReadCompressedFilesAndStandardInput(t *testing.T) {
	for _, c := range imports {
		last := c.files[len(c.files)-1]
		files := map[string]string{}
		for _, name := range c.files {
			files[name] = gzipped(t, exampleFile(t, name))
		}
		folder(t, files)
		plain := quern("", append([]string{"import"}, c.args...)...)
		args := append([]string{"import"}, c.args[:len(c.args)-1]...)
		piped := quern(zstandard(t, exampleFile(t, last)), append(args, "-")...)
		if plain.code != cli.Succeeded || plain.out != piped.out {
			t.Errorf("%s: exit codes %d and %d\n%s%s", c.name, plain.code, piped.code, plain.err, piped.err)
		}
	}
}

func TestAnImportNamesTheFileThatItCannotReadToItsEnd(t *testing.T) {
	for _, c := range imports {
		files := map[string]string{}
		for _, name := range c.files {
			files[name] = exampleFile(t, name)
		}
		last := c.files[len(c.files)-1]
		whole := gzipped(t, files[last])
		for _, n := range []int{12, len(whole) - 9} { // before anything was read, and at the end
			files[last] = whole[:n]
			folder(t, files)
			r := quern("", append([]string{"import"}, c.args...)...)
			if r.want(t, cli.BadInput, "", last+": gzip: "); strings.Count(r.err, last) != 1 {
				t.Errorf("%s: expected the file once, found %s", c.name, r.err)
			}
			if r := quern(files[last], append(append([]string{"import"}, c.args[:len(c.args)-1]...), "-")...); r.code != cli.BadInput || strings.Count(r.err, "stdin: gzip: ") != 1 {
				t.Errorf("%s: expected stdin once, found %s", c.name, r.err)
			}
		}
	}
}

func TestAnImportWithErrorsLeavesWhatWasThere(t *testing.T) {
	files := map[string]string{"old": "old", "m.toml": "[jobs]\nid = \"id\"\n[jobs.resources]\nvcore = \"cpu\"\n", "jobs.csv": "id,cpu\na,1x\nb,1\nc,-1\n"}
	files["cut.swf.gz"] = gzipped(t, strings.Repeat(exampleFile(t, "log.swf"), 50))[:150]
	files["bad.json"] = `{"items": [{"kind": "Pod"}]}`
	folder(t, files)
	for _, c := range []struct {
		args string
		want []string
	}{
		{"csv --map m.toml -o old jobs.csv", []string{"jobs.csv:2:3: cpu (jobs.resources.vcore): expected ", "jobs.csv:4:3: cpu (jobs.resources.vcore): expected a quantity of zero or more"}},
		{"csv --map m.toml --nodes jobs.csv -o old jobs.csv", []string{"jobs.csv: nodes.id: expected the column of the names in the mapping, found none"}},
		{"csv --map jobs.csv -o old jobs.csv", []string{"jobs.csv:1:"}},
		{"csv -o old jobs.csv", []string{"--map: expected the mapping"}},
		{"csv --map m.toml", []string{"expected a list of jobs"}},
		{"csv --map m.toml -o old missing.csv", []string{"missing.csv"}},
		{"csv --map - -o old -", []string{"expected - once"}},
		{"csv --map m.toml -o jobs.csv jobs.csv", []string{"jobs.csv:2:3"}},
		{"csv --map m.toml --skip-bad 2 -o jobs.csv jobs.csv", []string{"--out: jobs.csv: expected a file of its own, found the input jobs.csv"}},
		{"csv --map m.toml --skip-bad 2 -o old --queues old jobs.csv", []string{"expected a file of its own, found that of --queues"}},
		{"csv --map m.toml --queues - jobs.csv", []string{"expected - for one of them"}},
		{"csv --map m.toml --skip-bad -1 jobs.csv", []string{"--skip-bad: expected a number of zero or more"}},
		{"csv --map m.toml --times soon jobs.csv", []string{"--times: expected durations or dates"}},
		{"swf -o old cut.swf.gz", []string{"cut.swf.gz: gzip: the file is incomplete"}},
		{"swf --queue-by hand -o old cut.swf.gz", []string{"--queue-by: expected one of queue, partition, user, group, none"}},
		{"swf --job-as threads -o old cut.swf.gz", []string{`--job-as: expected one of nodes, processors, ask, found "threads"`}},
		{"swf --failed drop -o old cut.swf.gz", []string{`--failed: expected one of keep, leave-out, found "drop"`}},
		{"swf --cancelled keep -o old cut.swf.gz", []string{`--cancelled: expected one of leave-out, withdraw, found "keep"`}},
		{"swf --node-memory much -o old cut.swf.gz", []string{"--node-memory: expected a quantity"}},
		{"swf --node-count -1 -o old cut.swf.gz", []string{"--node-count: expected a number from 1 to 1000000"}},
		{"kubernetes -o old bad.json", []string{"bad.json:1: Pod : metadata.name: expected a name, found nothing"}},
		{"kubernetes -o old m.toml", []string{"m.toml:1: expected "}},
		{"kubernetes -o old", []string{"expected LISTING..., found none"}},
	} {
		r := quern("", append([]string{"import"}, strings.Fields(c.args)...)...)
		for _, want := range c.want {
			r.want(t, cli.BadInput, "", want)
		}
		if r.out != "" || read(t, "old") != "old" || read(t, "jobs.csv") != files["jobs.csv"] {
			t.Errorf("%s: something was written:\n%s", c.args, r.out)
		}
		if left, _ := filepath.Glob(".*.tmp"); left != nil {
			t.Errorf("%s leaves %v", c.args, left)
		}
	}
	r := quern("", "import", "csv", "--map", "m.toml", "--skip-bad", "2", "-o", "old", "jobs.csv")
	r.want(t, cli.Succeeded, "", "left out: jobs.csv:4:3: cpu")
	r.want(t, cli.Succeeded, "", "left out: 2 items: cannot be read")
	quern("", "replay", "old").want(t, cli.Succeeded, "", "")
}

func TestAnImportThatIsInterruptedWritesNothing(t *testing.T) {
	folder(t, map[string]string{"log.swf": exampleFile(t, "log.swf"), "old": "old"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	code := run(ctx, []string{"import", "swf", "-o", "old", "log.swf"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	if code != cli.Failed || read(t, "old") != "old" || err.String() != "interrupted\n" {
		t.Errorf("exit code %d, %q", code, err.String())
	}
}

func TestEveryFlagOfAnImportIsOnThePageOfItsFormat(t *testing.T) {
	for _, c := range imports {
		format := c.args[0]
		file := "plan/import-" + format + ".md"
		if format == "history" {
			file = "kubernetes/history.md"
		}
		page := read(t, filepath.Join(docs, file))
		help := quern("", "import", format, "--help").out
		for _, m := range regexp.MustCompile(`--([a-z-]+) +[A-Zqs]`).FindAllStringSubmatch(help, -1) {
			if !strings.Contains(page, "--"+m[1]+" ") {
				t.Errorf("docs/%s: --%s is missing", file, m[1])
			}
		}
	}
}

// The reader of the openb trace and a mapping of its columns come to the same decisions.
func TestAMappingReadsTheOpenbTraceAsItsOwnReaderDoes(t *testing.T) {
	folder(t, map[string]string{"nodes.csv": exampleFile(t, "nodes.csv"), "pods.csv": exampleFile(t, "pods.csv"), "openb.toml": openbMapping})
	quern("", "import", "csv", "--map", "openb.toml", "--nodes", "nodes.csv", "-o", "out.journal", "pods.csv").want(t, cli.Succeeded, "", "taken: 3 nodes, 5 applications, 5 asks")
	mapped := quern("", "replay", "out.journal", "--out", "-", "--until", "last")
	own := quern("", "replay", "--trace", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv", "--out", "-")
	if own.code != cli.Succeeded || mapped.out != own.out || strings.Count(own.out, `"allocation"`) != 4 {
		t.Errorf("the mapping gives\n%s\nthe reader of the trace gives\n%s%s", mapped.out, own.out, own.err)
	}
}

const openbMapping = `
[nodes]
id = "sn"
[nodes.capacity]
vcore = {column = "cpu_milli", unit = "1m"}
memory = {column = "memory_mib", unit = "1Mi"}
gpu_milli = {column = "gpu", unit = 1000}
[nodes.attributes]
"gpu.model" = "model"
[jobs]
id = "name"
queue = {column = "qos", map = {LS = "root.ls", Guaranteed = "root.guaranteed", Burstable = "root.burstable", BE = "root.be"}, default = "root.be"}
priority = {column = "qos", map = {LS = 100, Guaranteed = 100, Burstable = 50, BE = 0}, default = 0}
submit = "creation_time"
removed = "deletion_time"
[jobs.resources]
vcore = {column = "cpu_milli", unit = "1m"}
memory = {column = "memory_mib", unit = "1Mi"}
gpu_milli = {column = "gpu_milli", unit = 1, times = "num_gpu"}
[jobs.constraints]
"gpu.model" = {column = "gpu_spec", split = "|"}
`

func TestTimeLimitsOfSlurmAreWalltimes(t *testing.T) {
	folder(t, map[string]string{"sacct.toml": exampleFile(t, "sacct.toml"), "sinfo.csv": exampleFile(t, "sinfo.csv"), "sacct.csv": exampleFile(t, "sacct.csv")})
	quern("", "import", "csv", "-o", "out.journal", "--map", "sacct.toml", "--nodes", "sinfo.csv", "sacct.csv").want(t, cli.Succeeded, "", "")
	for line := range strings.Lines(read(t, "out.journal")) {
		for ask, want := range map[string]string{"4102": "", "4103": `"walltime":"24h0m0s"`, "4106": `"walltime":"30m0s"`} { // 4102 is unlimited
			if strings.Contains(line, `"ask.add","id":"`+ask+`"`) && (strings.Contains(line, "walltime") != (want != "") || !strings.Contains(line, want)) {
				t.Errorf("expected %q in %s", want, line)
			}
		}
	}
}
