package leader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/internal/await"
)

// server is an API server with one Lease, which checks resource versions as a real one does.
type server struct {
	mu      sync.Mutex
	lease   *coordinationv1.Lease // nil: there is none
	version int
}

func (s *server) get() (*coordinationv1.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil {
		return nil, apierrors.NewNotFound(coordinationv1.Resource("leases"), "l")
	}
	return s.lease.DeepCopy(), nil
}

func (s *server) put(l *coordinationv1.Lease, create bool) (*coordinationv1.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case create && s.lease != nil:
		return nil, apierrors.NewAlreadyExists(coordinationv1.Resource("leases"), "l")
	case !create && s.lease == nil:
		return nil, apierrors.NewNotFound(coordinationv1.Resource("leases"), "l")
	case !create && s.lease.ResourceVersion != l.ResourceVersion:
		return nil, apierrors.NewConflict(coordinationv1.Resource("leases"), "l", errors.New("changed"))
	}
	s.version++
	s.lease = l.DeepCopy()
	s.lease.ResourceVersion = fmt.Sprint(s.version)
	return s.lease.DeepCopy(), nil
}

// link is the connection of one replica to the server. A fault delays a request, its effect or its answer; the client gives up when its context
// ends, and the request takes effect all the same.
type link struct {
	*server
	fault func() (before, after time.Duration, refused bool)
}

func (l *link) do(ctx context.Context, apply func() (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	before, after, refused := l.fault()
	type answer struct {
		lease *coordinationv1.Lease
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		await.Virtual(before)
		if refused {
			answers <- answer{err: apierrors.NewTooManyRequestsError("not now")}
			return
		}
		lease, err := apply()
		await.Virtual(after)
		answers <- answer{lease, err}
	}()
	select {
	case a := <-answers:
		return a.lease, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *link) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return l.do(ctx, l.get)
}

func (l *link) Create(ctx context.Context, lease *coordinationv1.Lease, _ metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return l.do(ctx, func() (*coordinationv1.Lease, error) { return l.put(lease, true) })
}

func (l *link) Update(ctx context.Context, lease *coordinationv1.Lease, _ metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	return l.do(ctx, func() (*coordinationv1.Lease, error) { return l.put(lease, false) })
}

// inVirtualTime runs a test in virtual time, and waits for its requests at the end, of which some hang.
func inVirtualTime(t *testing.T, test func(*testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t)
		await.Virtual(2 * time.Hour)
	})
}

// steady is a link without faults: a request takes 10 ms.
func steady() (before, after time.Duration, refused bool) {
	return 5 * time.Millisecond, 5 * time.Millisecond, false
}

func replica(t *testing.T, s *server, name string) (*Elector, *link) {
	t.Helper()
	e, err := New(Options{Client: fake.NewClientset(), Namespace: "ns", Name: "l", Identity: name})
	if err != nil {
		t.Fatal(err)
	}
	l := &link{s, steady}
	began := time.Now()
	e.leases, e.now = l, func() time.Duration { return time.Since(began) }
	return e, l
}

// untilEnd leads until the term is over.
func untilEnd(leading context.Context) error {
	<-leading.Done()
	return nil
}

func TestASuccessorTakesOverAtOnceAfterACleanEnd(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := &server{}
		first, _ := replica(t, s, "first")
		second, _ := replica(t, s, "second")
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- first.Run(ctx, untilEnd) }()
		await.Virtual(time.Minute)
		took := make(chan time.Duration, 1)
		began := time.Now()
		go func() {
			_ = second.Run(t.Context(), func(context.Context) error { took <- time.Since(began); return nil })
		}()
		await.Virtual(time.Minute)
		end()
		if err := <-ended; err != nil {
			t.Errorf("expected no error, found %v", err)
		}
		if after := <-took - time.Minute; after > first.Timing.Retry+100*time.Millisecond {
			t.Errorf("the successor took over after %v", after)
		}
	})
}

