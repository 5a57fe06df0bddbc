package si_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/si"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// token shows a token with each call.
type token string

func (t token) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(t)}, nil
}

func (t token) RequireTransportSecurity() bool { return false }

// as is the scheduler as a user speaks with it.
func (l *live) as(user string) *live {
	own := *l
	own.SchedulerClient = siv1.NewSchedulerClient(l.dial(grpc.WithPerRPCCredentials(token(user))))
	return &own
}

// registered tries to register a resource manager.
func (l *live) registered(id string, extra ...string) codes.Code {
	l.Helper()
	r := &siv1.RegisterResourceManagerRequest{RmID: id, ExtraConfig: map[string]string{}}
	for i := 0; i < len(extra); i += 2 {
		r.ExtraConfig[extra[i]] = extra[i+1]
	}
	_, err := l.RegisterResourceManager(l.Context(), r)
	return status.Code(err)
}

// expect holds the codes of attempts against those that are expected.
func expect(t *testing.T, want codes.Code, attempts map[string]codes.Code) {
	t.Helper()
	for name, found := range attempts {
		if found != want {
			t.Errorf("%s: expected %v, found %v", name, want, found)
		}
	}
}

// streamed tries to speak for a resource manager on each of its streams.
func (l *live) streamed(id string) map[string]codes.Code {
	l.Helper()
	m := l.connect(id)
	defer m.cancel()
	found := map[string]codes.Code{}
	for i := range 3 {
		found[fmt.Sprint("stream ", i)] = status.Code(<-m.ended)
	}
	return found
}

func TestAResourceManagerIsOneUsers(t *testing.T) {
	l := start(t, "ann=rm", "eve=rm", "sub=submitter", "root=admin")
	m := l.as("ann").register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(task("k1", "a1", 1000))
	m.wants("a1 is Accepted", "new k1 on n1", "a1 is Starting")
	before := l.state()
	refused := make(chan string, 100)
	l.refused = func(user, method, why string) { refused <- user + " " + method + ": " + why }
	eve := l.as("eve")
	expect(t, codes.PermissionDenied, eve.streamed("rm-1"))
	expect(t, codes.PermissionDenied, map[string]codes.Code{
		"to register": eve.registered("rm-1"), "to complete a resync": eve.registered("rm-1", si.Resync, si.Complete),
		"to be given it": eve.registered("rm-1", si.HandOver, "eve"), "without the role": l.as("sub").registered("rm-1"),
	})
	_, err := eve.RegisterResourceManager(t.Context(), &siv1.RegisterResourceManagerRequest{RmID: "rm-1", Config: "partitions: [{name: default, queues: [{name: root}]}]"})
	if status.Code(err) != codes.PermissionDenied {
		t.Errorf("to configure: found %v", err)
	}
	expect(t, codes.Unauthenticated, map[string]codes.Code{"without a name": l.registered("rm-1")})
	own := eve.register("rm-2") // which is hers, and tries what is not
	own.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	own.wants("rejected n1: duplicate")
	own.apps(own.app("a1"))
	own.wants("rejected a1: duplicate")
	own.release("a1", "k1", siv1.TerminationType_STOPPED_BY_RM)
	own.ask(task("k1", "a1", 1))
	own.wants("rejected k1 of a1: unknown-application")
	if found := <-refused; !strings.HasPrefix(found, "eve /si.v1.Scheduler/Update") || !strings.HasSuffix(found, "another user's") {
		t.Errorf("the audit log is told %q", found)
	}
	if after := l.state(); after != before {
		t.Errorf("another user has changed\n%s\nto\n%s", before, after)
	}
	m.node("n1", siv1.NodeInfo_UPDATE, 5000) // her streams are as they were
	m.apps(m.app("a2"))
	m.wants("accepted a2")
}

