package program

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/grpc"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// managerID is that of the resource manager. Its applications and asks begin with it, its node has this capacity in thousandths of a vcore.
const (
	managerID       = "rm-"
	managerNode     = managerID + "node"
	managerApp      = managerID + "app"
	managerCapacity = 20_000
)

// manager is a resource manager of si.v1. After each crash it registers again, and says what there is.
type manager struct {
	service   siv1.SchedulerClient
	random    *rand.Rand
	n         int
	pending   map[string]bool
	running   map[string]string // nodes
	releasing map[string]bool
	told      []string // what was told of allocations since the last report
	answers   int
	resyncs   int
}

func newManager(c grpc.ClientConnInterface, random *rand.Rand) *manager {
	return &manager{service: siv1.NewSchedulerClient(c), random: random, pending: map[string]bool{}, running: map[string]string{}, releasing: map[string]bool{}}
}

// conversation is the streams of a resource manager.
type conversation struct {
	allocations  grpc.BidiStreamingClient[siv1.AllocationRequest, siv1.AllocationResponse]
	applications grpc.BidiStreamingClient[siv1.ApplicationRequest, siv1.ApplicationResponse]
	nodes        grpc.BidiStreamingClient[siv1.NodeRequest, siv1.NodeResponse]
	lines        chan string
	ended        chan error
}

func (m *manager) run(_ *host, turn *turn) error {
	ctx, cancel := turn.context()
	defer cancel()
	c, err := m.register(ctx)
	if err == nil {
		err = m.resync(c)
	}
	for err == nil {
		if len(m.pending)+len(m.releasing) < mostUnderWay && turn.take() {
			err = m.step(c)
			continue
		}
		select {
		case line := <-c.lines:
			if err = m.hear(line); err == nil {
				turn.answered()
			}
		case err = <-c.ended:
		case <-turn.over:
			return nil
		}
	}
	return unlessGone(err)
}

// register opens the streams.
func (m *manager) register(ctx context.Context) (c *conversation, err error) {
	if _, err := m.service.RegisterResourceManager(ctx, &siv1.RegisterResourceManagerRequest{RmID: managerID, Version: "1"}, grpc.WaitForReady(true)); err != nil {
		return nil, err
	}
	c = &conversation{lines: make(chan string, 1000), ended: make(chan error, 3)}
	var all [3]error
	c.allocations, all[0] = m.service.UpdateAllocation(ctx)
	c.applications, all[1] = m.service.UpdateApplication(ctx)
	c.nodes, all[2] = m.service.UpdateNode(ctx)
	if err := errors.Join(all[:]...); err != nil {
		return nil, err
	}
	go hearAll(ctx, c, c.allocations.Recv, allocationLines)
	go hearAll(ctx, c, c.applications.Recv, func(r *siv1.ApplicationResponse) []string {
		return judged(r.GetAccepted(), (*siv1.AcceptedApplication).GetApplicationID, r.GetRejected(), (*siv1.RejectedApplication).GetApplicationID)
	})
	go hearAll(ctx, c, c.nodes.Recv, func(r *siv1.NodeResponse) []string {
		return judged(r.GetAccepted(), (*siv1.AcceptedNode).GetNodeID, r.GetRejected(), (*siv1.RejectedNode).GetNodeID)
	})
	return c, nil
}

// judged are lines about what was accepted and what was rejected.
func judged[A any, R interface{ GetReason() string }](accepted []A, idOf func(A) string, rejected []R, idOfRejected func(R) string) (list []string) {
	for _, a := range accepted {
		list = append(list, "accepted "+idOf(a))
	}
	for _, r := range rejected {
		list = append(list, "rejected "+idOfRejected(r)+" "+r.GetReason())
	}
	return list
}

func allocationLines(r *siv1.AllocationResponse) (list []string) {
	for _, a := range r.GetNew() {
		list = append(list, "new "+a.GetAllocationKey()+" "+a.GetNodeID())
	}
	for _, a := range r.GetRejectedAllocations() {
		list = append(list, "rejected "+a.GetAllocationKey()+" "+a.GetReason())
	}
	for _, a := range r.GetReleased() {
		list = append(list, "released "+a.GetAllocationKey())
	}
	return list
}

