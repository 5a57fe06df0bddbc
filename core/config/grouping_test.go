package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestGrouping(t *testing.T) {
	var texts, want []string
	for i := range 100 {
		texts = append(texts, fmt.Sprintf("q.yaml:%d:9: root.q%d: resources.max.memory: %d bytes of memory are implausible; is a suffix missing?", i+2, i, i+0x10))
		if i%10 == 0 {
			texts = append(texts, fmt.Sprintf("q.yaml:%d:5: root.q%d: resources.max: \"typ: %d\\\"\" is an unusual resource type", i+2, i, i))
		}
	}
	texts = append(texts, "a sentence", "a sentence", "q.yaml:1:1: root: priority.offset: 1.5 is beyond 1000000000", "q.yaml:2:1: root.a: priority.offset: 2.25 is beyond 1000000000")
	for _, i := range []int{0, 2, 3} {
		want = append(want, texts[i])
	}
	want = append(want, `97 more of this kind: … bytes of memory are implausible; is a suffix missing?`,
		texts[1], texts[12], texts[23], `7 more of this kind: … is an unusual resource type`,
		"a sentence", "a sentence", texts[len(texts)-2], texts[len(texts)-1])
	if got := Grouped(texts); !slices.Equal(got, want) {
		t.Errorf("expected\n%s\nfound\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
	for _, text := range []string{"", ": ", `"`, `a: "b\`, "9", "a: 9.", "…: ☃"} {
		if got := Grouped([]string{text}); len(got) != 1 || got[0] != text {
			t.Errorf("%q: found %q", text, got)
		}
	}
	if Grouped(nil) != nil {
		t.Error("nothing has lines")
	}
}
