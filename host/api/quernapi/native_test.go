package quernapi_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	checks "google.golang.org/grpc/health/grpc_health_v1"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/quernapi"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// live is a scheduler that is served.
type live struct {
	*testing.T
	quernv1.SchedulerClient
	host       *livetest.Live
	server     *grpcserver.Server
	connection *grpc.ClientConn
}

// clientWindow is how much a client lets arrive that it has not read yet, in bytes: always as much, so that tests know.
const clientWindow = 64 << 10

func start(t *testing.T) *live {
	t.Helper()
	return startWith(t, nil)
}

// startWith serves callers whom an authenticator knows, of a scheduler with changes to its usual options.
func startWith(t *testing.T, a *auth.Authenticator, changes ...func(*server.Options)) *live {
	t.Helper()
	return startServing(t, grpcserver.Options{Auth: a}, changes...)
}

// startServing serves by options that need not say whose log and health these are.
func startServing(t *testing.T, o grpcserver.Options, changes ...func(*server.Options)) *live {
	t.Helper()
	l := &live{T: t, host: livetest.Start(t, changes...)}
	listener := bufconn.Listen(1 << 20)
	o.Log, o.Failure = slog.New(slog.DiscardHandler), l.host.Ready
	l.server = grpcserver.New(&o, quernapi.New(l.host.Server, predicates.New(predicates.DefaultTimeout)))
	ended := make(chan error, 1)
	go func() { ended <- l.server.Serve(listener) }()
	var err error
	l.connection, err = grpc.NewClient("passthrough:///host", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithInitialWindowSize(clientWindow), grpc.WithInitialConnWindowSize(clientWindow),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = l.connection.Close() // it may be closed
		l.server.Stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	l.SchedulerClient = quernv1.NewSchedulerClient(l.connection)
	return l
}

func vcore(milli int64) *quernv1.Resources {
	return &quernv1.Resources{Amounts: map[string]int64{"vcore": milli}}
}

func node(id string, milli int64) *quernv1.Input {
	return &quernv1.Input{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: id, Capacity: vcore(milli)}}}
}

func app(id string) *quernv1.Input {
	return &quernv1.Input{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: id, Queue: "root.default"}}}
}

func ask(id, app string, milli int64) *quernv1.Input {
	return &quernv1.Input{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: id, App: app, Resources: vcore(milli)}}}
}

// submit sends inputs that are taken.
func (l *live) submit(inputs ...*quernv1.Input) *quernv1.SubmitResponse {
	l.Helper()
	r, err := l.Submit(l.Context(), &quernv1.SubmitRequest{Inputs: inputs})
	if err != nil {
		l.Fatal(err)
	}
	return r
}

// types are those of decisions, with their IDs.
func types(list []*quernv1.Decision) (out []string) {
	for _, d := range list {
		out = append(out, d.GetType()+" "+d.GetId())
	}
	return out
}

// problem returns the detail of an error.
func problem(err error) *quernv1.Problem {
	for _, detail := range status.Convert(err).Details() {
		if p, ok := detail.(*quernv1.Problem); ok {
			return p
		}
	}
	return &quernv1.Problem{}
}

func TestInputsAreAnsweredWithTheirDecisions(t *testing.T) {
	l := start(t)
	r := l.submit(node("n1", 4000), app("a1"), ask("k1", "a1", 1500), ask("k2", "a1", 9000))
	want := []string{"node.accepted n1", "app.accepted a1", "app.state a1", "allocation k1", "app.state a1"}
	if r.GetFirst() != 1 || r.GetLast() != 4 || !slices.Equal(types(r.GetDecisions()), want) {
		t.Fatalf("found %v", r)
	}
	a := r.GetDecisions()[3]
	if a.GetSeq() != 4 || a.GetApp() != "a1" || a.GetQueue() != "root.default" || a.GetNode() != "n1" || a.GetResources().GetAmounts()["vcore"] != 1500 || a.GetAt().AsTime().IsZero() {
		t.Errorf("found %v", a)
	}
}

