package grpcserver_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/web"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// port is a server on a port of this machine, with streams that wait until they are ended.
type port struct {
	*testing.T
	address string
	server  *grpcserver.Server
	open    atomic.Int64 // streams
}

// listen serves at most so many connections.
func listen(t *testing.T, connections int) *port {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &port{T: t, address: l.Addr().String()}
	p.server = grpcserver.New(&grpcserver.Options{Log: slog.New(slog.DiscardHandler), Failure: func() error { return nil }}, &part{
		submit: func(context.Context) error { return nil },
		watch: func(ctx context.Context) error {
			p.open.Add(1)
			defer p.open.Add(-1)
			<-ctx.Done()
			return ctx.Err()
		},
	})
	ended := make(chan error, 1)
	go func() { ended <- p.server.Serve(web.Bound(l, func() int { return connections })) }()
	t.Cleanup(func() {
		p.server.Stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return p
}

// served fails where a client that does nothing wrong is not served.
func (p *port) served() {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	c := p.client()
	if _, err := c.Submit(ctx, &quernv1.SubmitRequest{}, grpc.WaitForReady(true)); err != nil {
		p.Errorf("others are not served: %v", err)
	}
}

func (p *port) client() quernv1.SchedulerClient {
	p.Helper()
	c, err := grpc.NewClient(p.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = c.Close() })
	return quernv1.NewSchedulerClient(c)
}

// raw is a connection whose client writes frames as it likes.
type raw struct {
	*port
	net.Conn
	*http2.Framer
	head    bytes.Buffer
	encoder *hpack.Encoder
	stream  uint32
}

func (p *port) dial() *raw {
	p.Helper()
	c, err := net.Dial("tcp", p.address)
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = c.Close() })
	r := &raw{port: p, Conn: c, Framer: http2.NewFramer(c, c), stream: 1}
	r.encoder = hpack.NewEncoder(&r.head)
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return r
}

// connect begins as HTTP/2 wants it.
func (r *raw) connect() *raw {
	r.Helper()
	_, err := io.WriteString(r.Conn, http2.ClientPreface)
	if err == nil {
		err = r.WriteSettings()
	}
	if err != nil {
		r.Fatal(err)
	}
	return r
}

// fields encodes the head of a call, with more fields than it needs.
func (r *raw) fields(more ...hpack.HeaderField) []byte {
	r.head.Reset()
	for _, f := range append([]hpack.HeaderField{{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "http"}, {Name: ":path", Value: quernv1.Scheduler_Watch_FullMethodName},
		{Name: ":authority", Value: "localhost"}, {Name: "content-type", Value: "application/grpc"}, {Name: "te", Value: "trailers"}}, more...) {
		_ = r.encoder.WriteField(f) // the buffer takes it
	}
	return bytes.Clone(r.head.Bytes())
}

// begin begins a call, and returns the error of a connection that has ended.
func (r *raw) begin(more ...hpack.HeaderField) error {
	err := r.WriteHeaders(http2.HeadersFrameParam{StreamID: r.stream, BlockFragment: r.fields(more...), EndHeaders: true})
	if err == nil {
		err = r.WriteData(r.stream, true, []byte{0, 0, 0, 0, 0}) // an empty message
	}
	r.stream += 2
	return err
}

// ends reads frames until there is one of those that are awaited, or the connection ends.
func (r *raw) ends(awaited func(http2.Frame) bool) bool {
	r.Helper()
	for {
		f, err := r.ReadFrame()
		var late net.Error
		switch {
		case errors.As(err, &late) && late.Timeout():
			r.Error("nothing came, and the connection stays open")
			return false
		case err != nil:
			return true
		case awaited != nil && awaited(f):
			return true
		}
	}
}

// held is what the process has of the heap.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Whoever connects and says nothing, or a part of what HTTP/2 begins with, is sent away after ten seconds, and makes room for others.
func TestConnectionsThatSayNothingMakeRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	t.Parallel()
	const most = 20
	p := listen(t, most)
	lasted := make(chan time.Duration, 3*most)
	for i := range 3 * most {
		r := p.dial()
		_, _ = io.WriteString(r.Conn, http2.ClientPreface[:i%len(http2.ClientPreface)]) // one that was refused cannot write
		began := time.Now()
		go func() {
			r.ends(nil)
			lasted <- time.Since(began)
		}()
	}
	refused := 0
	for range 3 * most {
		switch took := <-lasted; {
		case took < 5*time.Second:
			refused++
		case took > 40*time.Second:
			t.Errorf("a connection was open for %s", took)
		}
	}
	if refused != 2*most {
		t.Errorf("%d connections were refused at once, where %d of %d may be open", refused, most, 3*most)
	}
	p.served()
}

