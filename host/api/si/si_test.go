package si_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/si"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// live is a scheduler that resource managers speak with, and that can be started again.
type live struct {
	*testing.T
	siv1.SchedulerClient
	machine *livetest.Machine
	service *si.Service
	end     func()
}

func start(t *testing.T) *live {
	t.Helper()
	l := &live{T: t, machine: livetest.NewMachine()}
	l.machine.Clock.Set(time.Hour)
	l.serve()
	t.Cleanup(func() { l.end() })
	return l
}

// serve starts the scheduler and its server.
func (l *live) serve() {
	l.Helper()
	if err := l.machine.Start(); err != nil {
		l.Fatal(err)
	}
	service := si.New(l.machine.Server, slog.New(slog.DiscardHandler))
	l.service = service
	s := grpcserver.New(&grpcserver.Options{Log: slog.New(slog.DiscardHandler), Failure: l.machine.View().Failure}, service)
	listener := bufconn.Listen(1 << 16)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- s.Serve(listener) }()
	go func() { ended <- service.Follow(ctx) }()
	connection, err := grpc.NewClient("passthrough:///host", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		l.Fatal(err)
	}
	l.SchedulerClient = siv1.NewSchedulerClient(connection)
	l.end = func() {
		_ = connection.Close() // once
		s.Stop()
		cancel()
		if err := errors.Join(<-ended, <-ended, l.machine.Stop()); err != nil {
			l.Error(err)
		}
	}
}

// restart ends the scheduler and starts it again on its record.
func (l *live) restart() {
	l.Helper()
	l.end()
	l.serve()
}

// manager is a resource manager. What it is told is kept as lines.
type manager struct {
	*live
	id           string
	cancel       context.CancelFunc
	allocations  grpc.BidiStreamingClient[siv1.AllocationRequest, siv1.AllocationResponse]
	applications grpc.BidiStreamingClient[siv1.ApplicationRequest, siv1.ApplicationResponse]
	nodes        grpc.BidiStreamingClient[siv1.NodeRequest, siv1.NodeResponse]
	told         chan string
	ended        chan error
}

// register registers a resource manager and opens its streams.
func (l *live) register(id string) *manager {
	l.Helper()
	if _, err := l.RegisterResourceManager(l.Context(), &siv1.RegisterResourceManagerRequest{RmID: id, Version: "1"}); err != nil {
		l.Fatal(err)
	}
	return l.connect(id)
}

func (l *live) connect(id string) *manager {
	l.Helper()
	m := &manager{live: l, id: id, told: make(chan string, 10_000), ended: make(chan error, 3)}
	var ctx context.Context
	ctx, m.cancel = context.WithCancel(l.Context())
	var all [3]error
	m.allocations, all[0] = l.UpdateAllocation(ctx)
	m.applications, all[1] = l.UpdateApplication(ctx)
	m.nodes, all[2] = l.UpdateNode(ctx)
	if err := errors.Join(all[:]...); err != nil {
		l.Fatal(err)
	}
	go listen(m, m.allocations.Recv, allocationLines)
	go listen(m, m.applications.Recv, applicationLines)
	go listen(m, m.nodes.Recv, nodeLines)
	m.ask()
	m.apps()
	m.node("", siv1.NodeInfo_UNKNOWN_ACTION_FROM_RM, 0)
	return m
}

// listen keeps what a stream tells until it ends.
func listen[R any](m *manager, receive func() (*R, error), lines func(*R) []string) {
	for {
		r, err := receive()
		if err != nil {
			m.ended <- err
			return
		}
		for _, line := range lines(r) {
			m.told <- line
		}
	}
}

