package csvfile

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/importing/importtest"
)

const gangs = `
[[machines]]
name = "m"
capacity = {vcore = "8"}
attributes = {row = "a", rack = "r1"}
[[topology]]
level = "row"
attribute = "row"
[[topology]]
level = "rack"
attribute = "rack"
[jobs]
id = "id"
app = "app"
gang = "gang"
gang_min = "min"
gang_timeout = {column = "timeout", unit = "m"}
gang_fallback = {column = "fallback", map = {yes = "members", no = ""}}
gang_disruption = "disruption"
gang_repair = {column = "repair"}
topology_required = "required"
topology_preferred = "preferred"
count = {column = "n", default = 1}
[jobs.resources]
vcore = {value = 1}
`

const gangHeader = "id,app,n,gang,min,timeout,fallback,disruption,repair,required,preferred\n"

func TestCSV_GangKeys(t *testing.T) {
	jobs := gangHeader +
		"w,a,4,g,5,10,yes,whole,90,rack,\n" + // workers and
		"p,a,1,g,5,10,yes,whole,90,rack,\n" + // a parameter server are one gang
		"b,b,2,h,1,,no,unit,0,,row\n" +
		"c,c,2,i,2,1h30m,,Member,,,\n" +
		"d,d,1,,,,,,,node,\n" +
		"e,e,1,,,,,,,,rack\n"
	text, tally, err := imported(t, gangs, "", jobs, importing.Options{})
	const (
		vcore = `"resources":{"vcore":"1000m"}`
		first = `,"gang":"g","gang_min":5,"gang_timeout":"10m0s","gang_fallback":"members","gang_disruption":"whole","gang_repair":"1m30s","topology_required":"rack"`
	)
	for _, line := range []string{
		`{"at":"0s","type":"ask.add","id":"w","app":"a",` + vcore + first + `,"count":4}`,
		`{"at":"0s","type":"ask.add","id":"p","app":"a",` + vcore + first + `}`,
		`{"at":"0s","type":"ask.add","id":"b","app":"b",` + vcore + `,"gang":"h","gang_min":1,"gang_repair":"0s","topology_preferred":"row","count":2}`,
		`{"at":"0s","type":"ask.add","id":"c","app":"c",` + vcore + `,"gang":"i","gang_min":2,"gang_timeout":"1h30m0s","gang_disruption":"member","count":2}`,
		`{"at":"0s","type":"ask.add","id":"d","app":"d",` + vcore + `,"topology_required":"node"}`,
		`{"at":"0s","type":"ask.add","id":"e","app":"e",` + vcore + `,"topology_preferred":"rack"}`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%v: %s is not in\n%s", err, line, text)
		}
	}
	if strings.Contains(tally, "topology") {
		t.Error(tally)
	}
	const levels = "  topology:\n  - {level: \"row\", attribute: \"row\"}\n  - {level: \"rack\", attribute: \"rack\"}\n  queues:\n"
	if config := configOf(t, gangs, jobs); !strings.Contains(config, levels) {
		t.Error(config)
	}
}

