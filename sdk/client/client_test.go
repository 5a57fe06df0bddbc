package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// host answers as a host does, now and then.
type host struct {
	quernv1.UnimplementedSchedulerServer
	mu       sync.Mutex
	failures []error // of the next calls
	keys     []string
	froms    []uint64
	tokens   []string
	last     uint64 // decision
	told     []*quernv1.PredicatesRequest
	// predicate is what is asked about.
	predicate string
	away      atomic.Int32 // so many connections are refused
}

// failure returns the next one.
func (h *host) failure(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if md, ok := metadata.FromIncomingContext(ctx); ok {
		h.tokens = append(h.tokens, md.Get("authorization")...)
	}
	if len(h.failures) == 0 {
		return nil
	}
	err := h.failures[0]
	h.failures = h.failures[1:]
	return err
}

func (h *host) Submit(ctx context.Context, r *quernv1.SubmitRequest) (*quernv1.SubmitResponse, error) {
	h.mu.Lock()
	h.keys = append(h.keys, r.GetIdempotencyKey())
	h.mu.Unlock()
	return &quernv1.SubmitResponse{First: 7}, h.failure(ctx)
}

func (h *host) GetConfig(ctx context.Context, _ *quernv1.GetConfigRequest) (*quernv1.GetConfigResponse, error) {
	return &quernv1.GetConfigResponse{Tag: "1-00"}, h.failure(ctx)
}

func (h *host) ApplyConfig(ctx context.Context, r *quernv1.ApplyConfigRequest) (*quernv1.ApplyConfigResponse, error) {
	h.mu.Lock()
	h.keys = append(h.keys, r.GetIdempotencyKey()+" for "+r.GetIfMatch())
	h.mu.Unlock()
	return &quernv1.ApplyConfigResponse{Tag: "2-00"}, h.failure(ctx)
}

// Watch tells three decisions, and then the next failure.
func (h *host) Watch(r *quernv1.WatchRequest, stream grpc.ServerStreamingServer[quernv1.WatchResponse]) error {
	h.mu.Lock()
	h.froms = append(h.froms, r.GetFrom())
	h.mu.Unlock()
	from := max(r.GetFrom(), 1)
	for seq := from; seq < from+3 && seq <= h.last; seq++ {
		if err := stream.Send(&quernv1.WatchResponse{Decisions: []*quernv1.Decision{{Seq: seq}}, Next: seq + 1}); err != nil {
			return err
		}
	}
	if err := h.failure(stream.Context()); err != nil {
		return err
	}
	<-stream.Context().Done()
	return stream.Context().Err()
}

func (h *host) ListNodes(_ context.Context, r *quernv1.ListNodesRequest) (*quernv1.ListNodesResponse, error) {
	page, _ := strconv.Atoi(r.GetPageToken())
	if page == 3 {
		return nil, status.Error(codes.InvalidArgument, "page_token")
	}
	next := ""
	if page < int(r.GetPageSize()) {
		next = strconv.Itoa(page + 1)
	}
	return &quernv1.ListNodesResponse{Nodes: []*quernv1.Node{{Id: "n" + strconv.Itoa(page)}}, NextPageToken: next}, nil
}

func connect(t *testing.T, h *host, o Options) *Client {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	s := grpc.NewServer()
	quernv1.RegisterSchedulerServer(s, h)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	o.Dial = append(o.Dial, grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		if h.away.Add(-1) >= 0 {
			return nil, errors.New("the host is away")
		}
		return listener.DialContext(ctx)
	}))
	c, err := New("127.0.0.1:9081", o)
	if err != nil {
		t.Fatal(err)
	}
	c.pause = func(int) time.Duration { return 0 }
	t.Cleanup(func() {
		s.Stop()
		if err := errors.Join(c.Close(), <-ended); err != nil {
			t.Error(err)
		}
	})
	return c
}

func busy() error {
	s, _ := status.New(codes.ResourceExhausted, "busy").WithDetails(&quernv1.Problem{Code: "busy"})
	return s.Err()
}

func TestARequestIsRepeatedUnderOneKeyUntilItIsAnswered(t *testing.T) {
	h := &host{failures: []error{status.Error(codes.Unavailable, "stopping"), busy(), status.Error(codes.Unavailable, "gone")}}
	r, err := connect(t, h, Options{}).Submit(t.Context(), &quernv1.Input{})
	if err != nil || r.GetFirst() != 7 {
		t.Errorf("found %v (%v)", r, err)
	}
	if len(h.keys) != 4 || len(h.keys[0]) < 20 || len(slices.Compact(h.keys)) != 1 {
		t.Errorf("expected one key four times, found %q", h.keys)
	}
}

// The connection itself is tried again as often as requests are: a host that was away for long is found soon after it is back.
func TestAHostThatIsBackIsFoundSoon(t *testing.T) {
	h := &host{}
	h.away.Store(5)
	c := connect(t, h, Options{})
	c.pause = pause
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // with the usual pauses of gRPC it takes longer than that
	defer cancel()
	if r, err := c.Submit(ctx, &quernv1.Input{}); err != nil || r.GetFirst() != 7 || h.away.Load() >= 0 {
		t.Errorf("found %v (%v)", r, err)
	}
}

func TestARefusalIsNotRepeated(t *testing.T) {
	for _, code := range []codes.Code{codes.InvalidArgument, codes.PermissionDenied, codes.ResourceExhausted} {
		h := &host{failures: []error{status.Error(code, "no")}}
		if _, err := connect(t, h, Options{}).Submit(t.Context(), &quernv1.Input{}); status.Code(err) != code || len(h.keys) != 1 {
			t.Errorf("%v: found %v after %d attempts", code, err, len(h.keys))
		}
	}
}

