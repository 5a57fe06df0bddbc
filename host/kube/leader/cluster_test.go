package leader

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/quern-project/quern/host/clock"
	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/internal/await"
)

// replicaSettings is the variable that has the test binary take part in an election, in the place of running tests.
const replicaSettings = "QUERN_TEST_LEADER"

// settings of a replica in a process of its own.
type settings struct {
	Host, Token string
	Authority   []byte
	Identity    string
	Timing      Timing
	Skew        time.Duration // of the replica's date
}

// fast replaces a leader in two seconds.
var fast = Timing{Lease: 2 * time.Second, Deadline: 1500 * time.Millisecond, Renew: 300 * time.Millisecond, Retry: 200 * time.Millisecond}

// A replica prints a time whenever it has passed the fence, and ends with its term or when it is asked to.
func TestTakePartInThisProcess(t *testing.T) {
	text := os.Getenv(replicaSettings)
	if text == "" {
		t.Skip("skipped, because this is a part of another test")
	}
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(&rest.Config{Host: s.Host, BearerToken: s.Token, TLSClientConfig: rest.TLSClientConfig{CAData: s.Authority}, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(Options{Client: client, Namespace: "default", Name: "scheduler", Identity: s.Identity, Timing: s.Timing})
	if err != nil {
		t.Fatal(err)
	}
	e.date = func() time.Time { return time.Now().Add(s.Skew) }
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // the end of the input ends it
		stop()
	}()
	for ctx.Err() == nil {
		err := e.Run(ctx, func(leading context.Context) error {
			for retry.Wait(leading, 2*time.Millisecond) {
				if _, cancel, err := e.Fence(leading, time.Second); err == nil {
					fmt.Printf("passed %d\n", clock.Now())
					cancel()
				}
			}
			return nil
		})
		if errors.Is(err, ErrLost) {
			fmt.Println("lost")
		}
	}
	os.Exit(0)
}

// passage is a moment in which a replica passed the fence.
type passage struct {
	at      time.Duration // on the clock that all processes share
	replica string
}

// arena is an election between processes.
type arena struct {
	*testing.T
	*clustertest.Cluster
	timing Timing
	mu     sync.Mutex
	passed []passage
	lost   int
	count  int // of replicas that were started
}

type process struct {
	name string
	cmd  *exec.Cmd
	in   interface{ Close() error }
	read chan struct{} // closed when its output has ended
}

func (a *arena) start() *process {
	a.Helper()
	a.count++
	config := a.Admin()
	p := &process{name: fmt.Sprint("replica-", a.count), read: make(chan struct{})}
	text, err := json.Marshal(settings{config.Host, config.BearerToken, config.CAData, p.name, a.timing, time.Duration(a.count%3-1) * time.Hour})
	if err != nil {
		a.Fatal(err)
	}
	p.cmd = exec.Command(os.Args[0], "-test.run=^TestTakePartInThisProcess$")
	p.cmd.Env = append(os.Environ(), replicaSettings+"="+string(text))
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		a.Fatal(err)
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		a.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		a.Fatal(err)
	}
	a.Cleanup(func() { _ = p.cmd.Process.Kill() }) // it has ended, unless the test failed
	go func() {
		defer close(p.read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			a.note(p.name, lines.Text())
		}
	}()
	return p
}

func (a *arena) note(name, line string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if line == "lost" {
		a.lost++
	}
	if text, ok := strings.CutPrefix(line, "passed "); ok {
		at, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			a.Errorf("%s: %q", name, line)
		}
		a.passed = append(a.passed, passage{time.Duration(at), name})
	}
}

// end lets a process end in its own time, or kills it.
func (p *process) end(t *testing.T, kill bool) {
	t.Helper()
	if kill {
		_ = p.cmd.Process.Kill()
	} else {
		_ = p.in.Close()
	}
	<-p.read
	if err := p.cmd.Wait(); err != nil && !kill {
		t.Errorf("%s: %v", p.name, err)
	}
}

// since returns the first passage after a time, by another replica than one; nil: there is none yet.
func (a *arena) since(at time.Duration, not string) *passage {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.passed {
		if p.at > at && p.replica != not {
			return &p
		}
	}
	return nil
}

// takeover waits for a passage of another replica, and returns how long after a time it came.
func (a *arena) takeover(at time.Duration, not string) (time.Duration, string) {
	a.Helper()
	var p *passage
	await.RightWithin(a, max(at-clock.Now(), 0)+a.timing.Lease+time.Minute, func() string {
		if p = a.since(at, not); p == nil {
			return "no replica leads"
		}
		return ""
	})
	return p.at - at, p.replica
}

