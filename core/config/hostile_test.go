package config

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// spent measures the allocated bytes, including freed ones.
func spent(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// many writes a line for each number until the text has a number of bytes.
func many(line string, bytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// queueTree is a tree of queues in which all lists of a level are aliases of one, with another line in each queue.
func queueTree(levels, fan int, extra string) string {
	var b strings.Builder
	b.WriteString("partitions:\n- queues:\n  - name: root\n    queues:\n")
	var list func(level int, indent string)
	list = func(level int, indent string) {
		for i := range fan {
			fmt.Fprintf(&b, "%s- name: q%d\n%s", indent, i, strings.ReplaceAll(extra, "^", indent+"  "))
			switch {
			case level == 1:
			case i == 0:
				fmt.Fprintf(&b, "%s  queues: &l%d\n", indent, level)
				list(level-1, indent+"  ")
			default:
				fmt.Fprintf(&b, "%s  queues: *l%d\n", indent, level)
			}
		}
	}
	list(levels, "    ")
	return b.String()
}

func TestHostileText_CostsLittleMoreThanItsLength(t *testing.T) {
	const mib = 1 << 20
	nested := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'm'; c++ {
		nested += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	deep := "partitions: [{queues: [" + strings.Repeat("{name: "+strings.Repeat("x", 60)+", queues: [", 90) + many("{name: q%d},", mib) + strings.Repeat("]}", 90) + "]}]"
	inherited := "partitions:\n- queues:\n  - name: root\n    properties:\n" + many("      p%d: x\n", 128<<10) + "    queues:\n" + many("    - name: q%d\n      properties: {z: x}\n", 64<<10)
	for name, c := range map[string]struct {
		text   string
		format Format
		most   uint64 // bytes
		found  string // in the first error
	}{
		"nested aliases":            {nested, YAML, mib, "size: expected at most 11450 values with aliases expanded (10000, and 10 for each value that is written), found more than 1099511627776"},
		"tree of aliases":           {queueTree(5, 12, ""), YAML, mib, "values with aliases expanded (10000, and 10 for each value that is written), found "},
		"tree of aliases, wrong":    {queueTree(5, 12, "^bad: 1\n"), YAML, mib, "values with aliases expanded (10000, and 10 for each value that is written), found "},
		"aliases of a long text":    {"a: &a " + strings.Repeat("x", 128<<10) + "\nb: [" + strings.Repeat("*a, ", 10_000) + "]", YAML, 16 * mib, "values with aliases expanded"},
		"an alias in itself":        {"partitions: &p\n- queues: *p\n", YAML, mib, "size: expected an alias outside what its anchor names, found *p within it"},
		"unknown keys":              {many("a%d: 1\n", mib), YAML, 8 * mib, "f:10001:1: file: size: expected at most 10000 keys in a mapping, found more"},
		"unknown keys in a library": {many("a%d: ~\n", mib), YAML, 128 * mib, "f:10001:1: file: size: expected at most 10000 keys in a mapping, found more"},
		"wrong queues":              {"partitions:\n- queues:\n" + many("  - nam: q%d\n", mib), YAML, 256 * mib, `root: name: expected a name for each queue, found none`},
		"partitions":                {"partitions:\n" + many("- name: q%d\n", mib), YAML, 64 * mib, "partition: queues: expected a list with at least one queue, found none"},
		"a long list":               {"a: [" + strings.Repeat("1,", 2*mib) + "]", YAML, 32 * mib, "size: expected at most 250000 values"},
		"paths":                     {deep, YAML, 256 * mib, "name: expected full names of queues that take at most 67108864 bytes together, found more"},
		"inherited properties":      {inherited, YAML, 256 * mib, "properties: expected at most 2097152 properties, with the inherited ones counted in each queue that sets some, found more"},
		"queues":                    {"partitions:\n- queues:\n" + many("  - name: q%d\n", 4*mib), YAML, 256 * mib, "root.q200000: queues: expected at most 200000 queues, found more"},
		"tables":                    {many("[a%d]\n", mib), TOML, 8 * mib, "f:10001:2: file: size: expected at most 10000 keys in a mapping, found more"},
		"tables for a library":      {many("[a.a%d]\nb=0x1\n", 4*mib), TOML, 16 * mib, "f:20001:4: file: size: expected at most 10000 keys in a mapping, found more"},
		"lists for a library":       {"a = [\n" + many("{b = %d},\n", 4*mib) + "]\n", TOML, 128 * mib, "size: expected at most 250000 values"},
		"lists over many lines":     {"a = [\n" + strings.Repeat("1,", 2*mib) + "]", TOML, 64 * mib, "size: expected at most 250000 values"},
	} {
		var err error
		taken := spent(func() { _, err = Decode([]byte(c.text), Options{File: "f", Format: c.format}) })
		if taken > c.most {
			t.Errorf("%s: %d bytes of text took %d MiB", name, len(c.text), taken>>20)
		}
		if all, _ := err.(Errors); len(all) == 0 || !strings.Contains(all[0].Error(), c.found) {
			t.Errorf("%s: expected %s, found %.300v", name, c.found, err)
		}
	}
}

func TestErrors_AreTheFirstHundredAndACount(t *testing.T) {
	for _, n := range []int{100, 101, 5000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "bad%d: 1\n", i)
		}
		b.WriteString("partitions: [{queues: [{name: a}]}]\n")
		_, err := Decode([]byte(b.String()), Options{File: "f"})
		all, _ := err.(Errors)
		if all.Total() != n || len(all) != min(n, 101) || all[99].Line != 100 {
			t.Errorf("%d: found %d errors, %d of them listed", n, all.Total(), len(all))
		}
		if want := fmt.Sprintf("f:100:1: file: errors: expected at most 100 errors, found %d, of which these are the first", n); n > 100 && all[100].Error() != want {
			t.Errorf("expected %s, found %v", want, all[100])
		}
	}
}

func TestWarnings_AreBounded(t *testing.T) {
	text := "partitions:\n- queues:\n"
	for i := range 3000 {
		text += fmt.Sprintf("  - name: q%d\n    properties: {preemption.delay: never}\n", i)
	}
	c, err := Decode([]byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(c.Warnings); n != listedWarnings+1 || c.Warnings[n-1].Text != "3000 warnings, of which these are the first" {
		t.Errorf("found %d warnings, the last %+v", n, c.Warnings[n-1])
	}
}

func TestAliases_OfALargeConfigurationAreTaken(t *testing.T) {
	text := "partitions:\n- queues:\n  - name: first\n    resources: &r {max: {vcore: 4, memory: 8Gi}, guaranteed: {vcore: 1}}\n    properties: &p {priority.offset: '3'}\n"
	for i := range 5000 {
		text += fmt.Sprintf("  - name: q%d\n    resources: *r\n    properties: *p\n", i)
	}
	if _, err := Decode([]byte(text), Options{}); err != nil {
		t.Errorf("%.300v", err)
	}
}

func TestTOML_NameSetTwiceHasItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"[[partitions]]\n[[partitions.queues]]\nname = \"a\"\n[partitions.queues.resources]\nmax.vcore = 4\nmax = 7\n": "f:6:1: file: max: expected each key once, found it again, after line 5",
		"a.b.c = 1\na.b = 2\n": "f:2:1: file: a.b: expected each key once, found it again, after line 1",
		"a = 1\na = 2\n":       "f:2:1: file: a: expected each key once, found it again, after line 1",
	} {
		_, err := Decode([]byte(text), Options{File: "f", Format: TOML})
		if err == nil || err.Error() != want {
			t.Errorf("expected %s\nfound    %v", want, err)
		}
	}
}