func TestTheTermEndsBeforeAnotherReplicaTakesTheLease(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := &server{}
		first, network := replica(t, s, "first")
		second, _ := replica(t, s, "second")
		var cut atomic.Bool
		network.fault = func() (time.Duration, time.Duration, bool) {
			if cut.Load() {
				return time.Hour, 0, true
			}
			return steady()
		}
		began := time.Now()
		ended, took := make(chan time.Duration, 1), make(chan time.Duration, 1)
		go func() {
			err := first.Run(t.Context(), untilEnd)
			if !errors.Is(err, ErrLost) {
				t.Errorf("expected ErrLost, found %v", err)
			}
		}()
		await.Virtual(time.Second)
		go func() {
			_ = second.Run(t.Context(), func(context.Context) error { took <- time.Since(began); return nil })
		}()
		await.Virtual(time.Minute)
		cut.Store(true)
		at := time.Since(began)
		go func() {
			for first.Remaining() > 0 {
				await.Virtual(time.Millisecond)
			}
			ended <- time.Since(began)
		}()
		left, came := <-ended-at, <-took-at
		t.Logf("without answers, the term ends after %v, and the next begins after %v", left, came)
		if left > first.Timing.Deadline || came-left < first.Timing.Lease-first.Timing.Deadline {
			t.Error("expected the term to end within the deadline, and the next to begin after the margin")
		}
		if came > first.Timing.Lease+3*time.Second {
			t.Errorf("expected a takeover within 3 s beyond the lease of %v", first.Timing.Lease)
		}
	})
}

func TestLease_DeletedNotTakenWhileItsHolderActs(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := &server{}
		first, _ := replica(t, s, "first")
		second, _ := replica(t, s, "second")
		lost := make(chan error, 1)
		go func() { lost <- first.Run(t.Context(), untilEnd) }()
		await.Virtual(time.Second)
		took := make(chan struct{})
		go func() {
			_ = second.Run(t.Context(), func(context.Context) error { close(took); return nil })
		}()
		await.Virtual(time.Minute + 500*time.Millisecond)
		s.mu.Lock()
		s.lease = nil
		s.mu.Unlock()
		select {
		case err := <-lost:
			if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "not found") {
				t.Errorf("expected the loss of a Lease that was not found, found %v", err)
			}
		case <-took:
			t.Error("the Lease was taken while its holder led")
		}
		<-took
	})
}

// A replica whose date is wrong neither takes the Lease early nor waits for longer, and its holder's date does not matter either.
func TestDatesDecideNothing(t *testing.T) {
	for _, holder := range []time.Duration{-time.Hour, 0, time.Hour} {
		for _, waiting := range []time.Duration{-time.Hour, 0, time.Hour} {
			t.Run(fmt.Sprintf("holder %v, waiting replica %v", holder, waiting), func(t *testing.T) {
				inVirtualTime(t, func(t *testing.T) { takesOverInTime(t, holder, waiting) })
			})
		}
	}
}

// takesOverInTime has dates be off, also from the middle of a term on, and the holder then fall silent.
func takesOverInTime(t *testing.T, holder, waiting time.Duration) {
	s := &server{}
	first, network := replica(t, s, "first")
	second, _ := replica(t, s, "second")
	var silent, jumped atomic.Bool
	network.fault = func() (time.Duration, time.Duration, bool) {
		if silent.Load() {
			return time.Hour, 0, true
		}
		return steady()
	}
	first.date = func() time.Time {
		if jumped.Load() {
			return time.Now().Add(holder)
		}
		return time.Now()
	}
	second.date = func() time.Time { return time.Now().Add(waiting) }
	took := make(chan time.Time, 1)
	go func() { _ = first.Run(t.Context(), untilEnd) }()
	await.Virtual(time.Second)
	go func() {
		_ = second.Run(t.Context(), func(context.Context) error { took <- time.Now(); return nil })
	}()
	await.Virtual(time.Minute)
	jumped.Store(true)
	await.Virtual(time.Minute)
	if first.Remaining() <= 0 || len(took) > 0 {
		t.Fatal("the leader has lost its term, although it renews the Lease")
	}
	silent.Store(true)
	cut := time.Now()
	after := (<-took).Sub(cut)
	if least, most := first.Timing.Lease-first.Timing.Renew-first.Timing.Retry, first.Timing.Lease+3*time.Second; after < least || after > most {
		t.Errorf("the Lease was taken %v after the holder fell silent, expected %v to %v", after, least, most)
	}
}

// Three replicas whose clocks run at different rates, and whose dates jump, contend for an hour, with requests that are refused, take long, or take effect after the
// client has given up, with pauses of whole replicas and with replicas that end. At no time may two pass the fence.
func TestNoTwoReplicasPassTheFence(t *testing.T) {
	hours := 8
	if testing.Short() {
		hours = 2
	}
	var terms, passed, lost int64
	for seed := range hours {
		inVirtualTime(t, func(t *testing.T) {
			c := &contest{t: t, seed: seed}
			c.run(time.Hour)
			terms, passed, lost = terms+c.terms.Load(), passed+c.passed.Load(), lost+c.lost.Load()
		})
	}
	t.Logf("%d hours: %d terms, of which %d were lost; the fence was passed %d times", hours, terms, lost, passed)
	if lost == 0 || terms == lost {
		t.Error("expected terms that were lost and terms that were not")
	}
}