func TestAConfigurationIsReadAndRepeatedUnderOneKey(t *testing.T) {
	h := &host{failures: []error{status.Error(codes.Unavailable, "gone"), nil, busy(), status.Error(codes.Unavailable, "gone")}}
	c := connect(t, h, Options{})
	now, err := c.Config(t.Context())
	if err != nil || now.GetTag() != "1-00" {
		t.Fatalf("found %v (%v)", now, err)
	}
	r := &quernv1.ApplyConfigRequest{Config: "partitions: []", IfMatch: now.GetTag()}
	if set, err := c.ApplyConfig(t.Context(), r); err != nil || set.GetTag() != "2-00" || r.GetIdempotencyKey() != "" {
		t.Errorf("found %v (%v) for %v", set, err, r)
	}
	if len(h.keys) != 3 || !strings.HasSuffix(h.keys[0], " for 1-00") || len(h.keys[0]) < 28 || len(slices.Compact(h.keys)) != 1 {
		t.Errorf("expected one key three times, found %q", h.keys)
	}
}

func TestAConfigurationThatComesTooLateIsNotRepeated(t *testing.T) {
	changed, _ := status.New(codes.Aborted, "changed").WithDetails(&quernv1.Problem{Code: "config_changed"})
	h := &host{failures: []error{changed.Err(), status.Error(codes.Aborted, "another")}}
	c := connect(t, h, Options{})
	if _, err := c.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{IfMatch: AnyConfig, IdempotencyKey: "k"}); !ConfigChanged(err) {
		t.Errorf("found %v", err)
	}
	if _, err := c.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{IfMatch: AnyConfig}); ConfigChanged(err) || status.Code(err) != codes.Aborted {
		t.Errorf("found %v", err)
	}
	if len(h.keys) != 2 || h.keys[0] != "k for *" {
		t.Errorf("found %q", h.keys)
	}
}

func TestRepeatsEndWithTheContext(t *testing.T) {
	h := &host{}
	for range 1_000 {
		h.failures = append(h.failures, busy())
	}
	c := connect(t, h, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.pause = func(attempt int) time.Duration {
		if attempt == 3 {
			cancel()
		}
		return time.Millisecond
	}
	if _, err := c.Submit(ctx, &quernv1.Input{}); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
}

func TestWatch_ContinuesAfterTheLastDecision(t *testing.T) {
	h := &host{last: 8, failures: []error{status.Error(codes.Unavailable, "gone"), busy(), status.Error(codes.OutOfRange, "compacted")}}
	var found []uint64
	var end error
	for d, err := range connect(t, h, Options{}).Watch(t.Context(), &quernv1.WatchRequest{From: 1}) {
		if err != nil {
			end = err
			break
		}
		found = append(found, d.GetSeq())
	}
	if !slices.Equal(found, []uint64{1, 2, 3, 4, 5, 6, 7, 8}) || !slices.Equal(h.froms, []uint64{1, 4, 7}) || status.Code(end) != codes.OutOfRange {
		t.Errorf("found %v from %v, and %v", found, h.froms, end)
	}
	for d, err := range connect(t, h, Options{}).Watch(t.Context(), &quernv1.WatchRequest{From: 1}) {
		if err != nil || d.GetSeq() != 1 {
			t.Errorf("found %v (%v)", d, err)
		}
		break // a reader that wants no more
	}
}

func TestAWatchEndsWithItsContext(t *testing.T) {
	c := connect(t, &host{last: 1}, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for d, err := range c.Watch(ctx, &quernv1.WatchRequest{}) {
		if cancel(); d == nil && !errors.Is(err, context.Canceled) {
			t.Errorf("found %v", err)
		}
	}
}

func TestListsGoFromPageToPage(t *testing.T) {
	c := connect(t, &host{}, Options{})
	var found []string
	for n, err := range c.Nodes(t.Context(), &quernv1.ListNodesRequest{PageSize: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, n.GetId())
	}
	if strings.Join(found, " ") != "n0 n1 n2" {
		t.Errorf("found %v", found)
	}
	var end error
	for _, err := range c.Nodes(t.Context(), &quernv1.ListNodesRequest{PageSize: 9}) {
		end = err
	}
	if status.Code(end) != codes.InvalidArgument {
		t.Errorf("found %v", end)
	}
}

func TestTokensGoOverTLSOrToThisMachine(t *testing.T) {
	token := func(context.Context) (string, error) { return "secret", nil }
	h := &host{}
	if _, err := connect(t, h, Options{Token: token}).Submit(t.Context(), &quernv1.Input{}); err != nil || !slices.Equal(h.tokens, []string{"Bearer secret"}) {
		t.Errorf("found %q (%v)", h.tokens, err)
	}
	if _, err := New("example.org:9081", Options{Token: token}); err == nil {
		t.Error("a token would be sent to another machine without TLS")
	}
	if c, err := New("example.org:9081", Options{Token: token, TLS: &tls.Config{MinVersion: tls.VersionTLS13}}); err != nil || c.Close() != nil {
		t.Errorf("found %v", err)
	}
	empty := func(context.Context) (string, error) { return "", nil }
	if _, err := connect(t, h, Options{Token: empty}).Submit(t.Context(), &quernv1.Input{}); err == nil {
		t.Error("an empty token was sent")
	}
}

func TestPausesGrowToABound(t *testing.T) {
	for attempt, most := range map[int]time.Duration{0: firstPause, 3: 8 * firstPause, 100: lastPause} {
		if p := pause(attempt); p < most/2 || p > most {
			t.Errorf("attempt %d: expected up to %v, found %v", attempt, most, p)
		}
	}
}