func allocationLines(r *siv1.AllocationResponse) (list []string) {
	for _, a := range r.GetNew() {
		list = append(list, fmt.Sprintf("new %s on %s", a.GetAllocationKey(), a.GetNodeID()))
	}
	for _, a := range r.GetRejectedAllocations() {
		list = append(list, fmt.Sprintf("rejected %s of %s: %s", a.GetAllocationKey(), a.GetApplicationID(), a.GetReason()))
	}
	for _, a := range r.GetReleased() {
		list = append(list, fmt.Sprintf("released %s of %s: %s", a.GetAllocationKey(), a.GetApplicationID(), a.GetTerminationType()))
	}
	return list
}

func applicationLines(r *siv1.ApplicationResponse) (list []string) {
	for _, a := range r.GetAccepted() {
		list = append(list, "accepted "+a.GetApplicationID())
	}
	for _, a := range r.GetRejected() {
		list = append(list, fmt.Sprintf("rejected %s: %s", a.GetApplicationID(), a.GetReason()))
	}
	for _, a := range r.GetUpdated() {
		list = append(list, fmt.Sprintf("%s is %s", a.GetApplicationID(), a.GetState()))
	}
	return list
}

func nodeLines(r *siv1.NodeResponse) (list []string) {
	for _, n := range r.GetAccepted() {
		list = append(list, "accepted "+n.GetNodeID())
	}
	for _, n := range r.GetRejected() {
		list = append(list, fmt.Sprintf("rejected %s: %s", n.GetNodeID(), n.GetReason()))
	}
	return list
}

// wants waits until the resource manager was told some lines, in any order, and nothing else before. A line may be the beginning.
func (m *manager) wants(lines ...string) {
	m.Helper()
	missing := slices.Clone(lines)
	late := time.After(20 * time.Second)
	for len(missing) > 0 {
		select {
		case line := <-m.told:
			i := slices.IndexFunc(missing, func(want string) bool { return strings.HasPrefix(line, want) })
			if i < 0 {
				m.Fatalf("%s was told %q; expected %q", m.id, line, missing)
			}
			missing = slices.Delete(missing, i, i+1)
		case err := <-m.ended:
			m.Fatalf("%s: a stream ended (%v); expected %q", m.id, err, missing)
		case <-late:
			m.Fatalf("%s was not told %q", m.id, missing)
		}
	}
}

func (m *manager) send(err error) {
	m.Helper()
	if err != nil && err != io.EOF { // the stream has ended: its reader says why
		m.Fatal(err)
	}
}

func resources(vcore int64) *siv1.Resource {
	return &siv1.Resource{Resources: map[string]*siv1.Quantity{"vcore": {Value: vcore}}}
}

func (m *manager) node(id string, action siv1.NodeInfo_ActionFromRM, vcore int64) {
	m.Helper()
	r := &siv1.NodeRequest{RmID: m.id}
	if id != "" {
		r.Nodes = []*siv1.NodeInfo{{NodeID: id, Action: action}}
		if vcore > 0 {
			r.Nodes[0].SchedulableResource = resources(vcore)
		}
	}
	m.send(m.nodes.Send(r))
}

func (m *manager) apps(list ...*siv1.AddApplicationRequest) {
	m.Helper()
	m.send(m.applications.Send(&siv1.ApplicationRequest{RmID: m.id, New: list}))
}

func (m *manager) app(id string) *siv1.AddApplicationRequest {
	return &siv1.AddApplicationRequest{ApplicationID: id, QueueName: "root.default", PartitionName: "[" + m.id + "]default",
		Ugi: &siv1.UserGroupInformation{User: "ann", Groups: []string{"vision"}}}
}

func (m *manager) ask(list ...*siv1.Allocation) {
	m.Helper()
	m.send(m.allocations.Send(&siv1.AllocationRequest{RmID: m.id, Allocations: list}))
}

func task(key, app string, vcore int64) *siv1.Allocation {
	return &siv1.Allocation{AllocationKey: key, ApplicationID: app, ResourcePerAlloc: resources(vcore), PartitionName: "default",
		PreemptionPolicy: &siv1.PreemptionPolicy{AllowPreemptSelf: true, AllowPreemptOther: true}}
}

