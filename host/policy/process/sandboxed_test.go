//go:build linux

package process

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/internal/await"
)

// box is the sandbox of the tests, which asks the kernel once.
var box = sandbox.New(sandbox.Auto)

// confined are options that run this executable in a role, in a sandbox.
func confined(t testing.TB, role string) Options {
	t.Helper()
	o := acting(t, role)
	o.Sandbox = box
	return o
}

func TestAConfinedPolicyAnswers(t *testing.T) {
	p := running(t, confined(t, "good"))
	b := scores(1, 2, 3)
	expectAnswers(t, p, b, 12002, 12004, 12006)
	set(b, 5, 1)
	expectAnswers(t, p, b, 12002, 18010, 12006)
}

// These are all variables and descriptors that a program has.
func TestTheEnvironmentOfAConfinedPolicy(t *testing.T) {
	t.Setenv("SECRET", "1")
	t.Setenv("HOME", "/home/quern")
	t.Setenv("LANG", "C")
	var log collected
	o := confined(t, "tells-its-environment")
	o.Log = log.log
	running(t, o)
	await.True(t, "the environment", func() bool { return slices.Contains(log.all(), "info end") })
	found := slices.DeleteFunc(log.all(), func(line string) bool { return line == "info end" })
	slices.Sort(found)
	names := make([]string, len(found))
	for i, line := range found {
		names[i], _, _ = strings.Cut(strings.TrimPrefix(line, "info "), "=")
	}
	expected := []string{"HOME", "LANG", "PATH", "PLUGIN_CLIENT_CERT", "PLUGIN_MAX_PORT", "PLUGIN_MIN_PORT", "PLUGIN_PROTOCOL_VERSIONS",
		"PLUGIN_UNIX_SOCKET_DIR", "QUERN_POLICY", "TMPDIR", "descriptor 0", "descriptor 1", "descriptor 2"}
	if !slices.Equal(names, expected) {
		t.Errorf("expected %q, found %q", expected, found)
	}
}

func TestSandbox_ChildrenEndWithThePolicy(t *testing.T) {
	if len(processLacks()) > 0 && !ownProcesses() {
		t.Skip("skipped, because the kernel lets this user make no process namespace: ", processLacks())
	}
	o := confined(t, "starts-a-daemon")
	p := running(t, o)
	inside := children(t, pidOf(p))
	if len(inside) == 0 {
		t.Fatal("expected a child, found none")
	}
	closeSoon(t, p)
	for _, pid := range inside {
		await.True(t, "the child to be gone", func() bool { return !alive(pid) })
	}
}

func processLacks() []string {
	return slices.DeleteFunc(box.Report().Lacks(), func(lack string) bool { return !strings.HasPrefix(lack, "processes: ") })
}

func ownProcesses() bool { return strings.Contains(box.Report().String(), "a process namespace") }

// children are the numbers of the children of a process, as the host sees them.
func children(t *testing.T, pid int) (list []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var child, parent int
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // no process, or none any more
		}
		if _, err := fmt.Sscan(e.Name(), &child); err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if _, err := fmt.Sscanf(rest[1:], "%d", &parent); err == nil && parent == pid {
			list = append(list, child)
		}
	}
	return list
}

func TestAConfinedPolicyEndsWithItsHost(t *testing.T) {
	endsWithItsHost(t, "spins-on-eval", "confined")
}

func TestSandbox_FaultsReportedAsElsewhere(t *testing.T) {
	for role, words := range map[string][]string{
		"exits-at-start": {"the process ended: exit status 3", `its last output: "no licence found"`},
		"garbage":        {"start: ", "hello, world"},
		"eats-memory":    nil,
	} {
		t.Run(role, func(t *testing.T) {
			o := confined(t, role)
			o.Memory = 512 << 20
			p, err := Start(t.Context(), o)
			if words != nil {
				expectError(t, err, words...)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer closeSoon(t, p)
			if err := p.Configure([]byte(`{}`)); err != nil {
				t.Fatal(err)
			}
			expectError(t, p.Eval(scores(666)), "the process ended: ")
		})
	}
	for text, expected := range map[string]string{
		"#!/none/interpreter\n": "/p: expected a program whose interpreter or loader exists, found one that names a missing file",
		"no program at all":     "/p: expected a program for this machine, or a script whose first line (#!) names one",
	} {
		_, err := Start(t.Context(), Options{Command: program(t, text, 0o755), Sandbox: box})
		if err == nil || !strings.HasSuffix(err.Error(), expected) {
			t.Errorf("expected …%s, found %v", expected, err)
		}
	}
	missing := confined(t, "good")
	missing.Read = []string{"/no/such/folder"}
	_, err := Start(t.Context(), missing)
	expectError(t, err, "expected a file or folder that can be granted: open /no/such/folder: no such file or directory")
}
