package csvfile

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/importing/importtest"
)

// imported is the journal of lists without its first two lines, the tally, and the errors.
func imported(t testing.TB, mapping, nodes, jobs string, o importing.Options) (text, tally string, err error) {
	t.Helper()
	m, err := ReadMapping("m.toml", []byte(mapping))
	if err != nil {
		return "", "", err
	}
	return importtest.Journal(t, o, importing.Layout{}, func(s *importing.Sink) error {
		if err := m.GiveMachines(s); err != nil {
			return err
		}
		if nodes != "" {
			if err := m.ReadNodes(strings.NewReader(nodes), "n.csv", s); err != nil {
				return err
			}
		}
		return m.ReadJobs(strings.NewReader(jobs), "j.csv", s)
	})
}

const plain = `
[jobs]
id = "id"
submit = "at"
run = "run"
[jobs.resources]
vcore = "cpu"
`

func TestEveryFieldOfAJobMayComeFromAColumn(t *testing.T) {
	const mapping = `
[csv]
separator = ";"
comment = "#"
empty = ["-"]
[time]
format = "2006-01-02 15:04"
zone = "-01:00"
[nodes]
id = "host"
only = {state = ["up"]}
[nodes.capacity]
vcore = "cpus"
memory = {column = "mem", unit = "1Mi"}
[nodes.attributes]
zone = {column = "zone", default = "z0"}
cloud = {value = "own"}
[jobs]
id = {column = "id", prefix = "j-"}
app = "app"
queue = {column = "team", map = {ml = "root.ml", "*" = "root.other"}}
user = "user"
groups = {column = "groups", split = ","}
submit = "at"
start = "start"
end = "end"
priority = {column = "prio", default = 7}
count = "tasks"
gang = true
node = "where"
[jobs.resources]
vcore = {column = "milli", unit = "1m", times = "factor"}
memory = {column = "mem", binary = true, per = "tasks"}
gpu = {column = "tres", pattern = 'gpu=(\d+)'}
[jobs.constraints]
zone = {column = "zones", split = "|"}
[jobs.tags]
source = {value = "csv"}
`
	const nodes = "\ufeffhost;cpus;mem;zone;state\nn1;4;1024;a;up\n# a comment\nn2;0.5;1.5;-;up\nn3;1;1;a;down\n"
	const jobs = `id;app;team;user;groups;at;start;end;prio;tasks;where;milli;factor;mem;tres;zones
2;a;ml;ann;"x, y";2026-03-01 10:05;2026-03-01 10:06;2026-03-01 11:06;-;3;-;100.5;2;7K;cpu=1,gpu=2;a|b|a
1;-;ops;-;-;2026-03-01 10:00;-;-;-3;1;n1;1;1;1.5G;cpu=1;-
`
	text, tally, err := imported(t, mapping, nodes, jobs, importing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"at":"0s","type":"node.add","id":"n1","capacity":{"memory":1073741824,"vcore":"4000m"},"attributes":{"cloud":"own","zone":"a"}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"memory":1572864,"vcore":"500m"},"attributes":{"cloud":"own","zone":"z0"}}
{"at":"0s","type":"app.add","id":"j-1","queue":"root.other","tags":{"source":"csv"}}
{"at":"0s","type":"ask.add","id":"j-1","app":"j-1","resources":{"memory":1610612736,"vcore":"1m"},"priority":-3,"node":"n1"}
{"at":"5m0s","type":"app.add","id":"a","queue":"root.ml","user":"ann","groups":["x","y"],"tags":{"source":"csv"}}
{"at":"5m0s","type":"ask.add","id":"j-2","app":"a","resources":{"gpu":2,"memory":2390,"vcore":"201m"},"priority":7,"constraints":{"zone":["a","b"]},"gang":"j-2","gang_min":3,"run":"1h0m0s","count":3}
`
	if text != want {
		t.Errorf("got\n%s", text)
	}
	const counted = "taken: 2 nodes, 2 applications, 4 asks\nleft out: 1 row: state is not among those of nodes.only\n" +
		"note: 1 row: no run time; the allocation never ends"
	if tally != counted {
		t.Errorf("got\n%s", tally)
	}
}

func TestCSV_WithoutHeaderColumnsFromTheMapping(t *testing.T) {
	mapping := `