func TestARepeatGetsTheFirstAnswer(t *testing.T) {
	l := start(t)
	request := &quernv1.SubmitRequest{Inputs: []*quernv1.Input{node("n1", 4000)}, IdempotencyKey: "k"}
	first, err := l.Submit(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.Submit(t.Context(), request)
	if err != nil || second.GetFirst() != first.GetFirst() || !slices.Equal(types(first.GetDecisions()), types(second.GetDecisions())) {
		t.Errorf("expected %v, found %v (%v)", first, second, err)
	}
	request.Inputs = []*quernv1.Input{node("n2", 4000)}
	if _, err := l.Submit(t.Context(), request); status.Code(err) != codes.FailedPrecondition || problem(err).GetCode() != "key_reused" {
		t.Errorf("found %v", err)
	}
}

func TestBadInputsChangeNothing(t *testing.T) {
	l := start(t)
	long := strings.Repeat("k", 257)
	for name, c := range map[string]struct {
		inputs []*quernv1.Input
		key    string
		input  int32
		field  string
	}{
		"none":              {nil, "", 0, "inputs"},
		"an empty one":      {[]*quernv1.Input{{}}, "", 1, "input"},
		"no ID":             {[]*quernv1.Input{node("n1", 1), node("", 1)}, "", 2, "id"},
		"a long ID":         {[]*quernv1.Input{node(strings.Repeat("n", 1025), 1)}, "", 1, "id"},
		"a large one":       {[]*quernv1.Input{{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "a", User: strings.Repeat("u", 1<<20)}}}}, "", 1, "input"},
		"a long app":        {[]*quernv1.Input{ask("k", strings.Repeat("a", 1025), 1)}, "", 1, "app"},
		"no capacity":       {[]*quernv1.Input{{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: "n"}}}}, "", 1, "capacity"},
		"a negative amount": {[]*quernv1.Input{node("n1", -1)}, "", 1, "capacity.vcore"},
		"no type":           {[]*quernv1.Input{{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: "n", Capacity: &quernv1.Resources{Amounts: map[string]int64{"": 1}}}}}}, "", 1, "capacity"},
		"no application":    {[]*quernv1.Input{ask("k", "", 1)}, "", 1, "app"},
		"a gang that lost":  {[]*quernv1.Input{{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "a", Queue: "root.a", Succeeded: map[string]int32{"g": -1}}}}}, "", 1, "succeeded.g"},
		"a gang of none":    {[]*quernv1.Input{{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: "k", App: "a", Resources: vcore(1), Gang: &quernv1.AtomicGang{Id: "g"}}}}}, "", 1, "gang.min"},
		"a long key":        {[]*quernv1.Input{node("n1", 1)}, long, 0, "idempotency_key"},
	} {
		_, err := l.Submit(t.Context(), &quernv1.SubmitRequest{Inputs: c.inputs, IdempotencyKey: c.key})
		if p := problem(err); status.Code(err) != codes.InvalidArgument || p.GetInput() != c.input || p.GetKey() != c.field {
			t.Errorf("%s: found %v, %v", name, err, p)
		}
		if _, err := l.WhatIf(t.Context(), &quernv1.WhatIfRequest{Inputs: c.inputs}); c.key == "" && status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: a what-if was answered with %v", name, err)
		}
	}
	if r := l.submit(node("n1", 1)); r.GetFirst() != 1 {
		t.Errorf("expected the first input, found %v", r)
	}
}

func TestStream_OrderedAndContinuesAfterARefusal(t *testing.T) {
	l := start(t)
	stream, err := l.SubmitStream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	send := func(sequence uint64, inputs ...*quernv1.Input) {
		if err := stream.Send(&quernv1.SubmitStreamRequest{Sequence: sequence, Request: &quernv1.SubmitRequest{Inputs: inputs}}); err != nil {
			t.Error(err)
		}
	}
	const asks = 3000
	go func() {
		send(7, node("n1", 1_000_000), app("a1"))
		send(8, node("", 1))
		for i := range uint64(asks) {
			send(9+i, ask(fmt.Sprint("k", i), "a1", 1))
		}
		if err := stream.CloseSend(); err != nil {
			t.Error(err)
		}
	}()
	for want := uint64(7); ; want++ {
		r, err := stream.Recv()
		if err == io.EOF && want == 9+asks {
			return
		}
		if err != nil || r.GetSequence() != want {
			t.Fatalf("expected the answer to %d, found %v (%v)", want, r, err)
		}
		switch {
		case want == 8:
			if r.GetProblem().GetCode() != "bad_input" || r.GetProblem().GetStatus() != int32(codes.InvalidArgument) {
				t.Errorf("found %v", r)
			}
		case want > 8 && !slices.Contains(types(r.GetResponse().GetDecisions()), fmt.Sprint("allocation k", want-9)):
			t.Fatalf("found %v", r)
		}
	}
}