func running(key, app string, vcore int64, node string) *siv1.Allocation {
	a := task(key, app, vcore)
	a.NodeID = node
	return a
}

func (m *manager) release(app, key string, t siv1.TerminationType) {
	m.Helper()
	m.send(m.allocations.Send(&siv1.AllocationRequest{RmID: m.id, Releases: &siv1.AllocationReleasesRequest{
		AllocationsToRelease: []*siv1.AllocationRelease{{ApplicationID: app, AllocationKey: key, TerminationType: t}}}}))
}

// read shows the state once the loop has answered everything that was handed in before.
func (l *live) read(show func(*core.Scheduler)) {
	l.Helper()
	l.submit(core.Input{Type: core.Tick})
	l.machine.View().Read(show)
}

// state sums up the state: nodes, applications and asks by ID.
func (l *live) state() string {
	l.Helper()
	var lines []string
	l.read(func(s *core.Scheduler) {
		d := s.Dump()
		for i := range d.Nodes {
			n := &d.Nodes[i]
			lines = append(lines, fmt.Sprintf("node %s %v %v %v", n.ID, n.Capacity, n.Occupied, n.Schedulable))
		}
		for i := range d.Applications {
			a := &d.Applications[i]
			lines = append(lines, fmt.Sprintf("app %s %s", a.ID, a.State))
			for _, k := range a.Asks {
				lines = append(lines, fmt.Sprintf("ask %s %d %v on %q", k.ID, k.Priority, k.Resources, k.Node))
			}
		}
	})
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

func TestAConversation(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	m.apps(m.app("a1"))
	m.wants("accepted a1")
	m.ask(task("k1", "a1", 1000), task("k2", "a1", 9000), task("", "a1", 1))
	m.wants("a1 is Accepted", "new k1 on n1", "rejected  of a1: bad-request", "a1 is Starting")
	m.release("a1", "k1", siv1.TerminationType_STOPPED_BY_RM)
	m.wants("released k1 of a1: STOPPED_BY_RM")
	m.release("a1", "k2", siv1.TerminationType_STOPPED_BY_RM) // pending: there is nothing to tell but the state
	m.wants("a1 is Completing")
	m.ask(task("k1", "a1", 500), task("k2", "a1", 500))
	m.wants("a1 is Running", "new k1 on n1", "new k2 on n1")
	m.release("a1", "", siv1.TerminationType_STOPPED_BY_RM)
	m.wants("released k1 of a1: STOPPED_BY_RM", "released k2 of a1: STOPPED_BY_RM", "a1 is Completing")
	m.send(m.applications.Send(&siv1.ApplicationRequest{Remove: []*siv1.RemoveApplicationRequest{{ApplicationID: "a1"}}}))
	m.wants("a1 is Completed")
	m.apps(m.app("a1")) // the ID is free again
	m.wants("accepted a1")
}

func TestEveryActionOnANode(t *testing.T) {
	m := start(t).register("rm-1")
	expect := func(want string) {
		t.Helper()
		if found := m.state(); found != want {
			t.Errorf("expected\n%s\nfound\n%s", want, found)
		}
	}
	m.node("n1", siv1.NodeInfo_CREATE_DRAIN, 1000)
	m.wants("accepted n1")
	expect("node n1 [{vcore 1000}] [] false")
	m.node("n1", siv1.NodeInfo_DRAIN_TO_SCHEDULABLE, 0)
	m.node("n1", siv1.NodeInfo_UPDATE, 2000)
	m.node("n1", siv1.NodeInfo_UNKNOWN_ACTION_FROM_RM, 0)
	m.wants("rejected n1: bad-request: the action")
	expect("node n1 [{vcore 2000}] [] true")
	m.node("n1", siv1.NodeInfo_DRAIN_NODE, 0)
	m.node("n2", siv1.NodeInfo_UPDATE, 5)
	m.wants("rejected n2: unknown-node")
	expect("node n1 [{vcore 2000}] [] false")
	m.apps(m.app("a1"))
	m.wants("accepted a1")
	m.ask(running("k1", "a1", 500, "n1"), running("k2", "a1", 500, "n9"))
	m.wants("rejected k2 of a1: unknown-node", "a1 is Accepted", "a1 is Starting")
	m.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	m.wants("released k1 of a1: STOPPED_BY_RM", "a1 is Completing")
	expect("app a1 Completing")
	m.node("n1", siv1.NodeInfo_CREATE, -1)
	m.wants("accepted n1") // without amounts
}

func TestResourceManagersAreToldOfTheirOwnAlone(t *testing.T) {
	l := start(t)
	one, two := l.register("rm-1"), l.register("rm-2")
	one.node("n1", siv1.NodeInfo_CREATE, 4000)
	one.apps(one.app("a1"))
	one.wants("accepted n1", "accepted a1")
	two.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	two.wants("rejected n1: duplicate")
	two.apps(two.app("a1"), two.app("a2"))
	two.wants("rejected a1: duplicate", "accepted a2")
	two.ask(task("k1", "a1", 1))
	two.wants("rejected k1 of a1: unknown-application")
	two.release("a1", "", siv1.TerminationType_STOPPED_BY_RM)
	one.ask(task("k1", "a1", 1000))
	one.wants("a1 is Accepted", "new k1 on n1", "a1 is Starting")
	two.ask(task("k1", "a2", 1000)) // the key is taken
	two.wants("rejected k1 of a2: duplicate")
	two.ask(task("k2", "a2", 1000)) // nodes are shared
	two.wants("a2 is Accepted", "new k2 on n1", "a2 is Starting")
	foreign := two.app("a3")
	foreign.PartitionName = "[rm-1]default"
	two.apps(foreign)
	two.wants("rejected a3: unknown-partition")
}

func TestAStreamThatBreaksIsPickedUpWithTheAnswersThatWereMissed(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(task("k1", "a1", 5000))
	m.wants("a1 is Accepted")
	m.cancel()
	for range 3 {
		<-m.ended
	}
	l.state() // the host has nothing under way
	if inputs := l.submit(core.Input{Type: core.NodeAdd, ID: "n2", Capacity: capacity(8000)}); inputs.Refused {
		t.Fatal("the node was refused")
	}
	again := l.connect("rm-1")
	again.wants("new k1 on n2", "accepted n1", "accepted a1", "a1 is Accepted", "a1 is Starting") // what was sent last may come twice
}

func TestARegistrationAgainIsAResync(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.node("n2", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"), m.app("a2"))
	m.wants("accepted n1", "accepted n2", "accepted a1", "accepted a2")
	m.ask(task("k1", "a1", 4000), task("k2", "a1", 4000), task("k3", "a1", 4000), task("k4", "a2", 4000))
	m.wants("a1 is Accepted", "a2 is Accepted", "new k1 on n1", "new k2 on n2", "a1 is Starting", "a1 is Running")
	for name, again := range map[string]func(){"the same process": func() {}, "after a crash": l.restart} {
		again()
		before := l.state()
		r := l.register("rm-1")
		if name == "the same process" {
			for range 3 {
				if err := <-m.ended; status.Code(err) != codes.Aborted {
					t.Errorf("%s: expected that the stream is ended, found %v", name, err)
				}
			}
		}
		r.node("n1", siv1.NodeInfo_CREATE, 4000)
		r.node("n2", siv1.NodeInfo_CREATE, 4000)
		r.apps(r.app("a1"), r.app("a2"))
		r.wants("accepted n1", "accepted n2", "accepted a1", "accepted a2", "a1 is Running", "a2 is Accepted")
		r.ask(running("k1", "a1", 4000, "n1"), task("k2", "a1", 4000), task("k3", "a1", 4000), task("k4", "a2", 4000))
		r.wants("new k2 on n2") // the one answer that it does not know of
		if after := l.state(); after != before {
			t.Errorf("%s: a resync has changed\n%s\nto\n%s", name, before, after)
		}
		m = r
	}
	r := l.register("rm-1")
	r.node("n1", siv1.NodeInfo_CREATE, 4000)
	r.apps(r.app("a1"))
	r.wants("accepted n1", "accepted a1", "a1 is Running")
	r.ask(running("k1", "a1", 4000, "n1"))
	complete := &siv1.RegisterResourceManagerRequest{RmID: "rm-1", ExtraConfig: map[string]string{si.Resync: si.Complete}}
	if _, err := l.RegisterResourceManager(t.Context(), complete); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a resync was completed while messages may be under way: %v", err)
	}
	for _, err := range []error{r.allocations.CloseSend(), r.applications.CloseSend(), r.nodes.CloseSend()} {
		if err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		if err := <-r.ended; err != io.EOF {
			t.Errorf("found %v", err)
		}
	}
	if _, err := l.RegisterResourceManager(t.Context(), complete); err != nil {
		t.Error(err)
	}
	if found, want := l.state(), "app a1 Running\napp a2 Completed\nask k1 0 [{vcore 4000}] on \"n1\"\nnode n1 [{vcore 4000}] [] true"; found != want {
		t.Errorf("expected\n%s\nfound\n%s", want, found)
	}
}

func TestRegistrationsThatCannotBeUsed(t *testing.T) {
	l := start(t)
	for name, r := range map[string]*siv1.RegisterResourceManagerRequest{
		"no ID":         {},
		"brackets":      {RmID: "[rm]"},
		"a bad config":  {RmID: "rm-1", Config: "partitions: 3"},
		"an odd resync": {RmID: "rm-1", ExtraConfig: map[string]string{si.Resync: "now"}},
	} {
		if _, err := l.RegisterResourceManager(t.Context(), r); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: found %v", name, err)
		}
	}
	stream, err := l.UpdateNode(t.Context())
	if err == nil {
		err = stream.Send(&siv1.NodeRequest{RmID: "rm-1"})
	}
	if err == nil {
		_, err = stream.Recv()
	}
	if status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a stream without a registration: found %v", err)
	}
	m := l.register("rm-1")
	if err := m.nodes.Send(&siv1.NodeRequest{RmID: "rm-2"}); err != nil {
		t.Fatal(err)
	}
	if err := <-m.ended; status.Code(err) != codes.InvalidArgument {
		t.Errorf("a stream of two resource managers: found %v", err)
	}
}

