package quernapi_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
	"github.com/quern-project/quern/host/report/explanation"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

const explainedQueues = "partitions: [{name: default, placementrules: [{name: user, create: true, parent: {name: fixed, value: root.users}}], queues: [{name: root, submitacl: ' '," +
	" queues: [{name: a, submitacl: 'ann', properties: {quota.preemption.delay: 1s}, limits: [{users: [ann], maxresources: {vcore: 3}}]}, {name: users, parent: true}]}]}]"

func explained(t *testing.T, l *live) {
	t.Helper()
	if _, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: explainedQueues, IfMatch: "*"}); err != nil {
		t.Fatal(err)
	}
}

func questions(user string) map[*quernv1.ExplainRequest]explanation.Question {
	return map[*quernv1.ExplainRequest]explanation.Question{
		{Subject: &quernv1.ExplainRequest_Access{Access: &quernv1.AccessQuestion{Queue: "root.a", User: user, Groups: []string{"g"}}}}: {
			Kind: explanation.Access, Name: "root.a", User: &user, Groups: []string{"g"}},
		{Subject: &quernv1.ExplainRequest_Limits{Limits: &quernv1.LimitsQuestion{User: &user}}}:           {Kind: explanation.Limits, User: &user},
		{Subject: &quernv1.ExplainRequest_Limits{Limits: &quernv1.LimitsQuestion{Groups: []string{"g"}}}}: {Kind: explanation.Limits, Groups: []string{"g"}},
		{Subject: &quernv1.ExplainRequest_Limits{Limits: &quernv1.LimitsQuestion{}}}:                      {Kind: explanation.Limits},
		{Subject: &quernv1.ExplainRequest_Placement{Placement: &quernv1.PlacementQuestion{User: &user, Groups: []string{"g"}, Queue: "x", Tags: map[string]string{"k": "v"}}}}: {
			Kind: explanation.Place, User: &user, Groups: []string{"g"}, App: explanation.Application{Queue: "x", Tags: map[string]string{"k": "v"}}},
		{Subject: &quernv1.ExplainRequest_Max{Max: &quernv1.MaxQuestion{Queue: "root.a", Max: &quernv1.Resources{Amounts: map[string]int64{"vcore": 1000}}}}}: {
			Kind: explanation.Max, Name: "root.a", Max: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})},
	}
}

func TestQuestionsAreAnsweredAsOverHTTP(t *testing.T) {
	l := start(t)
	explained(t, l)
	for r, q := range questions("ann") {
		e, err := l.Explain(t.Context(), r)
		if err != nil {
			t.Errorf("%v: %v", r, err)
			continue
		}
		q.Absolute = true
		var expected explanation.Answer
		l.host.View().Read(func(s *scheduler.Scheduler) { expected, err = q.Put(s) })
		var text, object strings.Builder
		if err != nil || expected.Write(&text, false) != nil || expected.Write(&object, true) != nil {
			t.Fatal(q, err)
		}
		if e.GetText() != text.String() || timeless(e.GetJson()) != timeless(object.String()) {
			t.Errorf("%v: expected %s\nfound %s", r, object.String(), e.GetJson())
		}
	}
}

// timeless is an explanation without the line of its time.
func timeless(object string) string {
	var kept []string
	for line := range strings.Lines(object) {
		if !strings.HasPrefix(line, `  "at":`) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestQuestionsThatCannotBeUsed(t *testing.T) {
	l := start(t)
	explained(t, l)
	max := func(queue string, amounts map[string]int64) *quernv1.ExplainRequest {
		return &quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Max{Max: &quernv1.MaxQuestion{Queue: queue, Max: &quernv1.Resources{Amounts: amounts}}}}
	}
	for name, c := range map[string]struct {
		request *quernv1.ExplainRequest
		code    codes.Code
		detail  string
	}{
		"no amounts":         {max("root.a", nil), codes.InvalidArgument, "max: expected amounts, found none"},
		"a negative amount":  {max("root.a", map[string]int64{"vcore": -1}), codes.InvalidArgument, "max.vcore: expected an amount of zero or more, found -1"},
		"no name":            {max("root.a", map[string]int64{"": 1}), codes.InvalidArgument, "max: expected the name of a resource"},
		"an unknown queue":   {max("root.b", map[string]int64{"vcore": 1}), codes.NotFound, "root.b"},
		"a group of no name": {&quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Limits{Limits: &quernv1.LimitsQuestion{Groups: []string{""}}}}, codes.InvalidArgument, "groups: expected names"},
		"access to no queue": {&quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Access{Access: &quernv1.AccessQuestion{User: "ann"}}}, codes.NotFound, "queue"},
		"nothing":            {&quernv1.ExplainRequest{}, codes.InvalidArgument, "subject"},
	} {
		_, err := l.Explain(t.Context(), c.request)
		if status.Code(err) != c.code || !strings.Contains(problem(err).GetDetail(), c.detail) {
			t.Errorf("%s: found %v", name, err)
		}
	}
}

func TestUsersAskAboutThemselves(t *testing.T) {
	a, err := auth.New(auth.Options{Tokens: authtest.Tokens(t, "ann=viewer", "op=operator", "root=admin"), Log: slog.New(slog.DiscardHandler), Now: authtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	l := startWith(t, a)
	as := func(user string) context.Context {
		return metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+user)
	}
	if _, err := l.ApplyConfig(as("root"), &quernv1.ApplyConfigRequest{Config: explainedQueues, IfMatch: "*"}); err != nil {
		t.Fatal(err)
	}
	for r, q := range questions("ann") {
		_, own := l.Explain(as("ann"), r)
		_, operators := l.Explain(as("op"), r)
		if status.Code(own) != codes.PermissionDenied || operators != nil { // ann is in no group
			if q.Kind != explanation.Limits || q.User == nil || own != nil {
				t.Errorf("%v: found %v, and %v for operators", r, own, operators)
			}
		}
	}
	ann := "ann"
	for _, r := range []*quernv1.ExplainRequest{
		{Subject: &quernv1.ExplainRequest_Access{Access: &quernv1.AccessQuestion{Queue: "root.a", User: ann}}},
		{Subject: &quernv1.ExplainRequest_Placement{Placement: &quernv1.PlacementQuestion{User: &ann}}},
	} {
		if _, err := l.Explain(as(ann), r); err != nil {
			t.Errorf("%v: %v", r, err)
		}
	}
}
