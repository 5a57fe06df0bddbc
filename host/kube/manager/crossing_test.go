package manager

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// slow is a run whose steps and decisions a test delivers by hand, so that they cross as the test wants.
type slow struct {
	*run
	t    *testing.T
	api  *api
	list *server.Decisions
}

func newSlow(t *testing.T) *slow {
	a, live := newAPI(t), livetest.Start(t)
	client := a.client(t)
	a.put("nodes", worker("n1", 1000))
	m, err := New(Options{Config: client.config, Client: client, Informers: informers.NewSharedInformerFactory(client, 0), Settings: translate.Settings{Schedulers: []string{schedulerName}}, Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	(&replica{Server: live.Server}).configure(t, queues)
	s := &slow{run: newRun(t.Context(), m, live.Server), t: t, api: a}
	s.bindings.jobs.lanes[sending].most = 0 // bindings are decided, and not sent
	if s.list, err = live.FollowDecisions(1); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.list.Close() }) // it has been read
	s.step()
	return s
}

func (s *slow) step() {
	s.t.Helper()
	if err := s.run.step(); err != nil {
		s.t.Fatal(err)
	}
}

// show waits until the informers have a version of a pod that a condition holds for, and has the loop look at it.
func (s *slow) show(key string, holds func(uid string) bool) {
	s.t.Helper()
	until(s.t, func() string {
		uid := ""
		if pod := s.cluster.Pod(key); pod != nil {
			uid = string(pod.UID)
		}
		if !holds(uid) {
			return "the informers do not have " + key + " as expected"
		}
		return ""
	})
	s.inbox.pod(key)
	s.step()
}

// allocated waits until the scheduler has allocated an ask, which the loop is not told.
func (s *slow) allocated(key string) {
	s.t.Helper()
	until(s.t, func() string {
		if node := s.has(key); node != "n1" {
			return key + " is not allocated"
		}
		return ""
	})
}

func (s *slow) has(key string) string { return (&replica{Server: s.session.live}).asks()[key] }

// deliver delivers the next decisions, up to the first of a type, which is returned.
func (s *slow) deliver(last core.DecisionType) {
	s.t.Helper()
	until(s.t, func() string {
		next, err := s.list.Next()
		if errors.Is(err, io.EOF) {
			return "expected the decision " + string(last)
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if next == nil {
			return "another one"
		}
		d, err := next.Value()
		if err != nil {
			s.t.Fatal(err)
		}
		if !concern[d.Type] {
			return "another one"
		}
		s.inbox.put(func(m *mail) { m.decisions = append(m.decisions, d) })
		if d.Type != last {
			return "another one"
		}
		return ""
	})
	s.step()
}

const crossed = "default/p"

func TestAPodThatIsDeletedWhileItIsAllocatedHoldsNoRoom(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 1000), "root.analytics"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.allocated(crossed)
	s.api.remove("pods", crossed)
	s.show(crossed, func(uid string) bool { return uid == "" })
	until(t, func() string {
		if all := (&replica{Server: s.session.live}).asks(); len(all) > 0 {
			return "the scheduler still has the pod"
		}
		return ""
	})
	s.deliver(core.Allocation)
	if len(s.pods.byKey) > 0 {
		t.Errorf("the decision about the deleted pod brought it back: %+v", s.pods.at(crossed))
	}
}

func TestRecreatedPod_OldDecisionsDoNotApply(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 1000), "root.analytics"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.allocated(crossed)
	before := string(s.cluster.Pod(crossed).UID)
	s.api.remove("pods", crossed)
	s.api.putAll(queued(waiting("p", "p", 2000), "root.analytics")) // no node has room for it
	s.show(crossed, func(uid string) bool { return uid != "" && uid != before })
	s.deliver(core.Allocation)
	s.deliver(core.Release)
	if p := s.pods.at(crossed); p.state != podstate.Asking || p.binding.number != 1 {
		t.Errorf("the pod made anew is taken for allocated: %v", p.state)
	}
	if node := s.has(crossed); node != "" {
		t.Errorf("the pod made anew is on %s", node)
	}
}

func TestResizedPod_StaysAllocated(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 1000), "root.analytics"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.allocated(crossed)
	pod := s.api.pod(crossed)
	resize(pod, 500)
	s.api.put("pods", pod)
	s.show(crossed, func(string) bool {
		return s.cluster.Pod(crossed).Spec.Containers[0].Resources.Requests.Cpu().MilliValue() == 500
	})
	s.deliver(core.Allocation)
	if milli, _ := s.pods.at(crossed).demand.resources.Value("vcore"); milli != 1000 || s.pods.at(crossed).known(true).Node != "n1" {
		t.Errorf("the scheduler has 1000 millicores on n1; known: %+v", s.pods.at(crossed).known(true))
	}
}