func TestABombOfHeadersEndsItsConnectionAlone(t *testing.T) {
	for name, attack := range map[string]func(r *raw) error{
		"a large field":  func(r *raw) error { return r.begin(hpack.HeaderField{Name: "x", Value: strings.Repeat("y", 15<<10)}) },
		"many fields":    func(r *raw) error { return r.continued(r.fields(manyFields(100_000)...), true) },
		"no end of them": func(r *raw) error { return r.continued(r.fields(manyFields(300_000)...), false) },
		"one many times": func(r *raw) error { return r.continued(r.repeated(1_000_000), true) },
		"no known method": func(r *raw) error {
			return r.begin(hpack.HeaderField{Name: ":path", Value: strings.Repeat("/", 60<<10)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := listen(t, 10)
			before := held()
			r := p.dial().connect()
			_ = attack(r) // the server need not read it to its end
			if name != "a large field" {
				r.ends(func(f http2.Frame) bool {
					_, gone := f.(*http2.GoAwayFrame)
					_, reset := f.(*http2.RSTStreamFrame)
					head, answered := f.(*http2.HeadersFrame)
					return gone || reset || answered && head.StreamEnded()
				})
			}
			if grown := held() - before; grown > 32<<20 {
				t.Errorf("%d MiB are held", grown>>20)
			}
			p.served()
		})
	}
}

func manyFields(n int) []hpack.HeaderField {
	list := make([]hpack.HeaderField, n)
	for i := range list {
		list[i] = hpack.HeaderField{Name: "x", Value: strings.Repeat("y", 30), Sensitive: true} // which no table shortens
	}
	return list
}

// repeated is a field of four kilobytes, and references to it, of a byte each.
func (r *raw) repeated(n int) []byte {
	block := r.fields(hpack.HeaderField{Name: "x", Value: strings.Repeat("y", 3<<10)})
	return append(block, bytes.Repeat([]byte{0x80 | 62}, n)...)
}

// continued writes a head in as many frames as it takes.
func (r *raw) continued(block []byte, end bool) error {
	const most = 16 << 10
	err := r.WriteHeaders(http2.HeadersFrameParam{StreamID: r.stream, BlockFragment: block[:min(most, len(block))], EndHeaders: end && len(block) <= most})
	for block = block[min(most, len(block)):]; err == nil && len(block) > 0; block = block[min(most, len(block)):] {
		err = r.WriteContinuation(r.stream, end && len(block) <= most, block[:min(most, len(block))])
	}
	return err
}

// A connection has at most a thousand calls open, and all of them ten thousand streams: what comes beyond is refused, and the rest goes on.
func TestCallsThatStayOpenAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens ten thousand streams")
	}
	const each, all = 1_000, 10_000
	p := listen(t, 100)
	var first *raw
	for range all / each {
		r := p.dial().connect()
		if first == nil {
			first = r
		}
		for range each {
			if err := r.begin(); err != nil {
				t.Fatal(err)
			}
		}
		if r != first {
			go func() { _, _ = io.Copy(io.Discard, r.Conn) }()
		}
	}
	p.await(all)
	if err := first.begin(); err != nil {
		t.Fatal(err)
	}
	refused := first.stream - 2
	first.ends(func(f http2.Frame) bool {
		reset, ok := f.(*http2.RSTStreamFrame)
		if ok && (reset.StreamID != refused || reset.ErrCode != http2.ErrCodeRefusedStream) {
			t.Errorf("found %v", reset)
		}
		return ok
	})
	w, err := p.client().Watch(t.Context(), &quernv1.WatchRequest{})
	if err == nil {
		_, err = w.Recv()
	}
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("one stream more: found %v", err)
	}
	p.served() // by calls that are no streams
	_ = first.Close()
	p.await(all - each)
}

// await waits until so many streams are open.
func (p *port) await(streams int64) {
	p.Helper()
	late := time.Now().Add(time.Minute)
	for p.open.Load() != streams {
		if time.Now().After(late) {
			p.Fatalf("%d streams are open, expected %d", p.open.Load(), streams)
		}
		runtime.Gosched()
	}
}

// Calls that are taken back as soon as they were made keep nobody from being served.
func TestCallsThatAreTakenBackAtOnceCostLittle(t *testing.T) {
	p := listen(t, 10)
	r := p.dial().connect()
	go func() { _, _ = io.Copy(io.Discard, r.Conn) }()
	for range 20_000 {
		err := r.begin()
		if err == nil {
			err = r.WriteRSTStream(r.stream-2, http2.ErrCodeCancel)
		}
		if err != nil {
			break // it was sent away
		}
	}
	p.served()
	p.await(0)
}

func TestPingsThatComeTooOftenEndTheConnection(t *testing.T) {
	p := listen(t, 10)
	r := p.dial().connect()
	for n := range byte(10) {
		if err := r.WritePing(false, [8]byte{n}); err != nil {
			break
		}
	}
	calm := false
	r.ends(func(f http2.Frame) bool {
		gone, ok := f.(*http2.GoAwayFrame)
		calm = ok && gone.ErrCode == http2.ErrCodeEnhanceYourCalm
		return calm
	})
	if !calm {
		t.Error("the client was not told why")
	}
	p.served()
}

// Who has the server answer and never reads the answers is waited for with a bounded memory.
func TestAClientThatReadsNothingHoldsLittle(t *testing.T) {
	for name, write := range map[string]func(r *raw) error{
		"settings": func(r *raw) error {
			return r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 16})
		},
		"pings": func(r *raw) error { return r.WritePing(false, [8]byte{}) },
		"calls": func(r *raw) error { return r.begin() },
	} {
		t.Run(name, func(t *testing.T) {
			p := listen(t, 10)
			before := held()
			r := p.dial().connect()
			_ = r.SetWriteDeadline(time.Now().Add(5 * time.Second))
			for range 200_000 {
				if write(r) != nil {
					break // nothing more is read from it, or it was sent away
				}
			}
			if grown := held() - before; grown > 64<<20 {
				t.Errorf("%d MiB are held", grown>>20)
			}
			p.served()
		})
	}
}
