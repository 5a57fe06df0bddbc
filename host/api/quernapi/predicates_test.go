package quernapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/quernapi"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	"github.com/quern-project/quern/host/store"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// judging is a scheduler whose clients answer for predicates, and that can be started again.
type judging struct {
	*testing.T
	quernv1.SchedulerClient
	machine *livetest.Machine
	record  server.Exportable
	auth    *auth.Authenticator
	end     func()
	untold  atomic.Int64 // times that the scheduler could not be told which predicates to ask again
}

// noModules answers for no policy modules.
type noModules struct{}

func (noModules) Options() core.Options { return core.Options{} }
func (noModules) Serve()                {}
func (noModules) SetTime(time.Duration) {}
func (noModules) Missing() error        { return nil }
func (noModules) Close()                {}

func startJudging(t *testing.T, users ...string) *judging {
	t.Helper()
	j := &judging{T: t, machine: livetest.NewMachine()}
	j.machine.Clock.Set(time.Hour)
	if len(users) > 0 {
		var err error
		if j.auth, err = auth.New(auth.Options{Tokens: authtest.Tokens(t, users...), Log: slog.New(slog.DiscardHandler), Now: time.Now}); err != nil {
			t.Fatal(err)
		}
	}
	j.serve()
	t.Cleanup(func() { j.end() })
	return j
}

func (j *judging) serve() {
	j.Helper()
	hub := predicates.New(time.Minute)
	options := func(o *server.Options) {
		o.Audit = func(r *server.Request, _ *server.Answer, err error) {
			if errors.Is(err, server.ErrStoreFailed) && r.Inputs[0].Type() == core.PolicyRemove {
				j.untold.Add(1)
			}
		}
		o.Policies, j.record = hub.Policies(func(bool) server.Policies { return noModules{} }), o.Store.(*store.Log)
	}
	if err := j.machine.Start(options); err != nil {
		j.Fatal(err)
	}
	s := grpcserver.New(&grpcserver.Options{Log: slog.New(slog.DiscardHandler), Failure: j.machine.View().Failure, Auth: j.auth}, quernapi.New(j.machine.Server, hub))
	listener, ended := bufconn.Listen(1<<16), make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	c, err := grpc.NewClient("passthrough:///host", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		j.Fatal(err)
	}
	j.SchedulerClient = quernv1.NewSchedulerClient(c)
	j.end = func() {
		_ = c.Close()
		s.Stop()
		if err := errors.Join(<-ended, j.machine.Stop()); err != nil {
			j.Error(err)
		}
	}
}

// opened opens a stream for an owner's predicates.
func (j *judging) opened(ctx context.Context, owner string) grpc.BidiStreamingClient[quernv1.PredicatesRequest, quernv1.PredicatesResponse] {
	j.Helper()
	stream, err := j.Predicates(ctx)
	if err == nil {
		err = stream.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Open{Open: &quernv1.PredicatesOpen{Owner: owner}}})
	}
	if err != nil && err != io.EOF { // then it was refused already, and Recv says why
		j.Fatal(err)
	}
	return stream
}

// judge is a client that answers for the predicates of rm-1: a node fits where its name begins with that of the predicate, unless it is closed.
type judge struct {
	grpc.BidiStreamingClient[quernv1.PredicatesRequest, quernv1.PredicatesResponse]
	asked chan string // predicate and nodes
	ended chan error
	open  atomic.Bool
}

func (j *judging) judge(open bool) *judge {
	j.Helper()
	g := &judge{BidiStreamingClient: j.opened(j.Context(), "rm-1"), asked: make(chan string, 1_000), ended: make(chan error, 1)}
	g.open.Store(open)
	if _, err := g.Header(); err != nil { // the host asks this client from now on
		j.Fatal(err)
	}
	go func() {
		for {
			q, err := g.Recv()
			if err != nil {
				g.ended <- err
				return
			}
			a := &quernv1.PredicatesAnswer{Question: q.GetQuestion()}
			for _, n := range q.GetNodes() {
				code := uint32(7)
				if g.open.Load() && strings.HasPrefix(n, q.GetPredicate()) {
					code = 0
				}
				a.Codes = append(a.Codes, code)
			}
			g.asked <- fmt.Sprint(q.GetPredicate(), q.GetNodes())
			if err := g.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Answer{Answer: a}}); err != nil {
				return // Recv says why
			}
		}
	}()
	return g
}

func (j *judging) submit(inputs ...*quernv1.Input) {
	j.Helper()
	if _, err := j.Submit(j.Context(), &quernv1.SubmitRequest{Inputs: inputs}); err != nil {
		j.Fatal(err)
	}
}

func asks(id, predicate string) *quernv1.Input {
	return &quernv1.Input{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: id, App: "a", Resources: vcore(1000), Predicate: predicate}}}
}

// where says where asks are, once all that was sent is decided.
func (j *judging) where(ids ...string) string {
	j.Helper()
	j.submit(&quernv1.Input{Input: &quernv1.Input_Tick{Tick: &quernv1.Tick{}}})
	var list []string
	for _, id := range ids {
		r, err := j.GetAsk(j.Context(), &quernv1.GetAskRequest{Id: id})
		if err != nil {
			j.Fatal(err)
		}
		list = append(list, id+"@"+r.GetAsk().GetNode())
	}
	return strings.Join(list, " ")
}