// A node that is deleted and made anew between two looks is another one to the scheduler: its pods are told anew in the same request, so
// that its room is never taken for free.
func TestPodsOnANodeMadeAnewKeepTheirRoom(t *testing.T) {
	s := newSlow(t)
	placed := queued(waiting("p", "p", 1000), "root.analytics")
	placed.Spec.NodeName = "n1"
	s.api.putAll(placed)
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.allocated(crossed)
	before := s.cluster.node("n1").UID
	s.api.remove("nodes", "n1")
	s.api.put("nodes", worker("n1", 1000))
	until(t, func() string {
		if n := s.cluster.node("n1"); n == nil || n.UID == before {
			return "the informers do not have the new node"
		}
		return ""
	})
	s.inbox.node("n1")
	s.step()
	r := &replica{Server: s.session.live}
	until(t, func() string { // no decision has been delivered
		if all := r.asks(); all[crossed] != "n1" || s.pods.at(crossed).known(true).Node != "n1" {
			return "the pod does not hold its room"
		}
		return ""
	})
	s.deliver(core.Release) // of the node before
	if known := s.pods.at(crossed).known(true); known.Node != "n1" {
		t.Errorf("the end of the node before is taken for that of the pod: %+v", known)
	}
}

// A binding that counts as failed may have reached the API server. The pause before the pod asks again is no reason to leave out what it takes.
func TestAPodThatWasBoundAfterAllHoldsItsRoomAtOnce(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 1000), "root.analytics"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.allocated(crossed)
	s.deliver(core.Allocation)
	p := s.pods.at(crossed)
	p.binding.failures = 20 // so that the pause is the longest
	s.inbox.put(func(m *mail) {
		m.outcomes = append(m.outcomes, outcome{crossed, p.binding.number, errors.New("no answer in time")})
	})
	s.step()
	if time.Until(p.backoff.until) < lastBackoff/2 {
		t.Fatalf("the pod asks again in %v", time.Until(p.backoff.until))
	}
	s.api.change(crossed, func(pod *corev1.Pod) { pod.Spec.NodeName = "n1" })
	s.show(crossed, func(string) bool { return s.cluster.Pod(crossed).Spec.NodeName == "n1" })
	s.allocated(crossed)
}

// The loop sees that a pod is another one also where the scheduler was told of neither.
func TestRecreatedPod_GetsItsReason(t *testing.T) {
	s := newSlow(t)
	needsPlugins := func() *corev1.Pod {
		pod := queued(waiting("p", "p", 100), "root.analytics")
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
		return pod
	}
	told := func() {
		t.Helper()
		s.conditions.explainSome(s.bindings.jobs.busy(sending))
		until(t, func() string {
			if pod := s.api.pod(crossed); len(pod.Status.Conditions) != 1 || pod.Status.Conditions[0].Reason != reasonRefused {
				return fmt.Sprintf("found %+v", pod.Status.Conditions)
			}
			return ""
		})
	}
	s.api.putAll(needsPlugins())
	s.show(crossed, func(uid string) bool { return uid != "" })
	told()
	before := string(s.api.pod(crossed).UID)
	s.api.remove("pods", crossed)
	s.api.putAll(needsPlugins())
	s.show(crossed, func(uid string) bool { return uid != "" && uid != before })
	told()
}

// An allocation stays in its application when the labels of its pod name another, also when it is told anew because its amounts have changed.
func TestAPodThatIsResizedStaysInItsApplication(t *testing.T) {
	s := newSlow(t)
	placed := queued(waiting("p", "first", 500), "root.analytics")
	placed.Spec.NodeName = "n1"
	s.api.putAll(placed)
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.allocated(crossed)
	s.api.change(crossed, func(pod *corev1.Pod) {
		pod.Labels["applicationId"] = "second"
		resize(pod, 600)
	})
	s.show(crossed, func(string) bool { return s.cluster.Pod(crossed).Labels["applicationId"] == "second" })
	until(t, func() (wrong string) {
		s.session.live.View().Read(func(c *scheduler.Scheduler) {
			d, ok := c.Ask(crossed)
			if milli, _ := d.Resources.Value("vcore"); !ok || d.App != "first" || d.Node != "n1" || milli != 600 {
				wrong = fmt.Sprintf("known %v: %d on %q, of application %q", ok, milli, d.Node, d.App)
			}
		})
		return wrong
	})
}
