package manager

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/podwrite"
)

// Other writes than bindings are bounded, so that many waiting pods do not delay bindings.
const (
	notesATick     = 50                    // pods whose conditions are looked at each noteEvery
	notesWhileBusy = 10                    // likewise, while bindings wait for their turn
	explainFor     = 25 * time.Millisecond // each noteEvery at most
	inRound        = 5                     // of them that were looked at before
	patience       = time.Second           // a pod that is placed sooner has no condition
	quiet          = 5 * time.Second       // between two statements about a pod: reasons come and go while others are placed
)

// waitingPods are the pods that wait: they ask, or there is a reason why they do not.
type waitingPods interface {
	waitingPod(key string) (p *pod, waits bool)
	waiting() []string // their keys, in a fixed order
}

// conditions writes into the conditions of pods why they wait.
type conditions struct {
	pods   waitingPods
	why    func(*pod) (statement, bool) // false if the scheduler has not tried to place the pod yet
	write  func(note, *statement)       // beside the loop
	group  func(*pod, *statement)       // writes into the group of a pod why it waits
	events *events

	fresh []string  // pods whose conditions say nothing yet, oldest first
	round []string  // what is left of a round through all that wait
	began time.Time // when the round began
}

// shown is what the conditions of a pod say.
type shown struct {
	asked time.Time // when the pod last asked
	kind  string    // of the last statement
	at    time.Time // when that was written
}

// note is a condition that was to be written.
type note struct {
	key, kind string
	event     event // that follows
	written   bool  // false: the pod has it already, or there is an error
	err       error
}

// enqueue adds a pod that has just begun to wait.
func (c *conditions) enqueue(p *pod) { c.fresh = append(c.fresh, p.key) }

// written adds an event after each condition that was written. Conditions that the API server has not accepted are written again.
func (c *conditions) written(list []note) {
	for i := range list {
		n := &list[i]
		p, _ := c.pods.waitingPod(n.key)
		so := func() bool {
			now, waits := c.pods.waitingPod(n.key)
			return waits && now == p && p.shown.kind == n.kind
		}
		switch {
		case !so():
		case n.written:
			n.event.still = so
			c.events.add(&n.event)
		case n.err != nil:
			p.shown.kind = ""
			if errors.Is(n.err, podwrite.ErrStale) {
				c.enqueue(p)
			}
		}
	}
}

// explainSome writes why some pods wait: new ones first, then a few of the others in turn, and fewer pods while bindings wait for their turn.
func (c *conditions) explainSome(busy bool) {
	left, until := notesATick, time.Now().Add(explainFor)
	if busy {
		left = notesWhileBusy
	}
	for left > inRound && len(c.fresh) > 0 && time.Now().Before(until) {
		p, waits := c.pods.waitingPod(c.fresh[0])
		if waits && time.Since(p.shown.asked) < patience {
			break
		}
		if c.fresh = c.fresh[1:]; waits && p.shown.kind == "" {
			c.explain(p)
			left--
		}
	}
	if len(c.round) == 0 && time.Since(c.began) >= quiet { // a look at every pod, placed or not
		c.round, c.began = c.pods.waiting(), time.Now()
	}
	for first := true; left > 0 && len(c.round) > 0 && (first || time.Now().Before(until)); first = false {
		p, waits := c.pods.waitingPod(c.round[0])
		c.round = c.round[1:]
		if waits && time.Since(p.shown.asked) >= patience && time.Since(p.shown.at) >= quiet {
			c.explain(p)
			left--
		}
	}
}

// explain writes why a pod waits, and an event after it, unless they would be of the kind of the last.
func (c *conditions) explain(p *pod) {
	why, ok := c.why(p)
	if !ok {
		return
	}
	c.group(p, &why)
	if p.shown.kind == why.kind {
		return
	}
	p.shown.kind, p.shown.at = why.kind, time.Now()
	n := note{key: p.key, kind: why.kind, event: event{p.seen, corev1.EventTypeNormal, why.reason, "Scheduling", why.text, nil}}
	if why.reason == corev1.PodReasonUnschedulable {
		n.event.typ, n.event.reason = corev1.EventTypeWarning, "FailedScheduling"
	}
	c.write(n, &why)
}