func (j *judging) expect(want string, ids ...string) {
	j.Helper()
	if found := j.where(ids...); found != want {
		j.Errorf("expected %s, found %s", want, found)
	}
}

func (j *judging) cluster() {
	j.Helper()
	j.submit(node("x1", 4000), node("y1", 4000), &quernv1.Input{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "a", Queue: "root.default"}}})
}

// replayed holds the export against what was decided: a replay has no client to ask.
func (j *judging) replayed() {
	j.Helper()
	var text, decided, again strings.Builder
	if _, err := server.Export(j.record, nil, server.Begin{}, &text); err != nil {
		j.Fatal(err)
	}
	list, err := j.machine.Decisions(1)
	if err != nil {
		j.Fatal(err)
	}
	for d, err := list.Next(); err == nil; d, err = list.Next() {
		decided.WriteString(d.String() + "\n")
	}
	e := journal.NewEncoder(&again, journal.Absolute)
	_, err = journal.Replay(scheduler.New(core.Options{}), journal.NewDecoder(strings.NewReader(text.String()), "export", nil), journal.Options{Decisions: func(d []core.Decision) {
		for i := range d {
			if err := e.Decision(&d[i]); err != nil {
				j.Error(err)
			}
		}
	}})
	if err := errors.Join(err, e.Flush(), list.Close()); err != nil || again.String() != decided.String() || decided.Len() == 0 {
		j.Errorf("%v: the record has\n%s\nand a replay decides\n%s", err, &decided, &again)
	}
}

func TestAClientSaysWhereAsksMayGo(t *testing.T) {
	j := startJudging(t)
	g := j.judge(true)
	j.cluster()
	j.submit(asks("k1", "rm-1/y"), asks("k2", "rm-1/x"), asks("k3", "rm-1/z"), asks("k4", ""))
	j.expect("k1@y1 k2@x1 k3@", "k1", "k2", "k3")
	if found := <-g.asked; found != "y[x1 y1]" {
		t.Errorf("asked %s", found)
	}
	why, err := j.Explain(t.Context(), &quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Ask{Ask: "k3"}})
	if err != nil || !strings.Contains(why.GetText(), "ruled out by a predicate (7)") {
		t.Errorf("found %v (%v)", why, err)
	}
	for len(g.asked) > 0 {
		<-g.asked
	}
	if r, err := j.WhatIf(t.Context(), &quernv1.WhatIfRequest{Inputs: []*quernv1.Input{asks("k5", "rm-1/x")}}); err != nil || len(g.asked) > 0 ||
		strings.Contains(fmt.Sprint(r.GetDecisions()), "allocation") {
		t.Errorf("a what-if: found %v (%v), and %d questions", r, err, len(g.asked))
	}
	j.submit(node("z1", 4000))
	j.expect("k3@z1", "k3")
	j.replayed()
}

func TestPredicateClient_AskWaitsForIt(t *testing.T) {
	j := startJudging(t)
	j.cluster()
	j.submit(asks("k1", "rm-1/y"), asks("k2", "y"), asks("k3", ""))
	j.expect("k1@ k2@", "k1", "k2")
	if j.where("k3") == "k3@" {
		t.Error("an ask without a predicate waits, too")
	}
	g := j.judge(false) // the quarantine ends with its coming
	if found := <-g.asked; !strings.HasPrefix(found, "y[") {
		t.Errorf("asked %s", found)
	}
	j.expect("k1@ k2@", "k1", "k2")
	if err := g.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if err := <-g.ended; err != io.EOF {
		t.Errorf("found %v", err)
	}
	g = j.judge(true)
	<-g.asked
	j.expect("k1@y1 k2@", "k1", "k2")
	j.replayed()
}

// askAboutBoth submits two asks, and returns once the client has been asked about both and has refused them.
func (j *judging) askAboutBoth(g *judge) {
	j.submit(asks("k1", "rm-1/y"), asks("k2", "rm-1/x"))
	for first := <-g.asked; first[0] == (<-g.asked)[0]; { // until both were asked about
		continue
	}
	j.expect("k1@ k2@", "k1", "k2")
	for len(g.asked) > 0 {
		<-g.asked
	}
}

func TestWhatHasChangedIsAskedAnew(t *testing.T) {
	j := startJudging(t)
	g := j.judge(false)
	j.cluster()
	j.askAboutBoth(g)
	g.open.Store(true)
	g.changed("x", "unheard-of")
	if found := <-g.asked; found != "x[x1 y1]" {
		t.Errorf("asked %s", found)
	}
	j.expect("k2@x1 k1@", "k2", "k1")
}

// changed tells the host that predicates have changed.
func (g *judge) changed(names ...string) {
	changed := &quernv1.PredicatesChanged{Predicates: names}
	if err := g.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Changed{Changed: changed}}); err != nil {
		g.ended <- err
	}
}

