package config

import (
	"fmt"
	"strings"
	"testing"
)

// refused decodes a text that must be refused quickly with one error about its size. Otherwise the test would not end.
func refused(t *testing.T, text string, format Format) {
	t.Helper()
	_, err := Decode([]byte(text), Options{Format: format})
	all, ok := err.(Errors)
	if !ok || len(all) != 1 || all[0].Key != "size" {
		t.Errorf("got %.300v", err)
	}
}

func TestAliasesThatMultiplyAreRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1)
	}
	refused(t, b.String(), YAML)
}

func TestMergesThatMultiplyAreRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 {x: 1}\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "a%d: &a%d {<<: [*a%d, *a%d, *a%d]}\n", i, i, i-1, i-1, i-1)
	}
	refused(t, b.String(), YAML)
}

func TestDeepNestingIsRefused(t *testing.T) {
	refused(t, strings.Repeat("{a: ", 5000)+"1"+strings.Repeat("}", 5000), YAML)
	refused(t, strings.Repeat("[", 5000)+strings.Repeat("]", 5000), YAML)
	refused(t, "a: "+strings.Repeat("[", 1_000_000), YAML)
	refused(t, strings.Repeat("- ", 1_000_000)+"a", YAML)
	refused(t, strings.Repeat("? ", 1_000_000)+"a", YAML)
	var b strings.Builder
	for i := range 5000 {
		b.WriteString(strings.Repeat(" ", i) + "a: &x\n")
	}
	refused(t, b.String(), YAML)
	refused(t, "a = "+strings.Repeat("[", 1_000_000), TOML)
	refused(t, "a = "+strings.Repeat("{b = ", 1_000_000), TOML)
	refused(t, "["+strings.Repeat("a.", 1_000_000)+"a]", TOML)
	refused(t, strings.Repeat("a.", 1_000_000)+"a = 1", TOML)
}

func TestLongTextsAreRefused(t *testing.T) {
	refused(t, strings.Repeat(" ", maxText+1), YAML)
	var b strings.Builder
	b.WriteString("[" + strings.Repeat("a.", 90) + "a]\n")
	for i := range 200_000 {
		fmt.Fprintf(&b, "a%d=0x1\n", i)
	}
	refused(t, b.String(), TOML)
}

func TestManyValuesAreRefusedBeforeTheLibrarySeesThem(t *testing.T) {
	items := strings.Repeat("1, ", 3*maxValues)
	refused(t, "a = ["+items+"]", TOML)
	refused(t, "a = ["+items+"0x1]", TOML)
	refused(t, strings.Repeat("[[a]]\n", 3*maxValues/2), TOML)
	refused(t, "a: ["+items+"'1']", YAML)
	refused(t, "a:\n"+strings.Repeat("- 1\n", 3*maxValues), YAML)
	refused(t, strings.Repeat("- ", 300)+strings.Repeat("\n- - - - - - ~", maxValues), YAML)
}

func TestOneLongNameOverManyValuesIsRefused(t *testing.T) {
	long := "[" + strings.Repeat("x", 1<<20) + "]\n"
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "a%d = 0x1\n", i)
	}
	refused(t, long+b.String(), TOML)
	refused(t, strings.Repeat("x", 1<<20)+" = {"+strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", ", ")+"}", TOML)
}

func TestBracketsInCommentsOpenNothing(t *testing.T) {
	text := "partitions: &p\n" + strings.Repeat("# [ {\n", 6*maxDepth) + "- queues: # [\n  - name: a\n"
	if _, err := Decode([]byte(text), Options{}); err != nil {
		t.Errorf("%.300v", err)
	}
}

func TestLongLinesTakeTimeInProportion(t *testing.T) {
	items := strings.Repeat(`{name = "é"},`, 20_000)
	_, err := Decode([]byte("partitions = [{queues = ["+items+"]}]"), Options{Format: TOML})
	if all, ok := err.(Errors); !ok || all.Total() != 2*20_000-1 { // each name is wrong, and there again but for the first
		t.Errorf("%d errors", all.Total())
	}
}

func TestTypes_AreBounded(t *testing.T) {
	text := func(types int) string {
		var b strings.Builder
		b.WriteString("partitions:\n- queues:\n  - name: a\n    resources:\n      guaranteed:\n")
		for i := range maxTypes {
			fmt.Fprintf(&b, "        type%d: 1\n", i)
		}
		b.WriteString("    queues:\n    - name: b\n      resources:\n        guaranteed:\n")
		for i := range types {
			fmt.Fprintf(&b, "          type%d: 1\n", i)
		}
		return b.String()
	}
	if _, err := Decode([]byte(text(maxTypes)), Options{}); err != nil {
		t.Errorf("%.300v", err)
	}
	got := errorsOf(t, text(maxTypes+50))
	if want := "root.a.b: resources.guaranteed.type1000: expected at most 1000 resource types in a configuration, found more"; len(got) != 1 || got[0] != want {
		t.Errorf("expected %s, found %.300v", want, got)
	}
}
