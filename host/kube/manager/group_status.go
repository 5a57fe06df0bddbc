package manager

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kube/podwrite"
	"github.com/quern-project/quern/host/kube/translate"
)

// The status of a pod group says whether the group was scheduled, as kube-scheduler writes it: True once its first pods have nodes, and for good. Until
// then it is False, with the reason for which its pods wait. So does that of a composite group, once the first of its groups have nodes, as its API has it.

// Reasons of that condition.
const (
	groupScheduled     = "Scheduled"
	groupUnschedulable = "Unschedulable"
	groupRefused       = "SchedulerError"
	groupInvalid       = "Invalid" // of composite groups: whatever schedules them
)

// groupID names a pod group, or a composite one, as NAMESPACE/NAME.
type groupID struct {
	composite bool
	key       string
}

// groupWrite is a condition that was to be written into a pod group.
type groupWrite struct {
	id        groupID
	group     podwrite.Group
	condition metav1.Condition
	err       error
}

// groupState is what was last written into the status of a group.
type groupState struct {
	uid       types.UID
	scheduled bool   // it was scheduled
	speaker   string // otherwise: the pod whose reason to wait counts as long as it waits; pods of one group may wait for different reasons
	kind      string // of that reason; empty: nothing was written
}

// groupStatus writes into pod groups whether they were scheduled.
type groupStatus struct {
	ctx    context.Context // ends with the run
	status func(groupID) *podgroup.Status
	above  func(*corev1.Pod) lineage // of the group of a pod
	waits  func(key string) (p *pod, waits bool)
	write  func(groupWrite) // beside the loop
	later  func(groupID)    // schedules another attempt
	log    *slog.Logger

	states    map[groupID]*groupState
	forbidden bool // the log says that the API server does not allow to write
}

// changed drops what was written into groups that are not there any more.
func (s *groupStatus) changed(groups, composites map[string]bool) {
	for composite, keys := range map[bool]map[string]bool{false: groups, true: composites} {
		for key := range keys {
			if id := (groupID{composite, key}); s.status(id) == nil {
				delete(s.states, id)
			}
		}
	}
}

// groupsOf are the group of a pod and the composite groups above it.
func groupsOf(pod *corev1.Pod, l *lineage) []groupID {
	key := translate.PodGroupKey(pod)
	if key == "" {
		return nil
	}
	list := append(make([]groupID, 0, 1+len(l.groups)), groupID{false, key})
	for _, g := range l.groups {
		list = append(list, groupID{true, g.Namespace + "/" + g.Name})
	}
	return list
}

// open returns the state of a group that was not scheduled, and its status; nil: it was, or it is not there.
func (s *groupStatus) open(id groupID) (*groupState, *podgroup.Status) {
	status := s.status(id)
	if status == nil || status.Condition.Status == metav1.ConditionTrue {
		return nil, nil
	}
	state := s.states[id]
	if state == nil || state.uid != status.UID {
		state = &groupState{uid: status.UID}
		s.states[id] = state
	}
	if state.scheduled {
		return nil, nil
	}
	return state, status
}

// placed records that a pod has a node: the pods of a gang get theirs together, and so do the gangs of a set.
func (s *groupStatus) placed(pod *corev1.Pod) {
	if translate.PodGroupKey(pod) == "" {
		return
	}
	l := s.above(pod)
	for _, id := range groupsOf(pod, &l) {
		s.scheduled(id)
	}
}

func (s *groupStatus) scheduled(id groupID) {
	if state, status := s.open(id); state != nil {
		state.scheduled = true
		s.set(id, status, metav1.ConditionTrue, groupScheduled, "")
	}
}

// waiting records why a pod waits. A group with too few pods was not tried yet, so that nothing is said of it.
func (s *groupStatus) waiting(p *pod, why *statement) {
	if why.incomplete || translate.PodGroupKey(p.seen) == "" {
		return
	}
	l := s.above(p.seen)
	for _, id := range groupsOf(p.seen, &l) {
		s.waitsIn(id, p, why, &l)
	}
}

// waitsIn records why a pod of a group waits.
func (s *groupStatus) waitsIn(id groupID, p *pod, why *statement, l *lineage) {
	state, status := s.open(id)
	if state == nil || state.kind == why.kind || state.speaker != p.key && s.speaks(state.speaker, id) {
		return
	}
	state.speaker, state.kind = p.key, why.kind
	reason := groupUnschedulable
	switch {
	case why.reason == reasonRefused && l.invalid && id.composite:
		reason = groupInvalid
	case why.reason == reasonRefused:
		reason = groupRefused
	}
	s.set(id, status, metav1.ConditionFalse, reason, why.text)
}

// speaks reports whether the reason of a pod to wait still counts for a group.
func (s *groupStatus) speaks(key string, id groupID) bool {
	p, waits := s.waits(key)
	if !waits {
		return false
	}
	l := s.above(p.seen)
	return slices.Contains(groupsOf(p.seen, &l), id)
}

// set writes a condition, unless the group has it.
func (s *groupStatus) set(id groupID, is *podgroup.Status, value metav1.ConditionStatus, reason, message string) {
	c := is.Condition
	if c.Status == value && c.Reason == reason && c.Message == message && c.ObservedGeneration == is.Generation {
		return
	}
	if c.Status != value {
		c.Status, c.LastTransitionTime = value, metav1.Now()
	}
	c.Reason, c.Message, c.ObservedGeneration = reason, message, is.Generation
	namespace, name, _ := strings.Cut(id.key, "/")
	s.write(groupWrite{id: id, group: podwrite.Group{Resource: is.Resource, Namespace: namespace, Name: name, UID: is.UID}, condition: c})
}

// written acts on conditions that the API server has not accepted. That a group was scheduled is written again; another reason comes with the next look at
// its pods.
func (s *groupStatus) written(list []groupWrite) {
	for i := range list {
		w := &list[i]
		state := s.states[w.id]
		switch {
		case w.err == nil || s.ctx.Err() != nil || state == nil || state.uid != w.group.UID:
		case apierrors.IsForbidden(w.err):
			if !s.forbidden {
				s.forbidden = true
				s.log.Error("the status of pod groups cannot be written, which needs the right to patch podgroups/status and compositepodgroups/status", "group", w.id.key, "error", w.err)
			}
		case w.condition.Status == metav1.ConditionTrue:
			state.scheduled = false
			s.later(w.id)
		case !state.scheduled:
			state.kind = ""
		}
	}
}

// groupRetry is the pause before it is written again that a group was scheduled.
const groupRetry = 2 * time.Second
