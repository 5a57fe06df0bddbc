package program

import (
	"fmt"
	"strings"
	"testing"
)

// manyImplausible is a configuration with a warning for each of n queues, and one of its own kind.
func manyImplausible(n int) string {
	text := "partitions:\n- name: default\n  queues:\n"
	for i := range n {
		text += fmt.Sprintf("  - name: q%d\n    resources: {max: {memory: %d}}\n", i, i+16)
	}
	return text + "  - name: slow\n    properties: {preemption.delay: soon}\n"
}

// wantGrouped fails unless three warnings about memory and the number of the others are shown.
func wantGrouped(t *testing.T, who, text string, more int) {
	t.Helper()
	if n := strings.Count(text, " bytes of memory are implausible"); n != 4 {
		t.Errorf("%s: %d lines about memory:\n%s", who, n, text)
	}
	if line := fmt.Sprintf("%d more of this kind: … bytes of memory are implausible; is a suffix such as Mi or Gi missing?\n", more); !strings.Contains(text, line) {
		t.Errorf("%s: expected %q in\n%s", who, line, text)
	}
}

func TestWarnings_GroupedByKind(t *testing.T) {
	folder(t, map[string]string{"queues.yaml": manyImplausible(100), "j": small,
		"set": fmt.Sprintf(`{"at":"0s","type":"config.set","config":%q}`+"\n", manyImplausible(100))})

	for who, r := range map[string]result{
		"validate":            quern("", "validate", "queues.yaml"),
		"replay --config":     quern("", "replay", "--config", "queues.yaml", "j"),
		"replay a config.set": quern("", "replay", "set"),
	} {
		wantGrouped(t, who, r.err, 97)
		if n := strings.Count(r.err, "is not a duration above zero"); n != 1 {
			t.Errorf("%s: %d warnings about the delay:\n%s", who, n, r.err)
		}
	}
	if r := quern("", "validate", "--json", "queues.yaml"); strings.Count(r.out, `"line"`) != 101 {
		t.Errorf("JSON lists %d warnings", strings.Count(r.out, `"line"`))
	}
}

func TestWarnings_OfDecisionsGroupedByKind(t *testing.T) {
	text := "partitions:\n- name: default\n  queues:\n"
	for i := range 100 {
		text += fmt.Sprintf("  - name: q%d\n    properties: {priority.offset: low%d}\n", i, i)
	}
	folder(t, map[string]string{"set": fmt.Sprintf(`{"at":"0s","type":"config.set","config":%q}`+"\n", text)})
	r := quern("", "replay", "set", "--out", "decisions")
	if n := strings.Count(r.err, "is not a 32-bit number"); n != 4 || !strings.Contains(r.err, `97 more of this kind: … is not a 32-bit number; 0 is used`) {
		t.Errorf("%d lines:\n%s", n, r.err)
	}
	if n := strings.Count(read(t, "decisions"), "is not a 32-bit number"); n != 100 {
		t.Errorf("the decision has %d warnings", n)
	}
}

func TestWarnings_OfJournalsGroupedByKind(t *testing.T) {
	text := `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":4,"memory":"4Gi"}}` + "\n" + `{"at":"0s","type":"app.add","id":"a","queue":"root.default"}` + "\n"
	for i := range 500 {
		text += fmt.Sprintf(`{"at":"1s","type":"ask.add","id":"x%d","app":"a","resources":{"memory":%d}}`+"\n", i, i+16)
	}
	folder(t, map[string]string{"j": text})
	wantGrouped(t, "replay", quern("", "replay", "j").err, 497)
}
