package threshold

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestABadConditionSaysWhereAndWhatWasExpected(t *testing.T) {
	for text, want := range map[string]string{
		``:                              `"", character 1: expected a figure, found the end; the figures are nodes, apps, `,
		`wait.p9 > 5m`:                  `character 1: expected a figure, found "wait.p9"; did you mean wait.p90, wait.p99? The figures are nodes, `,
		` pendng > 0`:                   `character 2: expected a figure, found "pendng"; did you mean pending? The figures`,
		`used > 5`:                      `character 1: expected a figure, found "used"; did you mean used[TYPE], `,
		`used[vcore > 5`:                `character 5: expected a resource type and "]", found "[vcore"`,
		`used[] > 5`:                    `character 6: expected a resource type, found "]"`,
		`pending[vcore] > 5`:            `character 1: expected a figure, found "pending"`,
		`queue[root.a] > 5`:             `character 14: expected "." and a figure, found ">"`,
		`queue[root.a].makespan > 5m`:   `character 15: expected a figure of queues, found "makespan"; the figures are allocated, `,
		`queue[root.a].rejected > 5m`:   `character 15: expected a figure of queues, found "rejected"; the figures are allocated, `,
		`queue[[gpu]root.a.pending > 0`: `character 6: expected the path of a queue, or * and "]", found "[[gpu]root.a.pending"`,
		`priority[high].wait.p50 > 5m`:  `character 10: expected a priority, or *, found "high"`,
		`priority[5].pending > 5`:       `character 13: expected a figure of priorities, found "pending"; the figures are allocated, wait.mean, `,
		`rejected`:                      `character 9: expected one of >, >=, <, <=, == and !=, found the end`,
		`rejected = 0`:                  `character 10: expected one of >, >=, <, <=, == and !=, found "="`,
		`rejected >`:                    `character 11: expected a number such as 0 or 2.5, found the end`,
		`rejected > many`:               `character 12: expected a number such as 0 or 2.5, found "many"`,
		`rejected > 0.1234`:             `character 12: expected a number such as 0 or 2.5, found "0.1234"`,
		`rejected > -1`:                 `found "-1"`,
		`rejected > 0 or pending > 0`:   `character 12: expected a number such as 0 or 2.5, found "0 or pending > 0"`,
		`wait.p99 > 5`:                  `character 12: expected a duration such as 5m, found "5"`,
		`wait.p99 > -5m`:                `found "-5m"`,
		`wait.p99 > 99999d`:             `found "99999d"`,
		`utilization[vcore].mean < 0.5`: `character 27: expected a percentage such as 80%, found "0.5"`,
		`used[memory].peak > 5Zi`:       `character 21: expected a quantity with one of the suffixes `,
		"wait.p99 \xff 5m":              `expected UTF-8, found something else`,
		`größe > 5`:                     `character 1: expected a figure, found "gr"`,
		strings.Repeat("x", 5000):       `expected at most 4096 bytes, found 5000`,
	} {
		c, err := Parse(text)
		if err == nil {
			t.Errorf("%q was read as %+v", text, c)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %s\nfound %s", text, want, err)
		}
	}
}

func TestALimitIsAWholeNumberInTheUnitOfItsFigure(t *testing.T) {
	for text, want := range map[string]int64{
		"rejected>0": 0, "pending.mean >= 2.5": 2500, "pending.mean >= 0.001": 1, "pending == 12": 12000,
		"wait.p99 > 5m": 300e9, "wait.p99 > 2d12h": 60 * 3600e9, "wait.p99 > 1d": 86400e9, "makespan < 0s": 0,
		"utilization[vcore].mean < 62.5%": 625e6, "utilization[vcore].mean < 62 %": 620e6,
		"used[vcore].mean > 1.5": 1500, "used[vcore] > 250m": 250, "queue[[gpu]root.a].used[memory].peak != 1Ki": 1024, "used[a.b/gpu].peak > 4": 4,
	} {
		if c, err := Parse(text); err != nil || c.limit != want || c.String() != text {
			t.Errorf("%s: expected the limit %d, found %+v, %v", text, want, c, err)
		}
	}
}

// TestTheDocumentsListTheFigures compares the table of the documents with the figures.
func TestTheDocumentsListTheFigures(t *testing.T) {
	page, err := os.ReadFile("../../../docs/commands/replay.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "| figure | value | limit | of |\n")
	table, _, found := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatal("the page has no table of figures")
	}
	listed := map[string][]string{}
	name := regexp.MustCompile("`([^`]+)`")
	for _, row := range strings.Split(table, "\n")[1:] {
		cells := strings.Split(row, " | ")
		for _, m := range name.FindAllStringSubmatch(cells[0], -1) {
			for _, scope := range strings.Split(strings.TrimSuffix(cells[3], " |"), ", ") {
				listed[scope] = append(listed[scope], m[1])
			}
			if want := map[kind]string{aCount: "number", aSpan: "duration", aShare: "percentage", aAmount: "amount"}[kindOf(t, m[1])]; cells[2] != want {
				t.Errorf("%s: expected the limit %s, the page has %s", m[1], want, cells[2])
			}
		}
	}
	run, queue, priority, user := Figures()
	for scope, want := range map[string][]string{"run": run, "queue": queue, "priority": priority, "user": user} {
		if !slices.Equal(listed[scope], want) {
			t.Errorf("%s: the page lists\n%v, there are\n%v", scope, listed[scope], want)
		}
	}
}

func kindOf(t *testing.T, name string) kind {
	plain := strings.Replace(name, "[TYPE]", "", 1)
	for i := range figures {
		if figures[i].name == plain {
			return figures[i].kind
		}
	}
	t.Errorf("there is no figure %s", name)
	return 0
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"wait.p99 > 5m", "queue[[gpu]root.a].used[vcore].mean <= 2500m", "priority[-5].wait.mean!=1d2h", "utilization[memory].peak < 80 %", "queue[", "used[]>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(c.String())
		if err != nil {
			t.Fatalf("%q was read, and %q not: %v", text, c.String(), err)
		}
		again.text = c.text
		if *again != *c {
			t.Fatalf("%q was read as %+v, and then as %+v", text, c, again)
		}
		if c.limit < 0 {
			t.Fatalf("%q has the limit %d", text, c.limit)
		}
	})
}
