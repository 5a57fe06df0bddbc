package replay

import (
	"fmt"
	"io"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/format"
)

// Diagnostics tells people what decisions say about configurations, each warning once and grouped by kind, and every refusal, and about
// a state that is refused.
type Diagnostics struct {
	ledger.NopWatcher
	w     io.Writer
	given bool // a configuration was given aside: its refusal ends the run, and is told as the reason of that
	said  map[string]bool
}

// NewDiagnostics makes a watcher that writes lines. Given says that the run begins with a configuration given aside.
func NewDiagnostics(w io.Writer, given bool) *Diagnostics {
	return &Diagnostics{w: w, given: given, said: map[string]bool{}}
}

// Decided writes about configurations and states.
func (d *Diagnostics) Decided(decision *core.Decision) {
	switch decision.Type {
	case core.ConfigAccepted:
		d.Warn(config.Grouped(decision.Warnings))
	case core.ConfigRejected:
		if d.given && decision.Seq == 1 {
			return
		}
		lines := make([]string, len(decision.Errors))
		for i, text := range decision.Errors {
			lines[i] = format.Line(text)
		}
		d.say("warning: a configuration was refused and has no effect:\n  " + strings.Join(lines, "\n  "))
	case core.Ignored:
		if decision.Input == core.StateSet {
			d.say("warning: the state that the journal begins with has no effect, so waiting times, reservations and preemptions under way are missing: " +
				format.Line(decision.Message))
		}
	}
}

// Warn writes warnings that no decision has. What a decision said before is not repeated.
func (d *Diagnostics) Warn(list []string) {
	for _, text := range list {
		d.say("warning: " + format.Line(text))
	}
}

func (d *Diagnostics) say(line string) {
	if d.said[line] {
		return
	}
	d.said[line] = true
	_, _ = fmt.Fprintln(d.w, line)
}
