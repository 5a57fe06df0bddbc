package translate

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

func TestWalltime_AnnotationBeforeDeadline(t *testing.T) {
	const hour = `annotations: {quern.dev/walltime: 1h}`
	for name, c := range map[string]struct {
		metadata, spec string
		want           core.Ask
		bad            bool
	}{
		"none":                       {"", "", core.Ask{}, false},
		"an annotation":              {hour, "", core.Ask{Walltime: time.Hour}, false},
		"a deadline of the kubelet":  {"", "activeDeadlineSeconds: 90", core.Ask{Walltime: 90 * time.Second, Overrun: core.OverrunAllow}, false},
		"both":                       {hour, "activeDeadlineSeconds: 90", core.Ask{Walltime: time.Hour}, false},
		"an unreadable annotation":   {`annotations: {quern.dev/walltime: soon}`, "", core.Ask{}, true},
		"an annotation of zero":      {`annotations: {quern.dev/walltime: 0s}`, "activeDeadlineSeconds: 90", core.Ask{Walltime: 90 * time.Second, Overrun: core.OverrunAllow}, true},
		"a deadline beyond any time": {"", "activeDeadlineSeconds: 9223372036854775807", core.Ask{Walltime: 1<<63 - 1, Overrun: core.OverrunAllow}, false},
	} {
		ask, bad := quernOnly.AskOf(marked(t, c.metadata, c.spec), &Context{})
		if ask.Walltime != c.want.Walltime || ask.Overrun != c.want.Overrun || (len(bad) > 0) != c.bad {
			t.Errorf("%s: expected %s %q, found %s %q, %v", name, c.want.Walltime, c.want.Overrun, ask.Walltime, ask.Overrun, bad)
		}
		if c.bad && !strings.Contains(bad[0].Error(), "annotation quern.dev/walltime: expected a Go duration above zero") {
			t.Errorf("%s: found %v", name, bad[0])
		}
	}
}