[jobs]
columns = ["id", "cpu", "n"]
id = "id"
count = "n"
[jobs.resources]
vcore = "cpu"
[[machines]]
name = "m"
count = 2
capacity = {vcore = "4", memory = "1Gi"}
attributes = {zone = "a"}
[[machines]]
name = "big"
capacity = {vcore = "64"}
`
	text, tally, err := imported(t, mapping, "", "a,1,2\nb,0,1\nc,1,0\n", importing.Options{})
	const want = `{"at":"0s","type":"node.add","id":"m-1","capacity":{"memory":1073741824,"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"0s","type":"node.add","id":"m-2","capacity":{"memory":1073741824,"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"0s","type":"node.add","id":"big","capacity":{"vcore":"64000m"}}
{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"a","app":"a","resources":{"vcore":"1000m"},"count":2}
`
	if err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	for _, line := range []string{"left out: 1 row: no resources requested", "left out: 1 row: the count is 0", "note: 1 row: no run time"} {
		if !strings.Contains(tally, line) {
			t.Errorf("%q is not in\n%s", line, tally)
		}
	}
}

func TestARemovedJobIsWithdrawnAtTheEarliestWhenItComes(t *testing.T) {
	mapping := strings.Replace(plain, `run = "run"`, `removed = "gone"`, 1)
	text, tally, err := imported(t, mapping, "", "id,at,gone,cpu\na,0,90,1\nb,60,30,1\nc,120,,1\n", importing.Options{})
	const want = `{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"a","app":"a","resources":{"vcore":"1000m"}}
{"at":"1m0s","type":"app.add","id":"b","queue":"root.default"}
{"at":"1m0s","type":"ask.add","id":"b","app":"b","resources":{"vcore":"1000m"}}
{"at":"1m0s","type":"app.remove","id":"b"}
{"at":"1m30s","type":"app.remove","id":"a"}
{"at":"2m0s","type":"app.add","id":"c","queue":"root.default"}
{"at":"2m0s","type":"ask.add","id":"c","app":"c","resources":{"vcore":"1000m"}}
`
	if err != nil || text != want || !strings.Contains(tally, "note: 1 row: no run time") {
		t.Errorf("%v\n%s%s", err, text, tally)
	}
}

func TestABadRowNamesFileLineColumnAndKey(t *testing.T) {
	const header = "id,at,run,cpu\n"
	for jobs, want := range map[string]string{
		"":                          "j.csv:1: expected a header with the names of the columns, or jobs.columns in the mapping, found nothing\nthe rest was not read",
		"id,at\n":                   "j.csv:1: run: expected the column, which jobs.run of the mapping names, found none\nj.csv:1: cpu: expected the column, which jobs.resources.vcore of the mapping names, found none\nthe rest was not read",
		"id,at,run,cpu,id\n":        "j.csv:1: id: expected the column once, found it twice\nthe rest was not read",
		header + "a,0,1,1\nb,0,1\n": "j.csv:3: expected 4 fields, found 3",
		header + "\na,0,1,1x\n":     `j.csv:3:7: cpu (jobs.resources.vcore): expected a quantity with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or an exponent such as e3, found "1x"`,
		header + "a,soon,-1,1\n":    `j.csv:2:3: at (jobs.submit): expected a number of seconds or of another time.unit, within 290 years of 1970, found "soon"` + "\n" + `j.csv:2:8: run (jobs.run): expected a duration of zero or more: a number of s, 1h30m or 1-12:30:00, found "-1"`,
		header + ",0,1,1\n":         "j.csv:2:1: id (jobs.id): expected the name of the job, found nothing",
		header + "a,,1,1\n":         "j.csv:2:3: at (jobs.submit): expected a number of seconds or of another time.unit, within 290 years of 1970, found nothing",
		header + "a,1e999,1,1\n":    `j.csv:2:3: at (jobs.submit): expected a number of seconds or of another time.unit, within 290 years of 1970, found "1e999"`,
		header + "a\xff,0,1,1\n":    `j.csv:2:1: id (jobs.id): expected text in UTF-8, found "a\xff"`,
		header + strings.Repeat("a", 1025) + ",0,1,1\n": "j.csv:2: expected shorter texts, found the ID has 1025 bytes, more than 1024",
		header + "a,0,1,-1\n":                           `j.csv:2:7: cpu (jobs.resources.vcore): expected a quantity of zero or more, found "-1"`,
		header + "a,0,1,\"1\n":                          "j.csv:2:10: expected a quote that closes the field, and then a separator, found none",
		header + "a,0,1,1\"\n":                          "j.csv:2:8: expected quotes around a whole field, and two quotes in the place of each inside, found a quote",
		header + "a,0,1,\"" + long + "x":                "j.csv:2: expected at most 1 MiB, and a quote that closes each that opens, found a longer row\nthe rest was not read",
	} {
		_, _, err := imported(t, plain, "", jobs, importing.Options{})
		if err == nil || err.Error() != want {
			t.Errorf("%.60q:\ngot  %v\nwant %s", jobs, err, want)
		}
	}
}

var long = strings.Repeat("line\n", 1<<19)

func TestBadRowsMayBeLeftOut(t *testing.T) {
	text, _, err := imported(t, plain, "", "id,at,run,cpu\na,0,1,x\nb,0,1,1\nc,0,1\n", importing.Options{SkipBad: 2})
	if err != nil || !strings.Contains(text, `"id":"b"`) || strings.Contains(text, `"id":"a"`) {
		t.Errorf("%v\n%s", err, text)
	}
	if _, _, err := imported(t, plain, "", "id,at\na,0\n", importing.Options{SkipBad: 5}); err == nil {
		t.Error("a list without the columns passes where rows may be left out")
	}
	if _, _, err := imported(t, plain, "", "id,at,run,cpu\na,0,1,x\nb,0,1,1\nc,0,1\n", importing.Options{SkipBad: 1}); err == nil {
		t.Error("two bad rows pass where one may be left out")
	}
}

func TestValuesOutOfBoundsAreErrors(t *testing.T) {
	const mapping = plain + "gpu = {column = \"gpu\", unit = \"1E\", per = \"n\"}\n"
	jobs := strings.Replace(mapping, `id = "id"`, "id = \"id\"\nqueue = \"q\"\ncount = \"n\"\npriority = {column = \"p\", map = {low = 0, odd = 1.5}}\nstart = \"s\"\nend = \"e\"", 1)
	jobs = strings.Replace(jobs, "run = \"run\"\n", "", 1)
	for row, want := range map[string]string{
		"a,0,1,root.a,1,low,1,2,1":    "",
		"a,0,1,b,1,low,1,2,1":         "q (jobs.queue): expected the full name of a queue",
		"a,0,1,root.a,-1,low,1,2,1":   "n (jobs.count): expected a whole number from 0 to 1000000",
		"a,0,1,root.a,0,low,1,2,1":    "n (jobs.resources.gpu): expected a number above zero",
		"a,0,1,root.a,x,low,1,2,1":    "n (jobs.resources.gpu): expected a number of zero or more",
		"a,0,1,root.a,1,high,1,2,1":   "p (jobs.priority): expected one of the texts of jobs.priority.map",
		"a,0,1,root.a,1,odd,1,2,1":    "p (jobs.priority): expected a whole number from -2147483648 to 2147483647",
		"a,0,1,root.a,1,low,2,1,1":    "e (jobs.end): expected a time not before jobs.start",
		"a,0,1,root.a,1,low,1,2,10":   "gpu (jobs.resources.gpu): expected an amount below 2^63",
		"a,0,1,root.a,1,low,1,2,0x1":  "gpu (jobs.resources.gpu): expected a number of zero or more",
		"a,0,1,root.a,1,low,1,2,1e-9": "",
	} {
		_, _, err := imported(t, jobs, "", "id,at,cpu,q,n,p,s,e,gpu\n"+row+"\n", importing.Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", row, err, want)
		}
	}
}

func TestABadMappingNamesEveryKey(t *testing.T) {
	for text, want := range map[string]string{
		"jobs = 1":                                                   "m.toml:1: jobs: expected a table, found a whole number",
		"[jobs]\nid = \"a":                                           "m.toml:2:",
		"[nodes]\nidd = \"x\"\n" + plain:                             "m.toml: nodes.idd: expected a key of the mapping, found an unknown key; did you mean id?",
		plain + "[tme]\nformat = \"x\"\n":                            "m.toml: tme: expected a key of the mapping, found an unknown key; did you mean time?",
		plain + "m = {colum = \"m\"}\n":                              "found an unknown key; did you mean column?",
		plain + "[x]\ny = 1\n":                                       "m.toml: x: expected a key of the mapping, found an unknown key",
		"[jobs]\nid = \"a\"\n":                                       "m.toml: jobs.resources: expected the columns of what a job asks for, found none",
		"[jobs.resources]\nx=\"y\"":                                  "m.toml: jobs.id: expected the column of the names, found none",
		plain + "[time]\nunit=\"y\"\n":                               `m.toml: time.unit: expected one of ns, us, ms, s, m, h and d, found "y"`,
		plain + "[time]\nformat=\"rfc3339\"\nunit=\"s\"\n":           "m.toml: time.unit: expected no unit beside this format",
		plain + "[time]\nformat=\"ISO\"\n":                           `m.toml: time.format: expected unix, rfc3339 or a layout of Go such as 2006-01-02 15:04:05, found "ISO"`,
		plain + "[time]\nzone=\"CET\"\n":                             `m.toml: time.zone: expected an offset such as +02:00, found "CET"`,
		plain + "[csv]\nseparator=\"ab\"\n":                          "m.toml: csv.separator: expected one character",
		plain + "[csv]\ncomment=\",\"\n":                             "m.toml: csv.comment: expected another character than the separator",
		plain + "m = {unit = \"1\"}\n":                               "m.toml: jobs.resources.m: expected either column or value, found both or none",
		plain + "m = {column = \"m\", unit = \"x\"}\n":               "m.toml: jobs.resources.m.unit: expected a quantity such as 1, 1m or 1Mi",
		plain + "m = {column = \"m\", split = \"x\"}\n":              "m.toml: jobs.resources.m.split: expected no such key for this field, found one",
		plain + "m = {column = \"m\", pattern = \"a\"}\n":            "pattern: expected a regular expression with one group in parentheses",
		plain + "m = {column = \"m\", pattern = \"(\"}\n":            "pattern: expected a regular expression of RE2",
		plain + "m = {column = \"m\", colour = \"red\"}\n":           "colour: expected column, value, default, pattern, map, prefix, split, unit, times, per or binary, found an unknown key",
		plain + "m = {column = [1]}\n":                               "column: expected a text or a number",
		strings.Replace(plain, "run =", "app = \"a\"\nremoved =", 1): "m.toml: jobs: expected either removed or app",
		plain + "\"\" = \"cpu\"\n":                                   "m.toml: jobs.resources: expected a name for each field, found an empty one",
		plain + "[[machines]]\ncount = -1\n":                         "m.toml: machines[1].name: expected a name, found none",
		plain + "[[machines]]\nname=\"m\"\ncapacity={a=\"x\"}\n":     "m.toml: machines[1].capacity.a: expected a quantity",
	} {
		if _, err := ReadMapping("m.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestDurationsAreReadInThreeForms(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90": 90 * time.Minute, "1.5": 90 * time.Second, "1h30m": 90 * time.Minute, "01:02:03": time.Hour + 2*time.Minute + 3*time.Second,
		"2-00:00:01": 48*time.Hour + time.Second, "0": 0, "1e1": 10 * time.Minute,
	} {
		if got, ok := duration(text, time.Minute); !ok || got != want {
			t.Errorf("%s: %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "-1", "-1h", "1:2:3", "x", "1e999", "1_0", "0x1", "1/2", "99999999999999999999"} {
		if got, ok := duration(text, time.Minute); ok {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

func FuzzMapping(f *testing.F) {
	f.Add(plain)
	f.Add("[csv]\nseparator=\";\"\n[[machines]]\nname=\"a\"\ncapacity={vcore=\"1\"}\n" + plain)
	f.Add("[[topology]]\nlevel=\"rack\"\nattribute=\"r\"\n" + strings.Replace(plain, "[jobs]", "[jobs]\ngang = \"a\"\ngang_min = {value = 2}\ntopology_required = {value = \"rack\"}", 1))
	f.Add("[jobs]\nid={column=\"a\",map={b=1},pattern=\"(x)\"}\nresources={a={value=\"1\",unit=\"1Mi\"}}")
	f.Fuzz(func(t *testing.T, text string) {
		var m *Mapping
		var err error
		importtest.Bounded(t, text, func() { m, err = ReadMapping("m.toml", []byte(text)) })
		if err != nil {
			return
		}
		s := importing.NewSink(importing.Options{})
		if err := m.ReadJobs(strings.NewReader("id,at,run,cpu,a,b\na,1,1,1,1,x\n"), "j.csv", s); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzJobs(f *testing.F) {
	f.Add("id,at,run,cpu\na,1,2,3\nb,0,1:00:00,500m\n")
	f.Add("id,at,run,cpu\r\n\"a\"\"b\",1e3,1h,1e-3\r\n")
	f.Add("\ufeffid,at,run,cpu\n\n,,,\n\"")
	f.Fuzz(func(t *testing.T, jobs string) {
		var text string
		var err error
		importtest.Bounded(t, jobs, func() { text, _, err = imported(t, plain, "", jobs, importing.Options{SkipBad: 1}) })
		if err != nil {
			return
		}
		importtest.Readable(t, text)
	})
}
