package si_test

import (
	"fmt"
	"testing"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func TestWhatResourceManagersSaidCanBeRead(t *testing.T) {
	l := start(t)
	m := l.register("rm-2")
	if _, err := l.RegisterResourceManager(t.Context(), &siv1.RegisterResourceManagerRequest{RmID: "rm-1", Version: "0.9", BuildInfo: map[string]string{"buildDate": "today"}}); err != nil {
		t.Fatal(err)
	}
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	for _, key := range []string{"f2", "f1"} {
		m.ask(&siv1.Allocation{AllocationKey: key, NodeID: "n1", ResourcePerAlloc: resources(1000), AllocationTags: map[string]string{"foreign": "static"}})
	}
	m.ask(&siv1.Allocation{AllocationKey: "f3", NodeID: "n9", ResourcePerAlloc: resources(1), AllocationTags: map[string]string{"foreign": "static"}})
	m.wants("rejected f3 of : unknown-node")
	build := l.service.BuildInformation()
	if len(build) != 2 || fmt.Sprint(build[0]) != "map[buildDate:today buildVersion:0.9 rmId:rm-1]" || build[1]["rmId"] != "rm-2" {
		t.Errorf("found %v", build)
	}
	found := ""
	for node, list := range l.service.Foreign() {
		for _, a := range list {
			found += fmt.Sprintf("%s on %s: %d; ", a.GetAllocationKey(), node, a.GetResourcePerAlloc().GetResources()["vcore"].GetValue())
		}
	}
	if found != "f1 on n1: 1000; f2 on n1: 1000; " {
		t.Errorf("found %s", found)
	}
}

func TestTagsOfAsksCanBeReadAsLongAsTheyAreThere(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	for _, k := range []*siv1.Allocation{task("k1", "a1", 1000), task("k2", "a1", 9000)} {
		k.AllocationTags = map[string]string{"creationTime": "1700000000"}
		m.ask(k)
	}
	m.wants("a1 is Accepted", "new k1 on n1", "a1 is Starting")
	m.taken()
	found := l.service.Told([]string{"k1", "k2", "k3"})
	for _, key := range []string{"k1", "k2"} {
		if found[key].GetAllocationTags()["creationTime"] != "1700000000" {
			t.Errorf("%s: found %v", key, found[key])
		}
	}
	m.release("a1", "k1", siv1.TerminationType_STOPPED_BY_RM)
	m.wants("released k1 of a1")
	if found := l.service.Told([]string{"k1", "k3"}); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}
