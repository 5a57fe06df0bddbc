package yunikornconfig_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/importing/yunikornconfig"
)

var update = flag.Bool("update", false, "write the table of the page")

const page = "../../../docs/start/coming-from-yunikorn.md"

func TestEveryKeyIsComparedAndNoOther(t *testing.T) {
	var want, got []string
	for _, k := range config.Keys() {
		want = append(want, k.Where+": "+k.Key)
	}
	for _, k := range yunikornconfig.Keys() {
		got = append(got, k.Where+": "+k.Key)
		if explained := k.There != "" && k.Here != ""; explained != (k.Standing == yunikornconfig.Stricter || k.Standing == yunikornconfig.Different) {
			t.Errorf("%s: %s: %s, in YuniKorn %q, here %q", k.Where, k.Key, k.Standing, k.There, k.Here)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("compared are\n%s\nthe configuration has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestThePageHasTheTableOfTheCode(t *testing.T) {
	const begin, end = "<!-- begin keys compared -->\n", "<!-- end keys compared -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	got, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the page has no place for the table")
	}
	if want := table(); got != want {
		if *update {
			if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("the page shows\n%s\nthe code says\n%s\n(-update writes it)", got, want)
	}
}

func table() string {
	var b strings.Builder
	b.WriteString("| where | key | | in YuniKorn | here |\n|---|---|---|---|---|\n")
	for _, k := range yunikornconfig.Keys() {
		there, here := k.There, k.Here
		switch k.Standing {
		case yunikornconfig.Same:
			there, here = "", ""
		case yunikornconfig.HereOnly:
			there, here = "–", "see [configuration](../configure/configuration.md#keys)"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", k.Where, k.Key, k.Standing, there, here)
	}
	return b.String()
}
