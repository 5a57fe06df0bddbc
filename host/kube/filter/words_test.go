package filter

import (
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
)

func TestACodeHasTheWordsOfItsSentence(t *testing.T) {
	f := &Filters{}
	o := f.worded(core.Options{Words: func(string, float64) string { return "of another" }})
	const ours = owner + "0" + "@departures"
	for reason, plugin := range map[string]string{"taken": nodefit.NodePorts, "too far": nodefit.PodTopologySpread} {
		against := fwk.NewStatus(fwk.Unschedulable, reason).WithPlugin(plugin)
		if got, want := o.Words(ours, f.sentences.answer(against)), reason+" ("+plugin+")"; got != want {
			t.Errorf("found %q, expected %q", got, want)
		}
	}
	for _, code := range []float64{0, 1, goneCode, -99, 1e300} {
		if got := o.Words(ours, code); got != "" {
			t.Errorf("code %v: expected no words, found %q", code, got)
		}
	}
	if got := o.Words("ports", 2); got != "of another" {
		t.Errorf("found %q for the predicate of another", got)
	}
}
