//go:build linux

package sandbox

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestMain is the launcher, a program or a host where a test started this executable as one; else it runs the tests.
func TestMain(m *testing.M) {
	Launch()
	if len(os.Args) > 2 && os.Args[1] == "role" {
		roles[os.Args[2]](os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var roles = map[string]func(args []string){"attempts": attemptAll, "host": confineAttempts}

// scene is what a hostile program finds outside of its sandbox.
type scene struct {
	Dir     string // of the program; Secret and Socket are elsewhere
	Temp    string
	Granted string // a folder that may be written, if the rules say so
	Secret  string // a file
	Socket  string // that a process of the host listens on
	TCP     string
	UDP     string
	Host    int
	Memory  uint64
	Network bool
	Plain   bool // no namespaces
}

// stage sets a scene that every user can read and write, and copies this executable to it.
func stage(t *testing.T) *scene {
	t.Helper()
	root, err := os.MkdirTemp("", "stage-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) }) // a temporary folder
	s := &scene{Dir: filepath.Join(root, "dir"), Temp: filepath.Join(root, "temp"), Granted: filepath.Join(root, "granted"),
		Secret: filepath.Join(root, "outside", "secret"), Socket: filepath.Join(root, "outside", "socket"), Host: os.Getpid(), Memory: 512 << 20}
	for _, dir := range []string{root, s.Dir, s.Temp, s.Granted, filepath.Dir(s.Secret)} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.Secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	copySelf(t, filepath.Join(s.Dir, "program"))
	s.TCP = listens(t, "tcp", "127.0.0.1:0")
	listens(t, "unix", s.Socket)
	if err := os.Chmod(s.Socket, 0o777); err != nil {
		t.Fatal(err)
	}
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = packets.Close() })
	s.UDP = packets.LocalAddr().String()
	return s
}

func copySelf(t *testing.T, to string) {
	t.Helper()
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }() // it was read alone
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, from); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// listens accepts connections until the test ends.
func listens(t *testing.T, network, address string) string {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.Close() // that it was made is enough
		}
	}()
	return l.Addr().String()
}

// results are what came of the attempts of a program: an error, or nothing where one succeeded.
type results struct {
	Abilities string
	Found     map[string]string
}

// played runs the attempts in a sandbox, whose host has this user.
func (s *scene) played(t *testing.T, uid int) *results {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	host := exec.Command(self, "role", "host", string(text))
	host.Dir = s.Dir
	if uid != os.Getuid() {
		host.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	var out, errs bytes.Buffer
	host.Stdout, host.Stderr = &out, &errs
	if err := host.Run(); err != nil {
		t.Fatalf("%v: %s", err, &errs)
	}
	r := &results{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		t.Fatalf("%v: %s%s", err, &out, &errs)
	}
	return r
}

// confineAttempts is a host that runs the attempts in a sandbox.
func confineAttempts(args []string) {
	s := &scene{}
	must(json.Unmarshal([]byte(args[0]), s))
	box := New(Auto)
	a, report := box.probe()
	if s.Plain {
		a.namespaces, a.processes = false, false
		box.probe = func() (abilities, Report) { return a, report }
	}
	program := filepath.Join(s.Dir, "program")
	cmd := exec.Command(program, "role", "attempts", args[0])
	cmd.Dir, cmd.Env = s.Dir, []string{"TMPDIR=" + s.Temp}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	r := Rules{Program: program, Folder: s.Dir, Temp: s.Temp, Network: s.Network, Memory: s.Memory}
	if s.Network {
		r.Write = []string{s.Granted}
	}
	started, err := box.Confine(cmd, r)
	must(err)
	must(cmd.Start())
	must(started.Theirs.Close())
	must(started.Wait(time.Minute))
	must(cmd.Wait())
	found := results{Abilities: report.String() + strconv.FormatBool(a.namespaces)}
	must(json.Unmarshal(out.Bytes(), &found.Found))
	must(json.NewEncoder(os.Stdout).Encode(found))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
