//go:build linux

package sandbox

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed are the attempts that succeed in every sandbox.
var allowed = []string{"read its folder", "read the system", "read about itself", "write its temporary", "listen in its temporary", "run a program"}

// granted are those that succeed with the network and a folder granted.
var grantedAttempts = []string{"connect by TCP", "send by UDP", "connect to a socket", "write the granted"}

// users are the users whose host is tried: this one, and one that is not root.
func users() map[string]int {
	if os.Getuid() != 0 {
		return map[string]int{"user": os.Getuid()}
	}
	return map[string]int{"root": 0, "user": nobody}
}

func TestAHostileProgramIsRefusedEverythingElse(t *testing.T) {
	for name, uid := range users() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage(t).refuses(t, abilitiesOf(t), uid)
		})
	}
}

// Many machines do not let a user make namespaces.
func TestWithoutNamespacesTheRestStillHolds(t *testing.T) {
	a := abilitiesOf(t)
	a.namespaces = false
	for name, uid := range users() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stage(t)
			s.Plain = true
			s.refuses(t, a, uid)
		})
	}
}

// refuses expects that the attempts fail but for the allowed ones, and those for which the kernel lacks something.
func (s *scene) refuses(t *testing.T, a abilities, uid int) {
	t.Helper()
	for attempt, err := range s.played(t, uid).Found {
		if why := lacking(a, attempt, uid); why != "" {
			t.Logf("%s: skipped, because %s", attempt, why)
			continue
		}
		if succeeds := slices.Contains(allowed, attempt); succeeds != (err == "") {
			t.Errorf("%s: expected success %t, found %q", attempt, succeeds, err)
		}
	}
}

func TestWhatRulesGrantSucceeds(t *testing.T) {
	s := stage(t)
	s.Network = true
	a := abilitiesOf(t)
	uid := users()["user"]
	for attempt, err := range s.played(t, uid).Found {
		switch {
		case attempt == "write a large file" || attempt == "send to a socket": // as the grants allow
		case slices.Contains(grantedAttempts, attempt):
			if err != "" {
				t.Errorf("%s: expected success, found %q", attempt, err)
			}
		case lacking(a, attempt, uid) == "" && slices.Contains(allowed, attempt) != (err == ""):
			t.Errorf("%s: found %q", attempt, err)
		}
	}
}

func abilitiesOf(t *testing.T) abilities {
	t.Helper()
	a, report := New(Auto).probe()
	t.Log(report)
	return a
}

// lacking says what the kernel lacks to refuse an attempt.
func lacking(a abilities, attempt string, uid int) string {
	switch attempt {
	case "read a secret", "list the root", "write its folder", "write outside", "remove a secret", "write the granted":
		if a.landlock == 0 {
			return "there is no Landlock"
		}
	case "read the host":
		if !a.namespaces && a.landlock == 0 {
			return "there are neither namespaces nor Landlock"
		}
	case "connect by TCP", "send by UDP":
		if !a.namespaces && !a.calls {
			return "there are neither namespaces nor a filter of system calls"
		}
	case "connect to a socket", "send to a socket", "use io_uring", "use every processor", "make a user namespace", "trace", "mount":
		if !a.calls {
			return "there is no filter of system calls"
		}
	case "signal the host":
		if !a.namespaces && a.landlock < landlockSignals {
			return "there are neither namespaces nor a Landlock with signals"
		}
	case "fork many":
		if !a.namespaces || uid == 0 {
			return "the number of processes is bounded in a user namespace of a user other than root alone"
		}
	}
	return ""
}

// The documentation names every path that programs may read or write without a grant.
func TestTheDocumentationHasTheRules(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/policies/using.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Concat(systemPaths, systemDevices, networkPaths) {
		if !strings.Contains(string(text), "`"+path+"`") {
			t.Errorf("docs/policies/using.md: expected `%s`", path)
		}
	}
}

func TestAStrictSandboxSaysWhatItLacks(t *testing.T) {
	lacks := Report{{Name: "files", By: "something"}, {Name: "network", Lack: "there is no such kernel"}}
	s := New(Strict)
	s.probe = func() (abilities, Report) { return abilities{}, lacks }
	_, err := s.Confine(nil, Rules{})
	if err == nil || !strings.HasSuffix(err.Error(), "expected every protection, since it is strict: network: there is no such kernel") {
		t.Errorf("found %v", err)
	}
	if New(Off) != nil {
		t.Error("expected no sandbox")
	}
	if started, err := New(Off).Confine(nil, Rules{}); started != nil || err != nil {
		t.Error("expected nothing to be confined")
	}
}

// A program that uses this package and does not call Launch would otherwise run itself again, and again.
func TestAnExecutableThatIsNoLauncherConfinesNothingAndSaysSo(t *testing.T) {
	mayLaunch = false
	defer func() { mayLaunch = true }()
	s := New(Auto)
	cmd := exec.Command("/bin/true")
	if started, err := s.Confine(cmd, Rules{}); started != nil || err != nil || cmd.Path != "/bin/true" {
		t.Errorf("expected the command as it was, found %v, %v, %s", started, err, cmd)
	}
	if lacks := s.Report().Lacks(); len(lacks) != 1 || lacks[0] != "all: this executable is no launcher" {
		t.Errorf("found %q", lacks)
	}
	if _, err := New(Strict).Confine(cmd, Rules{}); err == nil {
		t.Error("expected a strict sandbox to refuse")
	}
}