// exclusive checks that no two replicas passed the fence at the same time: from one leader to the next, the margin passes, unless the first has
// released the Lease.
func (a *arena) exclusive(released int) {
	a.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.passed, func(x, y passage) int { return cmp.Compare(x.at, y.at) })
	changes, short, least := 0, 0, a.timing.Lease*100
	for n := 1; n < len(a.passed); n++ {
		if a.passed[n].replica == a.passed[n-1].replica {
			continue
		}
		changes++
		gap := a.passed[n].at - a.passed[n-1].at
		if gap < a.timing.Lease-a.timing.Deadline {
			short++
		} else {
			least = min(least, gap)
		}
	}
	a.Logf("%d passages of the fence, %d changes of the leader (%d by release), %d terms lost", len(a.passed), changes, released, a.lost)
	if changes > short {
		a.Logf("after a leader that has not released the Lease, none leads for %v or more", least)
	}
	if short > released {
		a.Errorf("%d changes came early, though only %d were releases", short, released)
	}
}

func newArena(t *testing.T, timing Timing) *arena {
	t.Helper()
	return &arena{T: t, Cluster: clustertest.New(t), timing: timing}
}

// rounds is how often a leader is killed; QUERN_TEST_TAKEOVERS changes it, and QUERN_TEST_USUAL_TIMING=1 has the default timing.
func rounds(t *testing.T) (int, Timing) {
	t.Helper()
	n, timing := 20, fast
	if text := os.Getenv("QUERN_TEST_TAKEOVERS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatalf("QUERN_TEST_TAKEOVERS: expected a number, found %q", text)
		}
	}
	if os.Getenv("QUERN_TEST_USUAL_TIMING") != "" {
		timing = DefaultTiming
	}
	return n, timing
}

// Leaders are killed, paused, and ended cleanly, as separate processes on a real API server. Their dates differ by up to two hours.
func TestAnotherReplicaTakesOver(t *testing.T) {
	n, timing := rounds(t)
	a := newArena(t, timing)
	replicas := map[string]*process{}
	begin := func() {
		p := a.start()
		replicas[p.name] = p
	}
	for range 3 {
		begin()
	}
	_, leader := a.takeover(0, "")
	took := map[string][]time.Duration{}
	measure := func(how string) {
		after, next := a.takeover(clock.Now(), leader)
		took[how] = append(took[how], after)
		leader = next
	}
	for range n {
		a.takeover(clock.Now()+rand.N(2*timing.Renew), "") // at any time between two renewals
		replicas[leader].end(t, true)
		measure("killed")
		begin()
	}
	released := max(n/4, 3)
	for range released {
		old := replicas[leader]
		_ = old.in.Close()
		measure("released")
		old.end(t, false)
		begin()
	}
	for range max(n/4, 3) {
		old := replicas[leader]
		a.signal(old, syscall.SIGSTOP)
		measure("paused")
		a.signal(old, syscall.SIGCONT)
	}
	a.takeover(clock.Now()+timing.Retry, "") // the replica that was paused last has noticed by then
	a.exclusive(released)
	for how, all := range took {
		slices.Sort(all)
		t.Logf("%s, lease %v: another replica leads after %v to %v, median %v (%d rounds)", how, timing.Lease, all[0], all[len(all)-1], all[len(all)/2], len(all))
		limit := timing.Lease + 3*time.Second
		if how == "released" {
			limit = 3 * time.Second
		}
		if last := all[len(all)-1]; last > limit {
			t.Errorf("%s: expected another leader within %v, found %v", how, limit, last)
		}
	}
	if a.lost == 0 {
		t.Error("no paused leader has lost its term")
	}
}

func (a *arena) signal(p *process, s syscall.Signal) {
	a.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		a.Fatal(err)
	}
}

// With the default timing, a leader stays through a pause of the API server and through its restart, if that is fast enough; and two never lead.
func TestAnAPIServerThatIsAway(t *testing.T) {
	a := newArena(t, DefaultTiming)
	for range 3 {
		a.start()
	}
	_, leader := a.takeover(0, "")
	if err := a.APIServer.Pause(); err != nil {
		t.Fatal(err)
	}
	const away = 4 * time.Second
	paused := clock.Now()
	await.Stays(t, away, func() string {
		if p := a.since(paused, leader); p != nil {
			return p.replica + " leads while the API server is away"
		}
		return ""
	})
	if err := a.APIServer.Resume(); err != nil {
		t.Fatal(err)
	}
	if _, now := a.takeover(clock.Now()+3*time.Second, ""); now != leader {
		t.Errorf("%s leads in the place of %s", now, leader)
	}
	if err := a.APIServer.Kill(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := a.APIServer.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	restart := time.Since(began)
	_, now := a.takeover(clock.Now()+3*time.Second, "")
	t.Logf("the API server was away for %v; the leader was %s and is %s", restart, leader, now)
	if restart < DefaultTiming.Deadline-2*DefaultTiming.Renew-time.Second && now != leader {
		t.Error("expected the same leader after a short restart")
	}
	a.exclusive(0)
	client, err := kubernetes.NewForConfig(a.Admin())
	if err != nil {
		t.Fatal(err)
	}
	lease, err := client.CoordinationV1().Leases("default").Get(t.Context(), "scheduler", metav1.GetOptions{})
	if err != nil || holder(lease) != now {
		t.Errorf("expected the holder %s, found %v, %v", now, lease, err)
	}
}