// hearAll takes what a stream tells until it ends.
func hearAll[R any](ctx context.Context, c *conversation, receive func() (*R, error), lines func(*R) []string) {
	for {
		r, err := receive()
		if err != nil {
			c.ended <- err
			return
		}
		for _, line := range lines(r) {
			select {
			case c.lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}
}

// resync says what there is: node and application first, then allocations, asks and releases whose answers may have been lost.
func (m *manager) resync(c *conversation) error {
	m.resyncs++
	err := errors.Join(
		c.nodes.Send(&siv1.NodeRequest{RmID: managerID, Nodes: []*siv1.NodeInfo{{NodeID: managerNode, Action: siv1.NodeInfo_CREATE, SchedulableResource: milliVcores(managerCapacity)}}}),
		c.applications.Send(&siv1.ApplicationRequest{RmID: managerID, New: []*siv1.AddApplicationRequest{{ApplicationID: managerApp, QueueName: "root.default", PartitionName: "[" + managerID + "]default",
			Ugi: &siv1.UserGroupInformation{User: "ann"}}}}))
	if err != nil {
		return endOf(c, err)
	}
	for accepted := map[string]bool{}; len(accepted) < 2; {
		select {
		case line := <-c.lines:
			if name, ok := strings.CutPrefix(line, "accepted "); ok {
				accepted[name] = true
			} else if err := m.hear(line); err != nil {
				return err
			}
		case err := <-c.ended:
			return err
		}
	}
	r := &siv1.AllocationRequest{RmID: managerID}
	for _, key := range slices.Sorted(maps.Keys(m.running)) {
		r.Allocations = append(r.Allocations, taskOf(key, m.running[key]))
	}
	for _, key := range slices.Sorted(maps.Keys(m.pending)) {
		r.Allocations = append(r.Allocations, taskOf(key, ""))
	}
	for _, key := range slices.Sorted(maps.Keys(m.releasing)) {
		r.Releases = releases(r.GetReleases(), key)
	}
	return endOf(c, c.allocations.Send(r))
}

// endOf is why something could not be sent: its stream tells.
func endOf(c *conversation, err error) error {
	if err == nil {
		return nil
	}
	return <-c.ended
}

// step asks for something, or releases something.
func (m *manager) step(c *conversation) error {
	r := &siv1.AllocationRequest{RmID: managerID}
	if keys := slices.Sorted(maps.Keys(m.running)); len(keys) > m.random.IntN(2*mostUnderWay) {
		key := keys[m.random.IntN(len(keys))]
		delete(m.running, key)
		m.releasing[key] = true
		r.Releases = releases(nil, key)
	} else {
		m.n++
		key := fmt.Sprintf("%sk%d", managerID, m.n)
		m.pending[key] = true
		r.Allocations = []*siv1.Allocation{taskOf(key, "")}
	}
	return endOf(c, c.allocations.Send(r))
}

// hear takes in what was told. Twice told is only what is as it was.
func (m *manager) hear(line string) error {
	words := strings.Fields(line)
	switch key := words[1]; words[0] {
	case "new":
		if node, ok := m.running[key]; ok && node != words[2] {
			return fmt.Errorf("%s runs on %s, and the resource manager was told %q", key, node, line)
		}
		if m.pending[key] {
			delete(m.pending, key)
			m.running[key] = words[2]
		}
		m.told = append(m.told, line)
	case "released":
		if m.running[key] != "" || m.pending[key] {
			return fmt.Errorf("nobody released what %q is about", line)
		}
		delete(m.releasing, key)
		m.told = append(m.told, line)
	case "rejected":
		return fmt.Errorf("the resource manager was told %q", line)
	}
	m.answers++
	return nil
}

// report holds what was told against what was decided. What has been released without that it was told is forgotten.
func (m *manager) report(g *books) {
	for _, line := range m.told {
		words := strings.Fields(line)
		if words[0] == "new" && g.placed[words[1]] != words[2] || words[0] == "released" && !g.released[words[1]] {
			g.Errorf("the resource manager was told %q; %s was placed on %q, and its release is %v", line, words[1], g.placed[words[1]], g.released[words[1]])
		}
	}
	for key, node := range m.running {
		if g.running[key] != node {
			g.Errorf("%s runs on %s, as its resource manager was told, and on %q by what was decided", key, node, g.running[key])
		}
	}
	maps.DeleteFunc(m.releasing, func(key string, _ bool) bool { return g.released[key] })
	m.told = nil
}

func milliVcores(n int64) *siv1.Resource {
	return &siv1.Resource{Resources: map[string]*siv1.Quantity{"vcore": {Value: n}}}
}

// taskOf is an ask, or an allocation where it has a node.
func taskOf(key, node string) *siv1.Allocation {
	return &siv1.Allocation{AllocationKey: key, ApplicationID: managerApp, ResourcePerAlloc: milliVcores(1000), PartitionName: "default", NodeID: node,
		PreemptionPolicy: &siv1.PreemptionPolicy{AllowPreemptSelf: true, AllowPreemptOther: true}}
}

// releases adds the release of an allocation.
func releases(r *siv1.AllocationReleasesRequest, key string) *siv1.AllocationReleasesRequest {
	if r == nil {
		r = &siv1.AllocationReleasesRequest{}
	}
	r.AllocationsToRelease = append(r.AllocationsToRelease, &siv1.AllocationRelease{PartitionName: "default", ApplicationID: managerApp, AllocationKey: key, TerminationType: siv1.TerminationType_STOPPED_BY_RM})
	return r
}
