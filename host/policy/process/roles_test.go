//go:build linux

package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"

	"github.com/quern-project/quern/internal/await"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin"
	"github.com/quern-project/quern/sdk/goplugin/wire"
	sdk "github.com/quern-project/quern/sdk/policy"
)

// roles are the programs that tests start: this executable, in a role.
var roles = map[string]func(){
	"good":          func() { goplugin.Serve(summing(nil)) },
	"exits-at-666":  func() { goplugin.Serve(summing(map[float64]func(){666: func() { os.Exit(7) }})) },
	"hangs-on-eval": func() { goplugin.Serve(summing(map[float64]func(){666: func() { select {} }})) },
	"spins-on-eval": func() { goplugin.Serve(summing(map[float64]func(){666: spin})) },
	"late": func() {
		goplugin.Serve(summing(map[float64]func(){666: func() { linger() }}))
	},
	"says-so-and-hangs": func() {
		goplugin.Serve(summing(map[float64]func(){666: func() { fmt.Fprintln(os.Stderr, "asked"); select {} }}))
	},
	"panics":          func() { goplugin.Serve(summing(map[float64]func(){666: func() { panic("no such row") }})) },
	"crashes":         func() { goplugin.Serve(summing(map[float64]func(){666: crash})) },
	"floods-stderr":   func() { goplugin.Serve(summing(map[float64]func(){666: func() { go flood(os.Stderr) }})) },
	"floods-stdout":   func() { goplugin.Serve(summing(map[float64]func(){666: func() { go flood(os.Stdout) }})) },
	"floods-raw":      func() { out := os.Stdout; goplugin.Serve(summing(map[float64]func(){666: func() { go flood(out) }})) },
	"eats-memory":     func() { goplugin.Serve(summing(map[float64]func(){666: eat})) },
	"leaves-out":      func() { goplugin.Serve(leavingOut()) },
	"lies":            func() { p := summing(nil); p.Points = nil; goplugin.Serve(p) },
	"starts-a-child":  func() { startChild(false); goplugin.Serve(summing(nil)) },
	"starts-a-daemon": func() { startChild(true); goplugin.Serve(summing(nil)) },
	"leaves-a-child":  func() { startChild(false); goplugin.Serve(summing(map[float64]func(){666: func() { os.Exit(7) }})) },
	"sleeps":          func() { linger() },
	"host":            host,

	"tells-its-environment": func() { tellEnvironment(); goplugin.Serve(summing(nil)) },

	"hangs-at-start":     linger,
	"exits-at-start":     func() { fmt.Fprintln(os.Stderr, "no licence found"); os.Exit(3) },
	"garbage":            func() { fmt.Println("hello, world"); linger() },
	"garbage-forever":    func() { flood(os.Stdout) },
	"one-endless-line":   endlessLine,
	"another-version":    func() { raw(2, &wild{}) },
	"by-tcp":             func() { fmt.Println("1|1|tcp|127.0.0.1:1|grpc|"); linger() },
	"socket-elsewhere":   func() { fmt.Println("1|1|unix|/run/other.sock|grpc|"); linger() },
	"no-socket":          func() { fmt.Printf("1|1|unix|%s/none|grpc|\n", socketDir()); linger() },
	"socket-of-silence":  func() { socket(func(net.Conn) {}) },
	"socket-of-garbage":  func() { socket(func(c net.Conn) { _, _ = c.Write(bytes.Repeat([]byte("garbage"), 1000)) }) },
	"huge-manifest":      func() { raw(1, &wild{manifest: strings.Repeat(" ", 8<<20) + manifest}) },
	"no-manifest":        func() { raw(1, &wild{manifest: `{"name":"x","abi":"1.0","points":{"node.smile":{}}}`}) },
	"hangs-on-manifest":  func() { raw(1, &wild{onManifest: func() { select {} }}) },
	"hangs-on-configure": func() { raw(1, &wild{onConfigure: func() { select {} }}) },
	"refuses":            func() { raw(1, &wild{refuses: errors.New("weight: expected 3 or less, found 2")}) },
	"ignores-its-end":    func() { raw(1, &wild{change: func(*wire.Reply, []byte) []byte { select {} }}) },

	"another-call":  func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Call-- })}) },
	"another-table": func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Table++ })}) },
	"another-epoch": func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Epoch++ })}) },
	"too-few":       func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Rows-- })}) },
	"too-many":      func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Rows++ })}) },
	"other-keys":    func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Keys = 2 })}) },
	"always-resend": func() { raw(1, &wild{change: altered(func(r *wire.Reply) { r.Code, r.Rows = wire.Resend, 0 })}) },
	"refuses-frames": func() {
		raw(1, &wild{change: altered(func(r *wire.Reply) { r.Code, r.Rows, r.Text = 3, 0, "no\x1b[31m way" })})
	},
	"huge-answer":    func() { raw(1, &wild{change: func(*wire.Reply, []byte) []byte { return make([]byte, 48<<20) }}) },
	"garbage-answer": func() { raw(1, &wild{change: func(*wire.Reply, []byte) []byte { return []byte("0123456789") }}) },
	"truncated": func() {
		raw(1, &wild{change: func(_ *wire.Reply, whole []byte) []byte { return whole[:len(whole)-1] }})
	},
	"forgets-tables": func() { raw(1, &wild{forgets: true}) },
	"manifest-varies": func() {
		raw(1, &wild{manifest: strings.Replace(manifest, "1.0.0", fmt.Sprint(os.Getpid(), ".0.0"), 1)})
	},
}

const manifest = `{"name":"sums","version":"1.0.0","abi":"1.0","points":{"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}`

