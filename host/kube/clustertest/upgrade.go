package clustertest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Upgrade has the API server, the controller manager and kube-scheduler be those of another version of Kubernetes, such as 1.37, from their next start on,
// without the feature gates that they were given, since versions know others. What etcd has stays. Where the programs are not built, the test is skipped.
func (c *Cluster) Upgrade(t testing.TB, version string) {
	t.Helper()
	folder, err := programsOf(version)
	if err != nil {
		t.Fatal(err)
	}
	if !built(folder) {
		t.Skipf("skipped, because Kubernetes %s is not built: KUBERNETES=%s make kube-tools builds it", version, version)
	}
	for _, p := range []*Process{c.APIServer, c.ControllerManager, c.Scheduler} {
		p.program = filepath.Join(folder, p.name)
		p.args = slices.DeleteFunc(slices.Clone(p.args), func(arg string) bool { return strings.HasPrefix(arg, "--feature-gates=") })
	}
}
