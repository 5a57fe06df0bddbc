package quernapi_test

import (
	"testing"
	"time"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestQueues_TellTheirAgedUsage(t *testing.T) {
	l := start(t)
	const config = `partitions: [{name: default, queues: [{name: root, properties: {fairness.half-life: 1h, fairness.look-ahead: 6m}, queues: [
		{name: default, properties: {application.sort.policy: fair-users}}, {name: other}]}]}]`
	if _, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: config, IfMatch: "*"}); err != nil {
		t.Fatal(err)
	}
	l.submit(node("n1", 4000), app("a1"), ask("k1", "a1", 1000))
	r, err := l.GetQueue(t.Context(), &quernv1.GetQueueRequest{Path: "root.default"})
	if err != nil {
		t.Fatal(err)
	}
	q := r.GetQueue()
	aged, users := q.GetAged(), q.GetUsers()
	if aged.GetHalfLife().AsDuration() != time.Hour || aged.GetLookAhead().AsDuration() != 6*time.Minute || aged.GetUser() != "" || aged.GetShareBillionths() <= 0 ||
		aged.GetCompared().GetAmounts()["vcore"] >= 1000 {
		t.Errorf("found %v", aged)
	}
	if len(users) != 1 || users[0].GetHalfLife().AsDuration() != time.Hour {
		t.Errorf("found %v", users)
	}
	if root, err := l.GetQueue(t.Context(), &quernv1.GetQueueRequest{Path: "root"}); err != nil || root.GetQueue().GetAged() != nil || root.GetQueue().GetUsers() != nil {
		t.Errorf("found %v (%v)", root, err)
	}
}
