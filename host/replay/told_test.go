package replay

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
)

// evil is a text that would clear a terminal, forge a line and turn text around.
const evil = "a\x1b[2J\nFORGED\u202e"

const harmless = `a\x1b[2J\nFORGED\u202e`

func TestWhatAModuleLogsIsOneHarmlessLine(t *testing.T) {
	var b strings.Builder
	logTo(&b)("mine"+evil, "info", evil+strings.Repeat("x", 1<<16))
	if got := b.String(); !strings.HasPrefix(got, `policy "mine`+harmless+`": info: `+harmless+"xxx") || strings.Count(got, "\n") != 1 || len(got) > 3000 || !strings.HasSuffix(got, " more bytes)\n") {
		t.Errorf("found %.200q", got)
	}
}

func TestWhatAConfigurationIsRefusedForIsHarmless(t *testing.T) {
	var b strings.Builder
	d := NewDiagnostics(&b, false)
	d.Decided(&core.Decision{Type: core.ConfigAccepted, Seq: 2, Warnings: []string{evil}})
	d.Decided(&core.Decision{Type: core.ConfigRejected, Seq: 3, Errors: []string{evil, "second"}})
	want := "warning: " + harmless + "\nwarning: a configuration was refused and has no effect:\n  " + harmless + "\n  second\n"
	if b.String() != want {
		t.Errorf("found\n%q\nwant\n%q", b.String(), want)
	}
}
