package manager

import (
	"context"
	"log/slog"
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
// then it is False, with the reason for which its pods wait.

// Reasons of that condition.
const (
	groupScheduled     = "Scheduled"
	groupUnschedulable = "Unschedulable"
	groupRefused       = "SchedulerError"
)

// groupWrite is a condition that was to be written into a pod group.
type groupWrite struct {
	key       string
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
	status func(key string) *podgroup.Status
	waits  func(key string) (p *pod, waits bool)
	write  func(groupWrite) // beside the loop
	later  func(key string) // schedules another attempt
	log    *slog.Logger

	states    map[string]*groupState // by key of the group
	forbidden bool                   // the log says that the API server does not allow to write
}

// changed drops what was written into groups that are not there any more.
func (s *groupStatus) changed(groups map[string]bool) {
	for key := range groups {
		if s.status(key) == nil {
			delete(s.states, key)
		}
	}
}

// open returns the state of a group that was not scheduled, and its status; nil: it was, or it is not there.
func (s *groupStatus) open(key string) (*groupState, *podgroup.Status) {
	if key == "" {
		return nil, nil
	}
	status := s.status(key)
	if status == nil || status.Condition.Status == metav1.ConditionTrue {
		return nil, nil
	}
	state := s.states[key]
	if state == nil || state.uid != status.UID {
		state = &groupState{uid: status.UID}
		s.states[key] = state
	}
	if state.scheduled {
		return nil, nil
	}
	return state, status
}

// placed records that a pod has a node: the pods of a gang get theirs together.
func (s *groupStatus) placed(pod *corev1.Pod) { s.scheduled(translate.PodGroupKey(pod)) }

func (s *groupStatus) scheduled(key string) {
	if state, status := s.open(key); state != nil {
		state.scheduled = true
		s.set(key, status, metav1.ConditionTrue, groupScheduled, "")
	}
}

// waiting records why a pod waits. A group with too few pods was not tried yet, so that nothing is said of it.
func (s *groupStatus) waiting(p *pod, why *statement) {
	key := translate.PodGroupKey(p.seen)
	state, status := s.open(key)
	if state == nil || why.incomplete || state.kind == why.kind {
		return
	}
	if speaker, waits := s.waits(state.speaker); state.speaker != p.key && waits && translate.PodGroupKey(speaker.seen) == key {
		return
	}
	state.speaker, state.kind = p.key, why.kind
	reason := groupUnschedulable
	if why.reason == reasonRefused {
		reason = groupRefused
	}
	s.set(key, status, metav1.ConditionFalse, reason, why.text)
}

// set writes a condition, unless the group has it.
func (s *groupStatus) set(key string, is *podgroup.Status, value metav1.ConditionStatus, reason, message string) {
	c := is.Condition
	if c.Status == value && c.Reason == reason && c.Message == message && c.ObservedGeneration == is.Generation {
		return
	}
	if c.Status != value {
		c.Status, c.LastTransitionTime = value, metav1.Now()
	}
	c.Reason, c.Message, c.ObservedGeneration = reason, message, is.Generation
	namespace, name, _ := strings.Cut(key, "/")
	s.write(groupWrite{key: key, group: podwrite.Group{Resource: is.Resource, Namespace: namespace, Name: name, UID: is.UID}, condition: c})
}

// written acts on conditions that the API server has not accepted. That a group was scheduled is written again; another reason comes with the next look at
// its pods.
func (s *groupStatus) written(list []groupWrite) {
	for i := range list {
		w := &list[i]
		state := s.states[w.key]
		switch {
		case w.err == nil || s.ctx.Err() != nil || state == nil || state.uid != w.group.UID:
		case apierrors.IsForbidden(w.err):
			if !s.forbidden {
				s.forbidden = true
				s.log.Error("the status of pod groups cannot be written, which needs the right to patch podgroups/status", "group", w.key, "error", w.err)
			}
		case w.condition.Status == metav1.ConditionTrue:
			state.scheduled = false
			s.later(w.key)
		case !state.scheduled:
			state.kind = ""
		}
	}
}

// groupRetry is the pause before it is written again that a group was scheduled.
const groupRetry = 2 * time.Second
