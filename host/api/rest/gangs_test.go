package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/objects"
)

const member = `{"type":"ask.add","id":"m1","app":"a1","gang":"g1","gang_min":2,"resources":{"vcore":1}}`

// racked starts a scheduler with two racks of two nodes, on the first of which gang ring of application train is whole.
func racked(t *testing.T) *live {
	l := start(t)
	l.submit(`{"type":"config.set","config":"partitions: [{name: default, topology: [{level: rack, attribute: r}], queues: [{name: root, queues: [{name: q}]}]}]"}`)
	lines := []string{`{"type":"app.add","id":"train","queue":"root.q","user":"ann"}`}
	for i := range 4 {
		lines = append(lines, fmt.Sprintf(`{"type":"node.add","id":"n%d","capacity":{"vcore":4},"attributes":{"r":"r%d"}}`, i+1, i/2+1))
	}
	for i := range 3 {
		lines = append(lines, fmt.Sprintf(`{"type":"ask.add","id":"m%d","app":"train","gang":"ring","gang_min":2,"gang_max":4,"topology_required":"rack","resources":{"vcore":2}}`, i+1))
	}
	l.submit(lines...)
	return l
}

func read[T any](l *live, path string) (object T) {
	l.Helper()
	r := l.do("GET", path, "")
	if r.status != http.StatusOK {
		l.Fatalf("%s: found %+v", path, r)
	}
	if err := json.Unmarshal([]byte(r.body), &object); err != nil {
		l.Fatal(err)
	}
	return object
}

func TestGang_WholeWithSurplusInItsRack(t *testing.T) {
	l := racked(t)
	g := read[objects.Gang](l, "/v1/gangs/train/ring")
	if g.State != "whole" || g.Allocated != 3 || g.Needed != 2 || g.Surplus != 1 || g.Level != "rack" || !g.Required || g.Domain != "r1" || len(g.Members) != 3 || g.Queue != "root.q" || g.Disruption != "unit" {
		t.Errorf("found %+v", g)
	}
	for path, want := range map[string]string{
		"/v1/asks/m1": `"gang":"ring"`, "/v1/apps/train": `"gang":false,"atomic_gangs":1`, "/v1/nodes/n3": `"domain":{"rack":"r2"}`,
		"/v1/asks?gang=ring&fields=ask": `{"items":[{"ask":"m1"},{"ask":"m2"},{"ask":"m3"}]`, "/v1/asks?gang=rang": `{"items":[]`,
		"/v1/asks/m1/explanation":     `"text": "It belongs to gang ring, of which 3 members run and 2 are needed: 1 of them may be preempted`,
		"/v1/gangs?fields=gang,state": `{"gang":"ring","state":"whole"}`,
	} {
		if r := l.do("GET", path, ""); !strings.Contains(r.body, want) {
			t.Errorf("%s: expected %s, found %s", path, want, r.body)
		}
	}
}

func TestGang_BrokenSinceAndByWhat(t *testing.T) {
	l := racked(t)
	l.submit(`{"type":"allocation.release","id":"m1","failed":true}`, `{"type":"allocation.release","id":"m2","failed":true}`)
	p := read[objects.Page[objects.Gang]](l, "/v1/gangs?state=broken&app=train&queue=root&user=ann")
	if len(p.Items) != 1 || p.Items[0].BrokenBy != "failed" || p.Items[0].BrokenSince == "" || p.Items[0].Allocated != 1 {
		t.Errorf("found %+v", p)
	}
	if p := read[objects.Page[objects.Gang]](l, "/v1/gangs?state=whole"); len(p.Items) != 0 {
		t.Errorf("found %+v", p)
	}
}

func TestGang_AbsentSaysWhichPartIs(t *testing.T) {
	l := racked(t)
	for path, want := range map[string]string{
		"/v1/gangs/train/rang": `found no gang \"rang\" of application \"train\"`, "/v1/gangs/trian/ring": "train",
	} {
		if r := l.do("GET", path, ""); r.status != http.StatusNotFound || !strings.Contains(r.body, want) {
			t.Errorf("%s: found %+v", path, r)
		}
	}
	for _, path := range []string{"/v1/gangs?continue=x", "/v1/gangs?limit=1001", "/v1/topology?continue=x", "/v1/gangs/train/ring?fields=colour"} {
		if r := l.do("GET", path, ""); r.status != http.StatusBadRequest {
			t.Errorf("%s: found %+v", path, r)
		}
	}
}

func TestTopology_DomainsWithTheirRoom(t *testing.T) {
	l := racked(t)
	var page struct{ Continue string }
	first := l.do("GET", "/v1/topology?limit=1", "").body
	if err := json.Unmarshal([]byte(first), &page); err != nil {
		t.Fatal(err)
	}
	second := l.do("GET", "/v1/topology?limit=1&level=rack&continue="+page.Continue, "").body
	const levels = `{"levels":[{"level":"rack","attribute":"r","domains":2}],"items":[{"level":"rack",`
	for body, want := range map[string]string{
		first:  `"domain":"r1","nodes":2,"schedulable":2,"capacity":{"vcore":"8000m"},"occupied":{},"used":{"vcore":"6000m"},"free":{"vcore":"2000m"}}]`,
		second: `"domain":"r2","nodes":2,"schedulable":2,"capacity":{"vcore":"8000m"},"occupied":{},"used":{},"free":{"vcore":"8000m"}}]`,
	} {
		if !strings.HasPrefix(body, levels+want) {
			t.Errorf("expected %s%s, found %s", levels, want, body)
		}
	}
	if r := l.do("GET", "/v1/topology", "", "If-None-Match", l.do("GET", "/v1/topology", "").header.Get("ETag")); r.status != http.StatusNotModified {
		t.Errorf("found %+v", r)
	}
}

func TestTopology_NoneHasNoLevels(t *testing.T) {
	l := start(t)
	if r := l.do("GET", "/v1/topology", ""); !strings.HasPrefix(r.body, `{"levels":[],"items":[]`) {
		t.Errorf("found %s", r.body)
	}
}