func TestAResourceManagerIsItsUsersAfterACrash(t *testing.T) {
	l := start(t, "ann=rm", "eve=rm")
	for _, id := range []string{"with a node", "with an application", "with nothing"} {
		m := l.as("ann").register(id)
		switch id {
		case "with a node":
			m.node("n1", siv1.NodeInfo_CREATE, 4000)
			m.wants("accepted n1")
		case "with an application":
			m.apps(m.app("a1"))
			m.wants("accepted a1")
		}
		m.cancel()
		m.wantsEnd(codes.Canceled)
	}
	expect(t, codes.PermissionDenied, map[string]codes.Code{"what lives": l.as("eve").registered("with nothing")})
	for range 2 {
		l.restart()
		expect(t, codes.PermissionDenied, map[string]codes.Code{
			"a node": l.as("eve").registered("with a node"), "an application": l.as("eve").registered("with an application"),
		})
	}
	expect(t, codes.FailedPrecondition, l.as("eve").streamed("with a node")) // nobody has registered
	expect(t, codes.OK, map[string]codes.Code{"one that is gone": l.as("eve").registered("with nothing")})
	expect(t, codes.PermissionDenied, map[string]codes.Code{"one that was hers": l.as("ann").registered("with nothing")})
	m := l.as("ann").register("with a node")
	m.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	if err := m.nodes.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if err := <-m.ended; err != io.EOF { // all is answered
		t.Fatal(err)
	}
	l.restart()
	expect(t, codes.OK, map[string]codes.Code{"one whose node has gone": l.as("eve").registered("with a node")})
}

func TestAnAdminActsForAResourceManagerAndGivesItAway(t *testing.T) {
	l := start(t, "ann=rm", "bob=rm", "root=admin")
	given := make(chan string, 10)
	l.service.WhenGiven(func(id string) { given <- id })
	m := l.as("ann").register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	m.speaks()
	root := l.as("root").register("rm-1") // it stays hers
	m.wantsEnd(codes.Aborted)
	root.node("n1", siv1.NodeInfo_CREATE, 4000)
	root.wants("accepted n1")
	root.speaks()
	expect(t, codes.PermissionDenied, map[string]codes.Code{"bob": l.as("bob").registered("rm-1")})
	m = l.as("ann").register("rm-1")
	root.wantsEnd(codes.Aborted)
	expect(t, codes.InvalidArgument, map[string]codes.Code{"to nobody": l.as("root").registered("rm-1", si.HandOver, "")})
	expect(t, codes.OK, map[string]codes.Code{"to bob": l.as("root").registered("rm-1", si.HandOver, "bob")})
	m.wantsEnd(codes.Aborted, codes.PermissionDenied) // the latter where a stream is looked at only now
	if found := <-given; found != "rm-1" || len(given) > 0 {
		t.Errorf("told of %s, and of %d more", found, len(given))
	}
	expect(t, codes.PermissionDenied, l.as("ann").streamed("rm-1"))
	for range 2 {
		expect(t, codes.PermissionDenied, map[string]codes.Code{"ann": l.as("ann").registered("rm-1")})
		b := l.as("bob").register("rm-1")
		b.node("n1", siv1.NodeInfo_CREATE, 4000)
		b.wants("accepted n1")
		l.restart()
	}
}

// A host that is started with authentication later has resource managers that are nobody's.
func TestResourceManager_FirstClientOwnsIt(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	l.auth = start(t, "ann=rm", "eve=rm").auth
	l.restart()
	expect(t, codes.OK, map[string]codes.Code{"ann": l.as("ann").registered("rm-1")})
	expect(t, codes.PermissionDenied, map[string]codes.Code{"eve": l.as("eve").registered("rm-1")})
	l.auth = nil
	l.restart()
	expect(t, codes.OK, map[string]codes.Code{"everybody": l.registered("rm-1")})
}

func TestResourceManagersThatAreGoneMakeRoom(t *testing.T) {
	l := start(t, "ann=rm", "eve=rm")
	ann := l.as("ann")
	m := ann.register("rm-node")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	for i := range 999 {
		if found := ann.registered(fmt.Sprint("rm-", i)); found != codes.OK {
			t.Fatalf("registration %d: found %v", i, found)
		}
	}
	expect(t, codes.ResourceExhausted, map[string]codes.Code{"too many that live": ann.registered("one more")})
	l.restart()
	expect(t, codes.OK, map[string]codes.Code{"one more": l.as("ann").registered("one more")})
	if found := strings.Join(l.machine.View().Managers(), " "); found != "one more rm-node" {
		t.Errorf("found %.200s", found)
	}
	expect(t, codes.PermissionDenied, map[string]codes.Code{"what lives": l.as("eve").registered("rm-node")})
	l.submit(core.Input{Event: &core.Tick{}})
}