// configOf is the configuration of a list of jobs.
func configOf(t *testing.T, mapping, jobs string) string {
	t.Helper()
	m, err := ReadMapping("m.toml", []byte(mapping))
	if err != nil {
		t.Fatal(err)
	}
	s := importing.NewSink(importing.Options{})
	defer s.Close()
	if err := m.GiveMachines(s); err != nil {
		t.Fatal(err)
	}
	if err := m.ReadJobs(strings.NewReader(jobs), "j.csv", s); err != nil {
		t.Fatal(err)
	}
	config, err := s.Queues.Config()
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func TestCSV_GangOfARow(t *testing.T) {
	mapping := strings.NewReplacer("gang = \"gang\"\n", "gang = true\n", `gang_min = "min"`, `gang_min = {column = "min"}`).Replace(gangs)
	text, _, err := imported(t, mapping, "", gangHeader+"a,a,3,,,,,,,,\nb,b,3,,2,,,whole,,,\nc,c,1,,,,,whole,,,\n", importing.Options{})
	for _, part := range []string{`"gang":"a","gang_min":3,"count":3}`, `"gang":"b","gang_min":2,"gang_disruption":"whole","count":3}`, `"id":"c","app":"c","resources":{"vcore":"1000m"}}`} {
		if !strings.Contains(text, part) {
			t.Errorf("%v: %s is not in\n%s", err, part, text)
		}
	}
	if _, _, err := imported(t, mapping, "", gangHeader+"b,b,3,,4,,,,,,\n", importing.Options{}); err == nil || !strings.Contains(err.Error(), `min (jobs.gang_min): expected a whole number from 1 to 3, found "4"`) {
		t.Errorf("a row of 3 asks as a gang of 4 or more: %v", err)
	}
}

func TestCSV_BadGangKeys(t *testing.T) {
	for row, want := range map[string]string{
		"a,a,2,g,,,,,,,":            "j.csv:2:9: min (jobs.gang_min): expected how many members start together, which jobs.gang needs, found nothing",
		"a,a,2,g,0,,,,,,":           `j.csv:2:9: min (jobs.gang_min): expected a whole number from 1 to 2147483647, found "0"`,
		"a,a,2,g,2147483648,,,,,,":  "min (jobs.gang_min): expected a whole number",
		"a,a,2,g,2,-1,,,,,":         `j.csv:2:11: timeout (jobs.gang_timeout): expected a duration of zero or more: a number of m, 1h30m or 1-12:30:00, found "-1"`,
		"a,a,2,g,2,,perhaps,,,,":    "fallback (jobs.gang_fallback): expected one of the texts of jobs.gang_fallback.map",
		"a,a,2,g,2,,,some,,,":       `disruption (jobs.gang_disruption): expected unit, whole or member, found "some"`,
		"a,a,2,g,2,,,,soon,,":       `repair (jobs.gang_repair): expected a duration of zero or more: a number of s, 1h30m or 1-12:30:00, found "soon"`,
		"a,a,2,,2,,,,,,":            "j.csv:2:7: gang (jobs.gang): expected the name of a gang, which jobs.gang_min needs, found nothing",
		"a,a,2,,,,,whole,,,":        "gang (jobs.gang): expected the name of a gang, which jobs.gang_disruption needs, found nothing",
		"a,a,1,,,,,,,rack,row":      `preferred (jobs.topology_preferred): expected either jobs.topology_required or jobs.topology_preferred, found "row"`,
		"a,a,1,,,,,,,cage,":         `required (jobs.topology_required): expected a level of the topology: row, rack, node, found "cage"`,
		"a,a,1,g,1,0,no,unit,0,,":   "",
		"a,a,1,g,1,1,yes,WHOLE,1,,": "",
	} {
		_, _, err := imported(t, gangs, "", gangHeader+row+"\n", importing.Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", row, err, want)
		}
	}
	fallback := strings.Replace(gangs, `gang_fallback = {column = "fallback", map = {yes = "members", no = ""}}`, `gang_fallback = "fallback"`, 1)
	if _, _, err := imported(t, fallback, "", gangHeader+"a,a,2,g,2,,single,,,,\n", importing.Options{}); err == nil || !strings.Contains(err.Error(), `fallback (jobs.gang_fallback): expected members, found "single"`) {
		t.Error(err)
	}
}

// elastic is gangs with all keys, and elasticHeader the header of its lists.
var elastic = strings.Replace(gangs, "[jobs.resources]\n", `gang_max = "max"
gang_set = "set"
gang_set_min = "setmin"
topology_slice = {level = "slice", size = "size"}
movable = "movable"
[jobs.resources]
`, 1)

const elasticHeader = "id,app,n,gang,min,timeout,fallback,disruption,repair,required,preferred,max,set,setmin,slice,size,movable\n"

func TestCSV_ElasticSetsSlicesMovable(t *testing.T) {
	jobs := elasticHeader + "a,a,4,g,4,,,,,row,,8,s,2,rack,2,TRUE\n" + "b,b,1,,,,,,,,,,,,,,false\n"
	text, _, err := imported(t, elastic, "", jobs, importing.Options{})
	for _, part := range []string{`"gang":"g","gang_min":4,"gang_max":8,"gang_set":"s","gang_set_min":2,"topology_required":"row","topology_slice":{"level":"rack","size":2},"movable":true,"count":4}`,
		`{"at":"0s","type":"ask.add","id":"b","app":"b","resources":{"vcore":"1000m"}}`} {
		if !strings.Contains(text, part) {
			t.Errorf("%v: %s is not in\n%s", err, part, text)
		}
	}
	for row, want := range map[string]string{
		"g,4,,,,,,,3,,,,,":     `max (jobs.gang_max): expected a whole number from 4 to 2147483647, found "3"`,
		"g,4,,,,,,,many,,,,,":  `max (jobs.gang_max): expected a whole number`,
		"g,4,,,,,,,,s,,,,":     "setmin (jobs.gang_set_min): expected a value, which jobs.gang_set needs, found nothing",
		"g,4,,,,,,,,,2,,,":     "set (jobs.gang_set): expected a value, which jobs.gang_set_min needs, found nothing",
		"g,4,,,,,,,,s,0,,,":    `setmin (jobs.gang_set_min): expected a whole number from 1 to 2147483647, found "0"`,
		"g,4,,,,,,,,,,rack,,":  "size (jobs.topology_slice.size): expected a value, which jobs.topology_slice.level needs, found nothing",
		"g,4,,,,,,,,,,,2,":     "slice (jobs.topology_slice.level): expected a value, which jobs.topology_slice.size needs, found nothing",
		"g,4,,,,,,,,,,cage,2,": `slice (jobs.topology_slice.level): expected a level of the topology: row, rack, node, found "cage"`,
		"g,4,,,,,,,,,,rack,0,": `size (jobs.topology_slice.size): expected a whole number from 1 to 2147483647, found "0"`,
		",,,,,,,,4,,,,,":       "gang (jobs.gang): expected the name of a gang, which jobs.gang_max needs, found nothing",
		",,,,,,,,,,,rack,2,":   "gang (jobs.gang): expected the name of a gang, which jobs.topology_slice.level needs, found nothing",
		",,,,,,,,,,,,,yes":     `movable (jobs.movable): expected true or false, found "yes"`,
	} {
		if _, _, err := imported(t, elastic, "", elasticHeader+"a,a,4,"+row+"\n", importing.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", row, err, want)
		}
	}
	for old, want := range map[string]string{
		"gang_set_min = \"setmin\"\n": "m.toml: jobs.gang_set_min: expected a column or value, which jobs.gang_set needs, found none",
		`level = "slice", `:           "m.toml: jobs.topology_slice.level: expected a column or value, which jobs.topology_slice.size needs, found none",
		`, size = "size"`:             "m.toml: jobs.topology_slice.size: expected a column or value, which jobs.topology_slice.level needs, found none",
	} {
		if _, err := ReadMapping("m.toml", []byte(strings.Replace(elastic, old, "", 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v, want %s", old, err, want)
		}
	}
	_, err = ReadMapping("m.toml", []byte(strings.Replace(elastic, "size = ", "sise = ", 1)))
	if err == nil || !strings.Contains(err.Error(), "jobs.topology_slice.sise: expected a key of the mapping") {
		t.Error(err)
	}
}

func TestCSV_LevelWithoutTopologyIsNoted(t *testing.T) {
	mapping := gangs[:strings.Index(gangs, "[[topology]]")] + gangs[strings.Index(gangs, "[jobs]"):]
	text, tally, err := imported(t, mapping, "", gangHeader+"a,a,1,,,,,,,cage,\nb,b,1,,,,,,,node,\n", importing.Options{})
	if err != nil || !strings.Contains(text, `"topology_required":"cage"`) || !strings.Contains(tally, "note: 1 row: level of a topology that the mapping does not have") {
		t.Errorf("%v\n%s%s", err, text, tally)
	}
}

func TestMapping_BadGangsAndTopology(t *testing.T) {
	for text, want := range map[string]string{
		"gang = \"g\"":                             "m.toml: jobs.gang_min: expected the column of how many members start together, which jobs.gang needs, found none",
		"gang_repair = {value = 1}":                "m.toml: jobs.gang: expected true, or the column of the names of gangs, which jobs.gang_repair needs, found none",
		"gang = false\ngang_min = \"m\"":           "which jobs.gang_min needs, found none",
		"gang = 1":                                 "jobs.gang: expected true, false, the name of a column in quotes, or a table, found 1",
		"gang = {colum = \"g\"}\ngang_min = \"m\"": "colum: expected column",
		"gang = true\ngang_mim = \"m\"":            "m.toml: jobs.gang_mim: expected a key of the mapping, found an unknown key; did you mean gang_min or gang_max?",
		"gang = true\ngang_timeout = {column = \"t\", unit = \"y\"}": "m.toml: jobs.gang_timeout.unit: expected one of ns",
	} {
		if _, err := ReadMapping("m.toml", []byte(strings.Replace(plain, "[jobs]\n", "[jobs]\n"+text+"\n", 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
	for levels, want := range map[string]string{
		"[[topology]]\nattribute = \"a\"\n":                                   "m.toml: topology[1].level: expected the name of the level, found none",
		"[[topology]]\nlevel = \"a\"\n":                                       "m.toml: topology[1].attribute: expected an attribute of nodes, found none",
		"[[topology]]\nlevel = \"node\"\nattribute = \"a\"\n":                 `m.toml: topology[1].level: expected a name other than node, the level of single nodes, found "node"`,
		strings.Repeat("[[topology]]\nlevel = \"a\"\nattribute = \"a\"\n", 2): `m.toml: topology[2].level: expected each level once, found "a" again`,
	} {
		if _, err := ReadMapping("m.toml", []byte(levels+plain)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\ngot  %v\nwant %s", levels, err, want)
		}
	}
}

func FuzzGangs(f *testing.F) {
	f.Add("w,a,4,g,5,10,yes,whole,90,rack,,8,s,2,node,2,true\n")
	f.Add("b,b,2,h,1,,no,unit,0,,row,1,,,,,\nb,b,2,,1,,no,unit,0,,row,,s,1,rack,0,no\n")
	f.Add("d,d,1,,,,,,,node,node,,,,,,\n\"")
	f.Fuzz(func(t *testing.T, jobs string) {
		var text string
		var err error
		importtest.Bounded(t, jobs, func() { text, _, err = imported(t, elastic, "", elasticHeader+jobs, importing.Options{SkipBad: 1}) })
		if err == nil {
			importtest.Readable(t, text)
		}
	})
}

func TestCSV_Walltime(t *testing.T) {
	const mapping = `
[jobs]
id = "id"
walltime = {column = "limit", unit = "m"}
[jobs.resources]
vcore = {value = 1}
`
	text, _, err := imported(t, mapping, "", "id,limit\na,90\nb,1-00:00:00\nc,\n", importing.Options{})
	for _, part := range []string{`"id":"a","app":"a","resources":{"vcore":"1000m"},"walltime":"1h30m0s"}`, `"id":"b","app":"b","resources":{"vcore":"1000m"},"walltime":"24h0m0s"}`, `"id":"c","app":"c","resources":{"vcore":"1000m"}}`} {
		if err != nil || !strings.Contains(text, part) {
			t.Errorf("%v: expected %s in\n%s", err, part, text)
		}
	}
	if _, tally, err := imported(t, mapping, "", "id,limit\na,0\n", importing.Options{}); !strings.Contains(tally, "a duration above zero") && (err == nil || !strings.Contains(err.Error(), "a duration above zero")) {
		t.Errorf("expected an error about the walltime, found %v\n%s", err, tally)
	}
}
