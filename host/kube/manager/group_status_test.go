package manager

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// groupCondition is the only condition of the group; one without a type: it has none.
func (a *api) groupCondition(t *testing.T) (c metav1.Condition) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if g, there := a.objects["podgroups"]["default/"+groupName].(*schedulingv1alpha2.PodGroup); there && len(g.Status.Conditions) > 0 {
		if len(g.Status.Conditions) > 1 {
			t.Fatalf("several conditions: %+v", g.Status.Conditions)
		}
		c = g.Status.Conditions[0]
	}
	return c
}

// groupIs waits until the condition of the group has a status and a reason.
func (a *api) groupIs(t *testing.T, status metav1.ConditionStatus, reason string) metav1.Condition {
	t.Helper()
	until(t, func() string {
		if c := a.groupCondition(t); c.Status != status || c.Reason != reason {
			return fmt.Sprintf("the condition is %+v", c)
		}
		return ""
	})
	return a.groupCondition(t)
}

func TestPodGroup_StatusSaysWhetherItWasScheduled(t *testing.T) {
	for version, kind := range map[string]string{"v1alpha2": "PodGroupScheduled", "v1beta1": "PodGroupInitiallyScheduled"} {
		t.Run(version, func(t *testing.T) {
			a := newAPI(t)
			a.serveGroups(version)
			a.put("nodes", worker("n1", 1000))
			group := podGroup(2)
			group.Generation = 4
			a.put("podgroups", group)
			r := start(t, a.client(t), rules)
			a.putAll(grouped(1))
			until(t, condition(a, "default/g-1", reasonWaiting)) // one of two
			if c := a.groupCondition(t); c.Type != "" {
				t.Errorf("a group that is not complete has %+v", c)
			}
			a.putAll(grouped(2))
			c := a.groupIs(t, metav1.ConditionFalse, groupUnschedulable)
			if c.Type != kind || c.ObservedGeneration != 4 || c.LastTransitionTime.IsZero() || !strings.Contains(c.Message, "2 members pending") {
				t.Errorf("found %+v", c)
			}
			a.put("nodes", worker("n2", 1000))
			until(t, a.haveNodes(2, "default/g-1", "default/g-2"))
			if c = a.groupIs(t, metav1.ConditionTrue, groupScheduled); c.Type != kind || c.Message != "" || c.ObservedGeneration != 4 {
				t.Errorf("found %+v", c)
			}
			a.ends(corev1.PodFailed, "default/g-1", "default/g-2")
			until(t, idleNow(r))
			a.putAll(grouped(3), grouped(4), grouped(5)) // one more than there is room for
			until(t, a.haveNodes(2, "default/g-3", "default/g-4", "default/g-5"))
			until(t, func() string { // the third has said why it waits
				for _, pod := range a.pods() {
					if pod.Name > "g-2" && pod.Spec.NodeName == "" && len(pod.Status.Conditions) > 0 {
						return ""
					}
				}
				return "no pod says that it waits"
			})
			a.groupIs(t, metav1.ConditionTrue, groupScheduled) // for good
		})
	}
}

// A leader that ends between binding the pods and writing the status leaves that to the next.
func TestPodGroup_NextLeaderWritesItsStatus(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	a.put("nodes", worker("n1", 2000))
	a.put("podgroups", podGroup(2))
	down := true
	a.fault = func(r *http.Request) fault {
		if down && strings.HasSuffix(r.URL.Path, "/podgroups/"+groupName+"/status") {
			return fault{status: http.StatusInternalServerError}
		}
		return fault{}
	}
	r := start(t, a.client(t), rules)
	a.putAll(grouped(1), grouped(2))
	until(t, isBound(a, "default/g-1", "default/g-2"))
	r.end()
	a.mu.Lock()
	down = false
	a.mu.Unlock()
	if c := a.groupCondition(t); c.Type != "" {
		t.Fatalf("found %+v", c)
	}
	r = start(t, a.client(t), rules)
	a.groupIs(t, metav1.ConditionTrue, groupScheduled)
	r.end()
	a.mu.Lock()
	before := a.requests["PATCH podgroups/status"]
	a.mu.Unlock()
	r = start(t, a.client(t), rules) // which has nothing to say
	until(t, func() string {
		if n := len(r.asks()); n != 2 {
			return fmt.Sprint(n, " pods")
		}
		return ""
	})
	r.end()
	a.mu.Lock()
	defer a.mu.Unlock()
	if after := a.requests["PATCH podgroups/status"]; after != before {
		t.Errorf("the status was written %d times, expected %d", after, before)
	}
}

func TestPodGroup_StatusIsWrittenAgainAfterAnError(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	a.put("nodes", worker("n1", 2000))
	a.put("podgroups", podGroup(2))
	failures := 0
	a.fault = func(r *http.Request) fault {
		if failures == 0 && strings.HasSuffix(r.URL.Path, "/podgroups/"+groupName+"/status") {
			failures++
			return fault{status: http.StatusInternalServerError}
		}
		return fault{}
	}
	start(t, a.client(t), rules)
	a.putAll(grouped(1), grouped(2))
	a.groupIs(t, metav1.ConditionTrue, groupScheduled)
}

// The rights of an earlier release do not suffice: the log says so once, and pods are bound nevertheless.
func TestPodGroup_StatusIsForbidden(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	a.put("nodes", worker("n1", 1000))
	a.put("podgroups", podGroup(2))
	a.fault = func(r *http.Request) fault {
		if strings.HasSuffix(r.URL.Path, "/podgroups/"+groupName+"/status") {
			return fault{status: http.StatusForbidden}
		}
		return fault{}
	}
	var said bytes.Buffer
	r := start(t, a.client(t), rules, withGroups(&said))
	a.putAll(grouped(1), grouped(2))
	until(t, condition(a, "default/g-1", corev1.PodReasonUnschedulable))
	a.put("nodes", worker("n2", 1000))
	until(t, isBound(a, "default/g-1", "default/g-2"))
	r.end()
	if n := strings.Count(said.String(), "right to patch podgroups/status"); n != 1 {
		t.Errorf("the log says it %d times:\n%s", n, said.String())
	}
}

// A group without a minimum was scheduled with its first pod.
func TestPodGroup_BasicPolicy(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	group := podGroup(1)
	group.Spec.SchedulingPolicy = schedulingv1alpha2.PodGroupSchedulingPolicy{Basic: &schedulingv1alpha2.BasicSchedulingPolicy{}}
	a.put("podgroups", group)
	start(t, a.client(t), rules)
	a.putAll(grouped(1), grouped(2))
	a.groupIs(t, metav1.ConditionFalse, groupUnschedulable)
	a.put("nodes", worker("n1", 1000))
	until(t, a.haveNodes(1, "default/g-1", "default/g-2"))
	a.groupIs(t, metav1.ConditionTrue, groupScheduled)
}
