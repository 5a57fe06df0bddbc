package clustertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/internal/await"
)

// A witness is a test that writes down what it is told, and has failed once it is told an error.
type witness struct {
	testing.TB
	failed bool
	told   strings.Builder
}

func (w *witness) Failed() bool { return w.failed }

func (w *witness) Logf(format string, args ...any) { fmt.Fprintf(&w.told, format+"\n", args...) }

func (w *witness) Errorf(format string, args ...any) {
	w.failed = true
	w.Logf(format, args...)
}

// shells is a cluster whose processes are scripts: the API server's is given, those of the others run on.
func shells(t *testing.T, apiServer string) *Cluster {
	t.Helper()
	const quiet = "echo quiet; exec sleep 1000"
	c := &Cluster{Etcd: shell(t, quiet), APIServer: shell(t, apiServer), ControllerManager: shell(t, quiet), Scheduler: shell(t, quiet), Kwok: shell(t, quiet)}
	c.APIServer.name = "kube-apiserver"
	for _, p := range []*Process{c.Etcd, c.APIServer, c.ControllerManager} {
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestProcess_EarlyEndFailsWithAllLogs(t *testing.T) {
	c := shells(t, "sleep 0.1; echo last words; exit 7")
	<-c.APIServer.exited
	await.True(t, "etcd's log", func() bool { return c.Etcd.logTail() != "" })
	w := &witness{TB: t}
	c.end(w)
	for _, want := range []string{"kube-apiserver ended during the test: exit status 7", "the log of kube-apiserver ends with:\nlast words", "quiet"} {
		if !strings.Contains(w.told.String(), want) {
			t.Errorf("expected %q, found:\n%s", want, w.told.String())
		}
	}
	if c.Etcd.running() || c.ControllerManager.running() {
		t.Error("processes run on after the test")
	}
}

func TestATestThatPassesShowsNoLogs(t *testing.T) {
	c := shells(t, "exec sleep 1000")
	if err := c.ControllerManager.Kill(); err != nil {
		t.Fatal(err)
	}
	w := &witness{TB: t}
	c.end(w)
	if w.told.Len() != 0 {
		t.Errorf("expected nothing, found:\n%s", w.told.String())
	}
}
