package openb

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/linediff"
	"github.com/quern-project/quern/core/journal"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asJournal returns a source as lines.
func asJournal(t testing.TB, src journal.Source) string {
	t.Helper()
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	entry, err := src.Next()
	for ; err == nil; entry, err = src.Next() {
		if err := e.Entry(entry); err != nil {
			t.Fatal(err)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestATraceIsReadAsAJournal(t *testing.T) {
	pods := read(t, "testdata/pods.csv")
	for file, c := range map[string]struct {
		pods string
		o    Options
	}{
		"timed":        {string(pods), Options{}},
		"fill":         {string(pods), Options{Fill: true}},
		"mapped":       {string(pods), Options{Fill: true, Map: map[string]Class{"BE": {"root.Team.b", 7}, "LS": {"root.team.a", -1}}}},
		"five_columns": {"name,cpu_milli,memory_mib,num_gpu,gpu_milli\nq0,100,1,1,460\r\nq1,100,1,0,0\r\n", Options{}},
	} {
		t.Run(file, func(t *testing.T) {
			src, text, err := Read(bytes.NewReader(read(t, "testdata/nodes.csv")), strings.NewReader(c.pods), c.o)
			if err != nil {
				t.Fatal(err)
			}
			found := "# " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n# ") + "\n" + asJournal(t, src)
			golden := "testdata/" + file + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(found), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if expected := string(read(t, golden)); found != expected {
				t.Errorf("- expected, + found:\n%s", linediff.Diff(expected, found))
			}
			if _, err := config.Decode([]byte(text), config.Options{File: "openb", Format: config.YAML}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestABadRowNamesFileLineAndColumn(t *testing.T) {
	const header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,qos,creation_time\n"
	for text, expected := range map[string]string{
		"":                                             "pods.csv:1: expected a header with the names of the columns, found nothing",
		"name,cpu_milli\n":                             "pods.csv:1: memory_mib: expected the column, found none",
		"name,cpu_milli,name\n":                        "pods.csv:1: name: expected the column once, found it twice",
		header + "\na,1,1,0,0,BE\n":                    "pods.csv:3: expected 7 fields, found 6",
		header + "a,1,1,0,0,BE,0\n,1,1,0,0,,0":         "pods.csv:3: name: expected a name, found none",
		header + "a,-1,1,0,0,BE,0":                     `pods.csv:2: cpu_milli: expected a whole number from 0, found "-1"`,
		header + "a,1.5,1,0,0,BE,0":                    `pods.csv:2: cpu_milli: expected a whole number from 0, found "1.5"`,
		header + "a,1,9000000000000,0,0,BE,0":          "pods.csv:2: memory_mib: expected an amount below 2^63, found 9000000000000 x 1048576",
		header + "a,1,1,9000000000000000,9999999,BE,0": "pods.csv:2: gpu_milli: expected an amount below 2^63, found 9000000000000000 x 9999999",
		header + "a,1,1,0,0,Best,0":                    `pods.csv:2: qos: expected a class of the map, found "Best"`,
		header + "a,1,1,0,0,BE,99999999999":            `pods.csv:2: creation_time: expected a time within a hundred years, found "99999999999"`,
		header + `"a,1,1,0,0,BE,0`:                     "pods.csv:2: expected a closing quote and then a comma, found none",
		header + strings.Repeat("a", 2<<20):            "pods.csv:2: expected at most 1 MiB, found a longer line",
	} {
		_, _, err := Read(strings.NewReader("sn,cpu_milli,memory_mib\n"), strings.NewReader(text), Options{PodsName: "pods.csv"})
		var bad *journal.Error
		if !errors.As(err, &bad) || bad.Error() != expected {
			t.Errorf("%.60q:\nexpected %s\nfound    %v", text, expected, err)
		}
	}
}

func FuzzOpenb(f *testing.F) {
	f.Add("sn,cpu_milli,memory_mib,gpu,model\nn,1,2,3,T4\n", "name,cpu_milli,memory_mib,num_gpu,gpu_spec,qos,creation_time,deletion_time\n\"a\"\"b\",1,2,1,A|B,BE,5,4\n", true)
	f.Add("\ufeffsn,cpu_milli,memory_mib\r\n\r\nn,1,2\r\n", "name,cpu_milli,memory_mib\na,,\n", false)
	f.Fuzz(func(t *testing.T, nodes, pods string, fill bool) {
		src, _, err := Read(strings.NewReader(nodes), strings.NewReader(pods), Options{Fill: fill})
		if err != nil {
			return
		}
		last := asJournal(t, src)
		if rows := strings.Count(nodes+pods, "\n") + 2; strings.Count(last, "\n") > 3*rows {
			t.Fatalf("%d rows make\n%s", rows, last)
		}
	})
}
