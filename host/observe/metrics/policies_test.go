package metrics

import (
	"errors"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/server"
)

// answering answers for every policy but one, and fails.
type answering struct{ server.Policies }

func (answering) Options() core.Options {
	return core.Options{Evaluator: func(a core.Announcement) policy.Evaluator {
		if a.Name == "absent" {
			return nil
		}
		return failing{}
	}}
}

type failing struct{}

var errNoAnswer = errors.New("no answer")

func (failing) Eval(*policy.Batch) error { return errNoAnswer }

func TestCallsOfPoliciesAreTimedWhereTheyDecide(t *testing.T) {
	m := New(Options{})
	each := m.Policies(func(bool) server.Policies { return answering{} })
	announced := func(name string) core.Announcement {
		return core.Announcement{PolicyModule: core.PolicyModule{Name: name}}
	}
	for _, decides := range []bool{true, false} {
		e := each(decides).Options().Evaluator(announced("x"))
		if err := e.Eval(nil); !errors.Is(err, errNoAnswer) {
			t.Errorf("found %v", err)
		}
	}
	if e := each(true).Options().Evaluator(announced("absent")); e != nil {
		t.Error("something answers for a policy that nothing answers for")
	}
	if n := testutil.CollectAndCount(m.calls); n != 1 {
		t.Errorf("found %d series", n)
	}
	var written dto.Metric
	if err := m.calls.WithLabelValues("x").(prometheus.Metric).Write(&written); err != nil || written.GetHistogram().GetSampleCount() != 1 {
		t.Errorf("found %v (%v)", &written, err)
	}
}

func TestThePredicatesOfAnOwnerHaveOneLabel(t *testing.T) {
	m := New(Options{})
	each := m.Policies(func(bool) server.Policies { return answering{} })
	for _, name := range []string{"rm-1/a", "rm-1/b", "rm/2/a", "reverse"} {
		e := each(true).Options().Evaluator(core.Announcement{PolicyModule: core.PolicyModule{Name: name}})
		_ = e.Eval(nil)
		m.Published([]core.Decision{{Type: core.PolicyFault, Policy: name, Reason: core.ReasonPolicyFailed}})
	}
	for label, want := range map[string]float64{"rm-1/": 2, "rm/2/": 1, "reverse": 1} {
		if found := testutil.ToFloat64(m.faults.WithLabelValues(label, string(core.ReasonPolicyFailed))); found != want {
			t.Errorf("%s: found %v faults", label, found)
		}
	}
	if n := testutil.CollectAndCount(m.calls); n != 3 {
		t.Errorf("found %d series", n)
	}
}
