package manager

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/quern-project/quern/host/kube/leader"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/internal/await"
)

// replicaSettings is the variable that has the test binary schedule as one of several replicas, in the place of running tests.
const replicaSettings = "QUERN_TEST_REPLICA"

type settings struct{ Host, Token, Identity string }

// timing replaces a leader in six seconds. A machine with much else to do renews in time.
var timing = leader.Timing{Lease: 6 * time.Second, Deadline: 5 * time.Second, Renew: 500 * time.Millisecond, Retry: 300 * time.Millisecond}

// A replica says when it begins to lead and when it has lost its term. It ends with its input.
func TestScheduleInThisProcess(t *testing.T) {
	text := os.Getenv(replicaSettings)
	if text == "" {
		t.Skip("skipped, because this is a part of another test")
	}
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	plain := &rest.Config{Host: s.Host, BearerToken: s.Token}
	election, err := kubernetes.NewForConfig(plain)
	if err != nil {
		t.Fatal(err)
	}
	client := connect(t, replicaConfig(t, rest.CopyConfig(plain), s.Identity))
	e, err := leader.New(leader.Options{Client: election, Namespace: "default", Name: "scheduler", Identity: s.Identity, Timing: timing})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Config: client.config, Client: client, Informers: informers.NewSharedInformerFactory(client, 0), Fence: e.Fence,
		Settings: translate.Settings{Schedulers: []string{schedulerName}}, Log: logTo(t)}
	withPlugins(t)(&o)
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // the end of the input ends it
		stop()
	}()
	if err := m.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	awaitPlugins(ctx, t, &o)
	fmt.Println("ready")
	for ctx.Err() == nil {
		err := e.Run(ctx, func(leading context.Context) error {
			r, end := serve(t, store.NewMemory(), rules, policiesOf(&o))
			defer end()
			go askPlugins(leading, t, &o, r.Server)
			fmt.Println("leads")
			return m.Run(leading, r.Server)
		})
		if errors.Is(err, leader.ErrLost) {
			fmt.Println("lost")
		}
	}
	os.Exit(0)
}

// process is a replica in a process of its own.
type process struct {
	name string
	cmd  *exec.Cmd
	mu   sync.Mutex
	said []string
}

// replicaProcess starts a replica, and waits until it has read the cluster.
func (f *faulty) replicaProcess(t *testing.T, name string) *process {
	t.Helper()
	config := f.proxy.Config()
	text, err := json.Marshal(settings{config.Host, config.BearerToken, name})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{name: name, cmd: exec.Command(os.Args[0], "-test.run=^TestScheduleInThisProcess$")}
	p.cmd.Env = append(os.Environ(), replicaSettings+"="+string(text))
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.cmd.StdinPipe(); err != nil { // open until this test binary ends
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.mu.Lock()
			p.said = append(p.said, lines.Text())
			p.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have been killed before
		<-read
		_ = p.cmd.Wait()
	})
	p.await(t, "ready")
	return p
}

// await waits until a replica has said a word.
func (p *process) await(t *testing.T, word string) {
	t.Helper()
	untilWithin(t, recovery, func() string {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, line := range p.said {
			if line == word {
				return ""
			}
		}
		return fmt.Sprintf("%s: expected %q, found %q", p.name, word, p.said)
	})
}

func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// first is the first binding of a replica that the API server has taken; false: none was.
func (f *faulty) first(by string) (sentBinding, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.taken {
		if b.by == by {
			return b, true
		}
	}
	return sentBinding{}, false
}

// takeover waits for the first binding of a replica, and checks that it comes soon enough after a time.
func (f *faulty) takeover(t *testing.T, by string, after time.Time) {
	t.Helper()
	untilWithin(t, recovery, func() string {
		if _, ok := f.first(by); !ok {
			return by + " has bound nothing"
		}
		return ""
	})
	b, _ := f.first(by)
	took := b.at.Sub(after)
	t.Logf("another replica binds %v after the leader, with a lease of %v", took, timing.Lease)
	if limit := timing.Lease + 3*time.Second; took > limit {
		t.Errorf("expected another replica to bind within %v, found %v", limit, took)
	}
}

// sentBy counts the bindings that a replica has sent.
func (f *faulty) sentBy(by string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.sent {
		if b.by == by {
			n++
		}
	}
	return n
}

// The leader is killed with bindings under way, which arrive after its end.
func TestReplica_TakesOverFromAKilledOne(t *testing.T) {
	const pods = 300
	f := newFaulty(t, 40)
	first := f.replicaProcess(t, "first")
	first.await(t, "leads")
	f.replicaProcess(t, "second")
	there, release := f.hold(t, 100)
	f.create(t, "many", schedulerName, pods)
	await.Value(t, there, "100 bindings")
	first.signal(t, syscall.SIGKILL)
	killed := time.Now()
	release()
	f.takeover(t, "second", killed)
	f.await(t, "many", pods)
	f.once(t, "many", pods)
	f.held(t)
}

// The leader is stopped until another one leads, with bindings under way and pods left to bind. Once it goes on, it sends no binding, and gives
// its term up when all that it had under way is over.
func TestAReplicaThatWasStoppedBindsNothingMore(t *testing.T) {
	const pods = 300
	f := newFaulty(t, 40)
	first := f.replicaProcess(t, "first")
	first.await(t, "leads")
	second := f.replicaProcess(t, "second")
	there, release := f.hold(t, 100)
	f.create(t, "many", schedulerName, pods)
	await.Value(t, there, "100 bindings")
	first.signal(t, syscall.SIGSTOP)
	release()
	second.await(t, "leads")
	before := f.sentBy("first")   // all of them have arrived
	there, release = f.hold(t, 1) // pods are left when the first replica goes on
	f.create(t, "late", schedulerName, 50)
	await.Value(t, there, "a binding of the second replica")
	first.signal(t, syscall.SIGCONT)
	first.await(t, "lost")
	if n := f.sentBy("first") - before; n > 0 {
		t.Errorf("the first replica has sent %d bindings after its term", n)
	}
	first.signal(t, syscall.SIGKILL) // its term has ended; it could lead again
	release()
	f.await(t, "many", pods)
	f.await(t, "late", 50)
	f.once(t, "many", pods)
	f.once(t, "late", 50)
	f.held(t)
}
