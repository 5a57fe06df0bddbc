package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/host/kube/clustertest"
)

// TestTheScenariosOnARealControlPlane plays the scenarios against the program and a real API server, also in the short form, except those with the tag
// @long.
func TestTheScenariosOnARealControlPlane(t *testing.T) {
	w, err := newWorld(&plane{TB: t, Cluster: clustertest.NewInShort(t), dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.plane.Kwok.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o := godog.Options{Paths: []string{"../../features"}, Strict: true, Format: "pretty", Output: &out, NoColors: true, DefaultContext: t.Context()}
	if testing.Short() {
		o.Tags = "~@long"
	}
	if folder := os.Getenv("QUERN_REPORTS"); folder != "" {
		o.Format += ",cucumber:" + filepath.Join(folder, "features-kubernetes.json")
	}
	suite := godog.TestSuite{Name: "kubernetes", Options: &o, ScenarioInitializer: w.initialize}
	if code := suite.Run(); code != 0 || testing.Verbose() {
		t.Logf("%s", out.String())
		if code != 0 {
			t.Errorf("scenarios have failed (%d)", code)
		}
	}
}

// initialize registers the steps, and ends what a scenario has begun.
func (w *world) initialize(s *godog.ScenarioContext) {
	s.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		return ctx, w.clear(ctx)
	})
	s.Step(`^the queues:$`, w.writeQueues)
	s.Step(`^the queues become:$`, w.writeQueues)
	s.Step(`^the nodes:$`, w.addNodes)
	s.Step(`^the nodes are added:$`, w.addNodes)
	s.Step(`^the pods:$`, w.createPods)
	s.Step(`^the pods are created:$`, w.createPods)
	s.Step(`^these objects:$`, w.createObjects)
	s.Step(`^these objects are created:$`, w.createObjects)
	s.Step(`^Quern runs$`, w.run)
	s.Step(`^Quern is killed$`, w.kill)
	s.Step(`^a replica of Quern with a lease of (\d+) seconds leads$`, w.leads)
	s.Step(`^another replica waits$`, w.standsBy)
	s.Step(`^the replica that leads is killed$`, w.killLeader)
	s.Step(`^pod (\S+) is deleted$`, w.deletePod)
	s.Step(`^node (\S+) is deleted$`, w.deleteNode)
	s.Step(`^node (\S+) is not ready$`, w.unready)
	s.Step(`^node (\S+) is unreachable$`, w.unreachable)
	s.Step(`^node (\S+) is back$`, w.back)

	w.jobSteps(s)
	s.Step(`^pod (\S+) is on node (\S+)$`, w.podIsOn)
	s.Step(`^pod (\S+) is on node (\S+) within (\d+) seconds$`, w.podIsOnWithin)
	s.Step(`^pod (\S+) is on a node$`, w.podIsOnANode)
	s.Step(`^pods "([^"]+)" are on nodes?(?: (\S+))?$`, w.podsAreOn)
	s.Step(`^1 pod of "([^"]+)" is on node (\S+)$`, w.oneOfIsOn)
	s.Step(`^(\d+) pods? with label (\S+) (?:is|are) on (nodes|different nodes|node \S+)$`, w.labelledAreOn)
	s.Step(`^(\d+) pods with label (\S+) wait as (\S+): "([^"]*)"$`, w.labelledWait)
	s.Step(`^pod (\S+) waits as (\S+): "([^"]*)"$`, w.podWaits)
	s.Step(`^pod (\S+) waits as (\S+), first of all: "([^"]*)"$`, w.podWaitsFirst)
	s.Step(`^the message of pod (\S+) leaves out "([^"]*)"$`, w.leavesOut)
	s.Step(`^the other waits as (\S+): "([^"]*)"$`, w.otherWaits)
	s.Step(`^the events of pod (\S+) tell (\S+): "([^"]*)"$`, w.eventsTell)
	s.Step(`^pod (\S+) is preempted: "([^"]*)"$`, w.isPreempted)
}