type contest struct {
	t                   *testing.T
	seed                int
	replicas            []*Elector
	clocks              []func() time.Duration // of the replicas, without their pauses
	terms, passed, lost atomic.Int64
}

func (c *contest) run(length time.Duration) {
	s := &server{}
	ctx, end := context.WithTimeout(c.t.Context(), length)
	defer end()
	var group sync.WaitGroup
	for n := range 3 {
		random := &source{r: rand.New(rand.NewPCG(uint64(c.seed), uint64(n)))}
		e, l := replica(c.t, s, fmt.Sprint("replica-", n))
		rate := 0.9 + 0.1*float64(n)
		began := time.Now()
		clock := func() time.Duration { return time.Duration(float64(time.Since(began)) * rate) }
		l.fault = random.fault
		e.date = func() time.Time { return time.Now().Add(random.upTo(2*time.Hour) - time.Hour) }
		e.now = func() time.Duration {
			if random.oneIn(300) {
				await.Virtual(random.upTo(25 * time.Second)) // the process is paused
			}
			return clock()
		}
		c.replicas, c.clocks = append(c.replicas, e), append(c.clocks, clock)
		group.Go(func() { c.live(ctx, e, random) })
	}
	group.Wait()
}

// live is the life of one replica, which begins again and again.
func (c *contest) live(ctx context.Context, e *Elector, random *source) {
	for ctx.Err() == nil {
		term, end := context.WithCancel(ctx)
		err := e.Run(term, func(leading context.Context) error {
			c.terms.Add(1)
			for retry.Wait(leading, random.upTo(time.Second)) {
				c.act(e, leading)
				if random.oneIn(200) {
					break
				}
			}
			return nil
		})
		end()
		if errors.Is(err, ErrLost) {
			c.lost.Add(1)
		}
	}
}

func (c *contest) act(e *Elector, leading context.Context) {
	_, cancel, err := e.Fence(leading, time.Second)
	if err != nil {
		return
	}
	cancel()
	c.passed.Add(1)
	for n, other := range c.replicas {
		if other != e && c.clocks[n]() < time.Duration(other.end.Load()) {
			c.t.Errorf("seed %d: %s passes the fence while %s leads", c.seed, e.Identity, other.Identity)
		}
	}
}

// source is the random choices of one replica, which its goroutines share.
type source struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (s *source) oneIn(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.IntN(n) == 0
}

func (s *source) upTo(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.r.Int64N(int64(d)))
}

func (s *source) fault() (before, after time.Duration, refused bool) {
	before, after = s.upTo(20*time.Millisecond), s.upTo(20*time.Millisecond)
	switch {
	case s.oneIn(15):
		before = s.upTo(30 * time.Second)
	case s.oneIn(15):
		after = s.upTo(30 * time.Second)
	case s.oneIn(10):
		refused = true
	}
	return before, after, refused
}

func TestOptionsThatCannotHoldAreRefused(t *testing.T) {
	valid := Options{Client: fake.NewClientset(), Namespace: "ns", Name: "l"}
	for want, change := range map[string]func(*Options){
		"expected a client":  func(o *Options) { o.Name = "" },
		"whole seconds":      func(o *Options) { o.Timing.Lease += time.Millisecond },
		"renew deadline: ex": func(o *Options) { o.Timing.Deadline = o.Timing.Lease },
		"renew interval":     func(o *Options) { o.Timing.Renew = o.Timing.Deadline },
		"retry interval":     func(o *Options) { o.Timing.Retry = 0 },
	} {
		o := valid
		o.Timing = DefaultTiming
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected an error with %q, found %v", want, err)
		}
	}
	if e, err := New(valid); err != nil || e.Timing != DefaultTiming || !strings.Contains(e.Identity, "_") {
		t.Errorf("expected the defaults, found %+v, %v", e, err)
	}
}

func TestLeaderEvents_NameTheLeader(t *testing.T) {
	client := fake.NewClientset()
	e, err := New(Options{Client: client, Namespace: "ns", Name: "l", Identity: "me", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	list, err := client.CoreV1().Events("ns").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, event := range list.Items {
		told = append(told, event.InvolvedObject.Kind+" "+event.InvolvedObject.Name+": "+event.Message)
	}
	all := strings.Join(told, "\n")
	if !strings.Contains(all, "Lease l: me became leader") || !strings.Contains(all, "Lease l: me stopped leading") {
		t.Errorf("found the events:\n%s", all)
	}
	lease, err := client.CoordinationV1().Leases("ns").Get(t.Context(), "l", metav1.GetOptions{})
	if err != nil || holder(lease) != "" {
		t.Errorf("expected a Lease without a holder, found %v, %v", lease, err)
	}
}