// A host that cannot write forgets nothing that a client says meanwhile, and asks once it can.
func TestPredicateAnswers_RenewedOnceTheHostWrites(t *testing.T) {
	j := startJudging(t)
	g := j.judge(false)
	j.cluster()
	j.askAboutBoth(g)
	j.machine.FailStore(true)
	g.open.Store(true)
	g.changed("x")
	for late := time.After(time.Minute); j.untold.Load() == 0; {
		select {
		case err := <-g.ended:
			t.Fatalf("the stream ended: %v", err)
		case <-late:
			t.Fatal("the host did not try")
		case <-time.After(time.Millisecond):
		}
	}
	g.changed("y")
	j.machine.FailStore(false)
	found := map[string]bool{}
	for asked := 0; asked < 2; {
		select {
		case question := <-g.asked:
			found[question] = true
			asked++
		case err := <-g.ended:
			t.Fatalf("the stream ended: %v", err)
		case <-time.After(time.Millisecond):
			j.machine.Clock.Set(j.machine.Clock.Now() + time.Second) // until the host tries to write again
		}
	}
	if !found["x[x1 y1]"] {
		t.Errorf("asked %v", found)
	}
	for { // the host may have begun to ask, and take inputs a moment later
		if _, err := j.Submit(t.Context(), &quernv1.SubmitRequest{Inputs: []*quernv1.Input{{Input: &quernv1.Input_Tick{Tick: &quernv1.Tick{}}}}}); err == nil {
			break
		}
	}
	j.expect("k2@x1 k1@y1", "k2", "k1")
}

func TestRecoveryAsksNoClient(t *testing.T) {
	j := startJudging(t)
	g := j.judge(true)
	j.cluster()
	j.submit(asks("k1", "rm-1/y"), asks("k2", "rm-1/z"), asks("k3", "rm-1/x"))
	const want = "k1@y1 k2@ k3@x1"
	j.expect(want, "k1", "k2", "k3")
	for range 2 {
		j.end()
		j.serve() // it would not start if it decided otherwise
		j.expect(want, "k1", "k2", "k3")
	}
	if err := <-g.ended; status.Code(err) != codes.Unavailable && status.Code(err) != codes.Canceled {
		t.Errorf("the stream ended with %v", err)
	}
	j.submit(node("z1", 4000))
	j.expect("k2@", "k2")
	g = j.judge(true)
	<-g.asked
	j.expect("k2@z1", "k2")
	j.replayed()
}

func TestWhoMayAnswerForPredicates(t *testing.T) {
	j := startJudging(t, "ann=rm", "eve=rm", "sub=submitter", "root=admin")
	bind := &server.Request{Inputs: []core.Input{{Event: &core.Tick{}}}, Registers: []server.Registration{{Manager: "rm-1", User: "ann"}}}
	source := j.machine.Source()
	defer source.Close()
	given, err := source.Submit(t.Context(), bind)
	if err := errors.Join(err, j.machine.View().Await(t.Context(), given.Batch)); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]codes.Code{"ann for rm-1": codes.OK, "root for rm-1": codes.OK, "eve for rm-1": codes.PermissionDenied, "ann for rm-2": codes.FailedPrecondition,
		"ann for ": codes.InvalidArgument, "sub for rm-1": codes.PermissionDenied, "nobody for rm-1": codes.Unauthenticated} {
		user, owner, _ := strings.Cut(who, " for ")
		stream := j.opened(metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+user), owner)
		if err := stream.CloseSend(); err != nil {
			t.Fatal(err)
		}
		_, err := stream.Recv()
		if err == io.EOF {
			err = nil
		}
		if status.Code(err) != want {
			t.Errorf("%s: expected %v, found %v", who, want, err)
		}
	}
}

func TestMessagesOfPredicatesThatCannotBeUsed(t *testing.T) {
	j := startJudging(t)
	type predicateClient = grpc.BidiStreamingClient[quernv1.PredicatesRequest, quernv1.PredicatesResponse]
	both := []predicateClient{j.opened(t.Context(), "rm-1"), j.opened(t.Context(), "rm-1")}
	ended, errs := make(chan int, 2), [2]error{}
	for i, stream := range both {
		go func() { _, errs[i] = stream.Recv(); ended <- i }()
	}
	first := <-ended
	second := both[1-first]
	if status.Code(errs[first]) != codes.Aborted {
		t.Errorf("two answer for one owner: %v", errs[first])
	}
	stale := &quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Answer{Answer: &quernv1.PredicatesAnswer{Question: 9, Codes: []uint32{0}}}}
	again := &quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Open{Open: &quernv1.PredicatesOpen{Owner: "rm-2"}}}
	for _, r := range []*quernv1.PredicatesRequest{stale, again} { // the first is dropped
		if err := second.Send(r); err != nil {
			t.Fatal(err)
		}
	}
	if last := <-ended; status.Code(errs[last]) != codes.InvalidArgument {
		t.Errorf("found %v", errs[last])
	}
	empty, err := j.Predicates(t.Context())
	if err == nil {
		err = empty.Send(&quernv1.PredicatesRequest{})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := empty.Recv(); status.Code(err) != codes.InvalidArgument {
		t.Errorf("found %v", err)
	}
}