func TestDecisions_WatchedFromANumber(t *testing.T) {
	l := start(t)
	l.submit(node("n1", 4000), app("a1"), ask("k1", "a1", 1000))
	watch, err := l.Watch(t.Context(), &quernv1.WatchRequest{From: 1, Type: "allocation"})
	if err != nil {
		t.Fatal(err)
	}
	next := func() *quernv1.Decision {
		t.Helper()
		for {
			r, err := watch.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if len(r.GetDecisions()) > 0 {
				return r.GetDecisions()[0]
			}
		}
	}
	if d := next(); d.GetId() != "k1" {
		t.Errorf("found %v", d)
	}
	l.submit(ask("k2", "a1", 1000))
	if d := next(); d.GetId() != "k2" || d.GetType() != "allocation" {
		t.Errorf("found %v", d)
	}
	ahead, err := l.Watch(t.Context(), &quernv1.WatchRequest{From: 1000})
	if err == nil {
		_, err = ahead.Recv()
	}
	if status.Code(err) != codes.OutOfRange || problem(err).GetKey() != "from" {
		t.Errorf("found %v", err)
	}
	stopped := make(chan struct{})
	go func() { l.server.Stop(); close(stopped) }()
	for err = nil; err == nil; {
		_, err = watch.Recv()
	}
	if status.Code(err) != codes.Unavailable || problem(err).GetCode() != "stopping" {
		t.Errorf("expected the reason of the end, found %v", err)
	}
	<-stopped
}

func TestAnUpdateSaysWhetherOthersMayPreempt(t *testing.T) {
	l := start(t)
	l.submit(node("n1", 4000), app("a1"), ask("k1", "a1", 1000), ask("k2", "a1", 9000)) // k1 is allocated, k2 waits
	for _, may := range []bool{false, true} {
		for _, id := range []string{"k1", "k2"} {
			l.submit(&quernv1.Input{Input: &quernv1.Input_AskUpdate{AskUpdate: &quernv1.AskUpdate{Id: id, Preemptable: &may}}})
			e, err := l.Explain(t.Context(), &quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Ask{Ask: id}})
			if err != nil || !strings.Contains(e.GetJson(), fmt.Sprintf(`"preemptable": %v`, may)) {
				t.Errorf("%s, preemptable %v: found %v (%v)", id, may, e, err)
			}
		}
	}
}