// summing answers a row with weight * (its number + 1000 * the sum of all numbers): a row that got lost on the way shows.
// Some numbers, in a row asked about, make it do something first.
func summing(when map[float64]func()) *sdk.Policy {
	weight := 0.0
	return &sdk.Policy{
		Manifest: abi.Manifest{Name: "sums", Version: "1.0.0", ABI: "1.0",
			Parameters: map[string]abi.Parameter{"weight": {Type: abi.Number, Default: 1.0}},
			Points:     map[string]abi.Spec{"node.score": {Columns: []string{"free:vcore"}, Keys: 1, Depends: "row"}}},
		Configure: func(p sdk.Parameters) error { weight = p.Number("weight"); return nil },
		Points: map[string]func(*abi.Frame) error{"node.score": func(f *abi.Frame) error {
			column, sum := f.Column(0), 0.0
			for row := range f.Rows {
				sum += column.At(row)
			}
			for i := range f.Asked {
				row := f.Row(i)
				if act := when[column.At(row)]; act != nil {
					act()
				}
				f.Answer(row, 0, weight*(column.At(row)+1000*sum))
			}
			return nil
		}},
	}
}

func leavingOut() *sdk.Policy {
	p := summing(nil)
	p.Points["node.score"] = func(*abi.Frame) error { return nil }
	return p
}

var spun int

func spin() {
	for {
		spun++
	}
}

func crash() {
	go func() { panic("outside of any call") }()
	select {}
}

func flood(f *os.File) {
	line := []byte(strings.Repeat("flood ", 700) + "\n")
	for {
		if _, err := f.Write(line); err != nil {
			return
		}
	}
}

func endlessLine() {
	for {
		if _, err := os.Stdout.WriteString("1|1|unix|"); err != nil {
			return
		}
	}
}

var eaten [][]byte

func eat() {
	for range 1 << 10 {
		page := make([]byte, 1<<20)
		for i := 0; i < len(page); i += 4096 {
			page[i] = 1
		}
		eaten = append(eaten, page)
	}
}

// startChild starts a process that keeps the pipes, in this process's group or its own.
func startChild(apart bool) {
	c := exec.Command(os.Args[0], "role", "sleeps")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: apart}
	if err := c.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "child", c.Process.Pid)
}

// tellEnvironment writes its variables and open descriptors to standard error.
func tellEnvironment() {
	for _, line := range os.Environ() {
		fmt.Fprintln(os.Stderr, strings.ReplaceAll(line, "\n", " "))
	}
	for i := range 64 {
		if flags, err := unix.FcntlInt(uintptr(i), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			fmt.Fprintln(os.Stderr, "descriptor", i)
		}
	}
	fmt.Fprintln(os.Stderr, "end")
}

// linger does nothing for long: the test ends the program before.
func linger() { await.Pause(time.Minute) }

// host starts a plugin, says its number, and waits to be killed.
func host() {
	o := Options{Command: os.Args[0], Args: []string{"role", os.Args[3]}, Start: 20 * time.Second, Deadline: time.Minute}
	if len(os.Args) > 4 {
		o.Sandbox = box
	}
	p, err := Start(context.Background(), o)
	if err == nil {
		err = p.Configure([]byte(`{}`))
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	pid := pidOf(p)
	go func() { _ = p.Eval(scores(1)) }()
	fmt.Println("pid", pid)
	linger()
}

// wild is a server that does as it likes.
type wild struct {
	manifest    string
	refuses     error
	forgets     bool
	onManifest  func()
	onConfigure func()
	change      func(r *wire.Reply, whole []byte) []byte
}

func (w *wild) Manifest() []byte {
	if w.onManifest != nil {
		w.onManifest()
	}
	if w.manifest != "" {
		return []byte(w.manifest)
	}
	return []byte(manifest)
}

func (w *wild) Configure([]byte) error {
	if w.onConfigure != nil {
		w.onConfigure()
	}
	return w.refuses
}

// Eval answers 7 to everything, before it changes that. One that forgets has a table for one call alone.
func (w *wild) Eval(request []byte) ([]byte, error) {
	req, err := wire.ReadRequest(request)
	if err != nil {
		return nil, err
	}
	r := wire.Reply{Call: req.Call, Table: req.Table, Epoch: req.Epoch, Keys: req.Keys, Rows: req.Header.Asked}
	if w.forgets && req.Flags&wire.Full == 0 {
		r.Code, r.Rows = wire.Resend, 0
	}
	whole := written(r)
	if w.change != nil {
		return w.change(&r, whole), nil
	}
	return whole, nil
}

func written(r wire.Reply) []byte {
	buf := r.AppendHead(nil)
	for range r.Rows * r.Keys {
		buf = wire.AppendAnswer(buf, 7)
	}
	return buf
}

// altered changes a reply, which stays well-formed.
func altered(change func(*wire.Reply)) func(*wire.Reply, []byte) []byte {
	return func(r *wire.Reply, _ []byte) []byte {
		change(r)
		return written(*r)
	}
}

// raw serves without the SDK, which would end with its standard input.
func raw(version int, s wire.Server) {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: map[int]plugin.PluginSet{version: {wire.Name: &wire.Plugin{Answers: s}}},
		Logger:           hclog.NewNullLogger(),
		GRPCServer: func(given []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(given, wire.ServerOptions()...)...)
		},
	})
}

func socketDir() string { return os.Getenv("PLUGIN_UNIX_SOCKET_DIR") }

// socket takes connections and treats them badly.
func socket(treat func(net.Conn)) {
	path := filepath.Join(socketDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		panic(err)
	}
	fmt.Printf("1|1|unix|%s|grpc|\n", path)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go treat(c)
	}
}
