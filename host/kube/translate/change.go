package translate

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	quern "github.com/quern-project/quern/core/resource"
)

// Known is what the scheduler has of a pod.
type Known struct {
	App       bool // the application lives
	Has       Has
	Resources quern.Set // of the ask or allocation
	Node      string    // of the allocation
}

// Has is which of an ask and an allocation the scheduler has.
type Has uint8

// What the scheduler may have of a pod.
const (
	Nothing    Has = iota
	Pending        // an ask
	Allocation     // with a node
)

// Effect is what a change of a pod calls for.
type Effect struct {
	Inputs   []core.Input
	Ask      *Ask     // what was asked again, whose Selectors have to be in use before the inputs are submitted; nil: nothing
	Occupied []string // nodes whose foreign pods have changed, sorted
	Problems []*Problem
}

// Change returns the inputs that a change of a pod from old to current causes; nil stands for a pod that is not there. The result depends on its
// arguments only, and a change that the scheduler knows already causes no input.
func (s *Settings) Change(old, current *corev1.Pod, k Known, c *Context) Effect {
	var e Effect
	e.foreign(s, old, current)
	if old != nil && current != nil && old.UID != current.UID { // deleted and created again between two looks
		e.leave(k, old)
		old, k = nil, Known{App: k.App}
	}
	switch s.StageOf(current) {
	case Waiting:
		e.wait(s, old, current, k, c)
	case Placed:
		e.place(s, current, k, c)
	default:
		if name := first(current, old); name != nil {
			e.leave(k, name)
		}
	}
	return e
}

func first(list ...*corev1.Pod) *corev1.Pod {
	for _, pod := range list {
		if pod != nil {
			return pod
		}
	}
	return nil
}

// leave ends what the scheduler has of a pod. Whatever has not succeeded has failed: a deleted pod, too, has its work still to do.
func (e *Effect) leave(k Known, pod *corev1.Pod) {
	id := Key(pod)
	switch {
	case k.Has == Nothing:
	case k.Has == Pending:
		e.Inputs = append(e.Inputs, core.Input{Event: &core.RemoveAsk{ID: id}})
	default:
		e.Inputs = append(e.Inputs, core.Input{Event: &core.ReleaseAllocation{ID: id, Failed: !Succeeded(pod)}})
	}
}

// wait has a pod without a node ask. While the scheduler has it allocated, its binding is under way.
func (e *Effect) wait(s *Settings, old, current *corev1.Pod, k Known, c *Context) {
	switch {
	case k.Has == Nothing:
		e.submit(s, current, k, c)
	case k.Has == Allocation:
	case old != nil && !s.sameDemand(old, current, c):
		e.leave(k, current)
		e.submit(s, current, k, c)
	default:
		if set := c.amounts(current); !slices.Equal(set, k.Resources) {
			e.Inputs = append(e.Inputs, core.Input{Event: &core.UpdateAsk{ID: Key(current), Resources: set}})
		}
	}
}

// sameDemand reports whether two versions of a pod ask alike, amounts apart.
func (s *Settings) sameDemand(old, current *corev1.Pod, c *Context) bool {
	if s.StageOf(old) != Waiting {
		return true // the ask is of neither
	}
	a, _ := s.AskOf(old, c)
	b, _ := s.AskOf(current, c)
	return reflect.DeepEqual(a.AddAsk.Ask, b.AddAsk.Ask)
}

// place says where a pod runs, and with which amounts.
func (e *Effect) place(s *Settings, current *corev1.Pod, k Known, c *Context) {
	if k.Has == Allocation && k.Node == current.Spec.NodeName && slices.Equal(c.amounts(current), k.Resources) {
		return
	}
	e.leave(k, current) // pending, elsewhere, or of another size
	e.submit(s, current, k, c)
}

// submit gives the ask or allocation, and its application if there is none.
func (e *Effect) submit(s *Settings, current *corev1.Pod, k Known, c *Context) {
	if !k.App {
		in, bad := s.Application(current, c)
		e.Inputs, e.Problems = append(e.Inputs, core.Input{Event: in}), append(e.Problems, bad...)
	}
	ask, bad := s.AskOf(current, c)
	e.Inputs, e.Ask = append(e.Inputs, ask.Input()), &ask
	for _, p := range bad {
		if !slices.ContainsFunc(e.Problems, func(o *Problem) bool { return o.Error() == p.Error() }) {
			e.Problems = append(e.Problems, p)
		}
	}
}

// foreign notes the nodes on which the room that foreign pods take has changed.
func (e *Effect) foreign(s *Settings, old, current *corev1.Pod) {
	before, now := s.StageOf(old) == Foreign, s.StageOf(current) == Foreign
	if before && now && old.Spec.NodeName == current.Spec.NodeName && slices.Equal(PodAmounts(old), PodAmounts(current)) {
		return
	}
	for _, p := range []struct {
		pod     *corev1.Pod
		foreign bool
	}{{old, before}, {current, now}} {
		if p.foreign && !slices.Contains(e.Occupied, p.pod.Spec.NodeName) {
			e.Occupied = append(e.Occupied, p.pod.Spec.NodeName)
		}
	}
	slices.Sort(e.Occupied)
}