func TestExplanationsVictimsAndTrials(t *testing.T) {
	l := start(t)
	l.submit(node("n1", 4000), app("a1"), ask("k1", "a1", 1000), ask("k2", "a1", 9000))
	for _, r := range []*quernv1.ExplainRequest{
		{Subject: &quernv1.ExplainRequest_Ask{Ask: "k2"}}, {Subject: &quernv1.ExplainRequest_App{App: "a1"}}, {Subject: &quernv1.ExplainRequest_Queue{Queue: "root.default"}},
	} {
		if e, err := l.Explain(t.Context(), r); err != nil || e.GetText() == "" || !strings.HasPrefix(e.GetJson(), "{") {
			t.Errorf("%v: found %v (%v)", r, e, err)
		}
	}
	if v, err := l.Victims(t.Context(), &quernv1.VictimsRequest{Ask: "k2"}); err != nil || !strings.Contains(v.GetJson(), "k2") {
		t.Errorf("found %v (%v)", v, err)
	}
	if f, err := l.Forecast(t.Context(), &quernv1.ForecastRequest{Ask: "k2"}); err != nil || !strings.Contains(f.GetJson(), `"started": 0`) {
		t.Errorf("found %v (%v)", f, err)
	}
	for r, code := range map[*quernv1.ForecastRequest]codes.Code{
		{Ask: "k1"}: codes.FailedPrecondition, {Ask: "nobody"}: codes.NotFound, {Ask: "k2", TimeLimit: durationpb.New(5 * time.Second)}: codes.InvalidArgument,
	} {
		if _, err := l.Forecast(t.Context(), r); status.Code(err) != code {
			t.Errorf("%v: found %v, want %v", r, err, code)
		}
	}
	trial, err := l.WhatIf(t.Context(), &quernv1.WhatIfRequest{Inputs: []*quernv1.Input{node("n2", 9000)}})
	if err != nil || !slices.Contains(types(trial.GetDecisions()), "allocation k2") {
		t.Errorf("found %v (%v)", trial, err)
	}
	_, unknown := l.Explain(t.Context(), &quernv1.ExplainRequest{Subject: &quernv1.ExplainRequest_Ask{Ask: "nobody"}})
	_, allocated := l.Victims(t.Context(), &quernv1.VictimsRequest{Ask: "k1"})
	_, nothing := l.Explain(t.Context(), &quernv1.ExplainRequest{})
	if status.Code(unknown) != codes.NotFound || status.Code(allocated) != codes.FailedPrecondition || status.Code(nothing) != codes.InvalidArgument {
		t.Errorf("found %v, %v, %v", unknown, allocated, nothing)
	}
}

func TestFailedStore_HostIsUnhealthy(t *testing.T) {
	l := start(t)
	health := checks.NewHealthClient(l.connection)
	if r, err := health.Check(t.Context(), &checks.HealthCheckRequest{}); err != nil || r.GetStatus() != checks.HealthCheckResponse_SERVING {
		t.Errorf("found %v (%v)", r, err)
	}
	watch, err := health.Watch(t.Context(), &checks.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := watch.Recv(); err != nil || r.GetStatus() != checks.HealthCheckResponse_SERVING {
		t.Errorf("found %v (%v)", r, err)
	}
	l.host.FailStore(true)
	if _, err := l.Submit(t.Context(), &quernv1.SubmitRequest{Inputs: []*quernv1.Input{node("n1", 1)}}); status.Code(err) != codes.Unavailable || problem(err).GetCode() != "store_failed" {
		t.Errorf("found %v", err)
	}
	if r, err := watch.Recv(); err != nil || r.GetStatus() != checks.HealthCheckResponse_NOT_SERVING {
		t.Errorf("found %v (%v)", r, err)
	}
	if _, err := health.Check(t.Context(), &checks.HealthCheckRequest{Service: "quern.v1.Scheduler"}); status.Code(err) != codes.NotFound {
		t.Errorf("found %v", err)
	}
}

// services are those that a host says it serves.
func (l *live) services() (list []protoreflect.ServiceDescriptor) {
	l.Helper()
	asked, err := reflection.NewServerReflectionClient(l.connection).ServerReflectionInfo(l.Context())
	if err == nil {
		err = asked.Send(&reflection.ServerReflectionRequest{MessageRequest: &reflection.ServerReflectionRequest_ListServices{}})
	}
	if err != nil {
		l.Fatal(err)
	}
	answer, err := asked.Recv()
	if err != nil {
		l.Fatal(err)
	}
	for _, s := range answer.GetListServicesResponse().GetService() {
		found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(s.GetName()))
		service, ok := found.(protoreflect.ServiceDescriptor)
		if err != nil || !ok {
			l.Fatalf("%s: %v", s.GetName(), err)
		}
		list = append(list, service)
	}
	return list
}

func TestEveryMethodSaysWhoMayCallIt(t *testing.T) {
	l := start(t)
	needs := grpcserver.Needs(quernapi.New(l.host.Server, predicates.New(predicates.DefaultTimeout)))
	for _, service := range l.services() {
		methods := service.Methods()
		for i := range methods.Len() {
			name := fmt.Sprintf("/%s/%s", service.FullName(), methods.Get(i).Name())
			if _, ok := needs[name]; !ok {
				t.Errorf("%s: nothing says who may call it", name)
			}
			delete(needs, name)
		}
	}
	for method := range needs {
		t.Errorf("%s: there is no such method", method)
	}
}