func TestAConfigurationIsPutInForceWhereItDiffers(t *testing.T) {
	l := start(t)
	count := func() (n int) {
		l.state()
		list, err := l.machine.Decisions(1)
		if err != nil {
			t.Fatal(err)
		}
		for line, err := list.Next(); err == nil; line, err = list.Next() {
			if strings.Contains(string(line), "config.accepted") {
				n++
			}
		}
		return n
	}
	text := "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"
	for i, c := range []struct {
		text string
		want int
	}{{text, 1}, {text, 1}, {"", 1}, {strings.ReplaceAll(text, "name: a", "name: b"), 2}} {
		if _, err := l.RegisterResourceManager(t.Context(), &siv1.RegisterResourceManagerRequest{RmID: "rm-1", Config: c.text}); err != nil {
			t.Fatal(err)
		}
		if found := count(); found != c.want {
			t.Errorf("registration %d: expected %d configurations, found %d", i, c.want, found)
		}
	}
}

// submit sends inputs that no resource manager sends.
func (l *live) submit(inputs ...core.Input) server.Answer {
	l.Helper()
	source := l.machine.Source()
	defer source.Close()
	given, err := source.Submit(l.Context(), &server.Request{Inputs: inputs})
	if err == nil {
		err = l.machine.View().Await(l.Context(), given.Batch)
	}
	if err != nil {
		l.Fatal(err)
	}
	return given
}

func capacity(vcore int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "vcore", Value: vcore})
}
