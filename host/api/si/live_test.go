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
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/si"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
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
	auth    *auth.Authenticator // nil: everybody may do everything
	refused func(user, method, why string)
	dial    func(...grpc.DialOption) *grpc.ClientConn
	end     func()
}

// start starts a scheduler. Where there are users, as user=role, they show their names as tokens.
func start(t *testing.T, users ...string) *live {
	t.Helper()
	l := &live{T: t, machine: livetest.NewMachine()}
	if len(users) > 0 {
		var err error
		if l.auth, err = auth.New(auth.Options{Tokens: authtest.Tokens(t, users...), Log: slog.New(slog.DiscardHandler), Now: time.Now}); err != nil {
			t.Fatal(err)
		}
	}
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
	s := grpcserver.New(&grpcserver.Options{Log: slog.New(slog.DiscardHandler), Failure: l.machine.View().Failure, Auth: l.auth,
		Refused: func(c *auth.Caller, method, why string) {
			if l.refused != nil {
				l.refused(c.User, method, why)
			}
		}}, service)
	listener := bufconn.Listen(1 << 16)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- s.Serve(listener) }()
	go func() { ended <- service.Follow(ctx) }()
	var connections []*grpc.ClientConn
	l.dial = func(options ...grpc.DialOption) *grpc.ClientConn {
		c, err := grpc.NewClient("passthrough:///host", append(options, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))...)
		if err != nil {
			l.Fatal(err)
		}
		connections = append(connections, c)
		return c
	}
	l.SchedulerClient = siv1.NewSchedulerClient(l.dial())
	l.end = func() {
		for _, c := range connections {
			_ = c.Close() // once
		}
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

// speaks waits until each stream of a resource manager has an answer: one that opens its streams later takes all of them over.
func (m *manager) speaks() {
	m.Helper()
	m.node("nowhere", siv1.NodeInfo_UPDATE, 0)
	m.apps(m.app(""))
	m.ask(task("none", "nobody", 1))
	m.wants("rejected nowhere: unknown-node", "rejected : ", "rejected none of nobody: ")
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

// wantsEnd waits until all streams have ended with one of some codes.
func (m *manager) wantsEnd(want ...codes.Code) {
	m.Helper()
	for range 3 {
		if err := <-m.ended; !slices.Contains(want, status.Code(err)) {
			m.Errorf("expected that the stream ends with one of %v, found %v", want, err)
		}
	}
}

// complete ends the streams in good order, and then the resync.
func (m *manager) complete() {
	m.Helper()
	for _, err := range []error{m.allocations.CloseSend(), m.applications.CloseSend(), m.nodes.CloseSend()} {
		if err != nil {
			m.Error(err)
		}
	}
	for range 3 {
		if err := <-m.ended; err != io.EOF {
			m.Errorf("found %v", err)
		}
	}
	if _, err := m.RegisterResourceManager(m.Context(), &siv1.RegisterResourceManagerRequest{RmID: m.id, ExtraConfig: map[string]string{si.Resync: si.Complete}}); err != nil {
		m.Error(err)
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
func (l *live) read(show func(*scheduler.Scheduler)) {
	l.Helper()
	l.submit(core.Input{Event: &core.Tick{}})
	l.machine.View().Read(show)
}

// state sums up the state: nodes, applications and asks by ID.
func (l *live) state() string {
	l.Helper()
	var lines []string
	l.read(func(s *scheduler.Scheduler) {
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
