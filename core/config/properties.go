package config

import (
	"maps"
	"strings"
)

// The names of the properties that mean something here.
const (
	propAppSort          = "application.sort.policy"
	propPrioritySort     = "application.sort.priority"
	propBackoff          = "application.unschedasks.backoff"
	propBackoffDelay     = "application.unschedasks.backoff.delay"
	propAskSort          = "ask.sort.policy"
	propQueueSort        = "queue.sort.policy"
	propPriorityPolicy   = "priority.policy"
	propPriorityOffset   = "priority.offset"
	propPreemptionPolicy = "preemption.policy"
	propPreemptionDelay  = "preemption.delay"
	propPatience         = "preemption.patience"
	propIntraQueue       = "preemption.intra-queue"
	propQuotaDelay       = "quota.preemption.delay"
	propReservationDelay = "reservation.delay"
)

const (
	enabled  = "enabled"
	disabled = "disabled"
)

// properties reads the properties of a queue and puts in force what they and the queues above say.
func (d *decoder) properties(s *scope, v *value) {
	q := s.queue
	if v != nil {
		d.readProperties(q, "properties", v)
		if offset := v.field(propPriorityOffset); offset != nil {
			d.checkOffsets(s, offset.value.at)
		}
		if s.above != nil && len(q.Properties) > 0 && !d.admitProperties(v.at, q.Path, len(s.above.handed)+len(q.Properties)) {
			return
		}
	}
	q.inherit(s)
}

// readProperties puts in force what the properties of a queue say themselves.
func (d *decoder) readProperties(q *Queue, key string, v *value) {
	fields := d.fields(q.Path, key, v)
	if len(fields) > 0 {
		q.Properties = make(map[string]string, len(fields))
	}
	for i := range fields {
		d.property(q, &fields[i])
	}
	if len(q.Properties) == 0 { // all of them were without a value
		q.Properties = nil
	}
}

// property reads one property. A known property without a value counts as unset, as other keys do; a policy gets an
// empty text for one of its own.
func (d *decoder) property(q *Queue, f *field) {
	at, text := f.value.at, f.value.text
	switch {
	case f.value.kind == mapping:
		d.nested(q.Path, "", "", f)
		return
	case f.value.kind == list:
		d.add(at, q.Path, f.name, "a text", f.value.found())
		return
	case f.value.kind == null && known(f.name):
		return
	}
	q.Properties[f.name] = text
	switch f.name {
	case propAppSort:
		q.AppSort = d.policy(q.Path, f.name, f.value, "app.order", FIFO, Fair, StateAware)
	case propQueueSort:
		q.QueueSort = d.policy(q.Path, f.name, f.value, "queue.order", Fair)
	case propAskSort:
		q.AskSort = d.policy(q.Path, f.name, f.value, "ask.order", FIFO)
	case propPrioritySort:
		q.PrioritySort = d.word(q.Path, f, enabled, disabled) == enabled
	case propPriorityPolicy, propPriorityOffset:
		d.priority(q, f)
	case propPreemptionPolicy:
		d.preemptionPolicy(q, f)
	case propIntraQueue:
		q.IntraQueue = d.word(q.Path, f, enabled, disabled) == enabled
	case propPreemptionDelay:
		q.PreemptionDelay = d.preemptionDelay(at, q.Path, text)
	case propReservationDelay:
		if q.isRoot() {
			d.partition.ReservationDelay = d.reservationDelay(at, text)
		}
	case propPatience:
		if q.isRoot() {
			d.partition.Patience = d.patience(at, text)
		}
	case propQuotaDelay:
		q.QuotaDelay = d.quotaDelay(at, q.Path, text)
	case propBackoff, propBackoffDelay:
	default:
		if reserved(f.name) {
			d.unknownProperty(q.Path, f)
		}
	}
}

// reserved reports whether a name is kept for properties that mean something here. All others are for policies.
func reserved(name string) bool {
	first, _, ok := strings.Cut(name, ".")
	if !ok {
		return false
	}
	switch first {
	case "application", "priority", "preemption", "queue", "ask", "reservation", "quota":
		return true
	}
	return false
}

// known reports whether a property means something here.
func known(name string) bool {
	switch name {
	case propAppSort, propPrioritySort, propBackoff, propBackoffDelay, propAskSort, propQueueSort, propPriorityPolicy, propPriorityOffset,
		propPreemptionPolicy, propPreemptionDelay, propPatience, propIntraQueue, propQuotaDelay, propReservationDelay:
		return true
	}
	return false
}

// word is a value out of a few, in any case. The first one stands in for a wrong one.
func (d *decoder) word(queue string, f *field, words ...string) string {
	for _, w := range words {
		if strings.EqualFold(f.value.text, w) {
			return w
		}
	}
	d.add(f.value.at, queue, f.name, oneOf(words...), f.value.found())
	return words[0]
}

// policy is the name of a policy that is built in, in any case, or of a loaded module, as written or in lower case.
func (d *decoder) policy(queue, key string, v *value, point string, builtIn ...string) string {
	lower := strings.ToLower(v.text)
	for _, name := range builtIn {
		if lower == name {
			return name
		}
	}
	if d.options.Policies != nil && v.text != "" {
		for _, name := range []string{v.text, lower} {
			if d.options.Policies(point, name) {
				return name
			}
		}
	}
	d.add(v.at, queue, key, oneOf(append(builtIn, "a loaded policy for "+point)...), v.found())
	return builtIn[0]
}

// preemptionPolicy has no effect on root, and cannot undo a disabled of a queue above.
func (d *decoder) preemptionPolicy(q *Queue, f *field) {
	policy := d.word(q.Path, f, PreemptionDefault, PreemptionFence, PreemptionDisabled)
	if !q.isRoot() && q.PreemptionPolicy != PreemptionDisabled {
		q.PreemptionPolicy = policy
	}
}

// inherit fills in the properties in force. Maps are shared where they are equal; most queues set few of their own.
func (q *Queue) inherit(s *scope) {
	q.Inherited = q.Properties
	if s.above == nil || len(s.above.handed) == 0 {
		return
	}
	above := s.above.handed
	if len(q.Properties) == 0 {
		q.Inherited = above
		return
	}
	q.Inherited = maps.Clone(above)
	maps.Copy(q.Inherited, q.Properties)
	if policy, ok := above[propPreemptionPolicy]; ok {
		q.Inherited[propPreemptionPolicy] = policy // handed down only when disabled, which no queue below can undo
	}
}

// handed is what the children of a queue inherit: all but what is meant for the queue alone.
func handed(q *Queue) map[string]string {
	keep := func(name, text string) bool {
		switch name {
		case propPriorityPolicy, propPriorityOffset:
			return false
		case propPrioritySort:
			return strings.EqualFold(text, disabled)
		case propPreemptionPolicy:
			return strings.EqualFold(text, PreemptionDisabled) && !q.isRoot()
		}
		return true
	}
	for name, text := range q.Inherited {
		if !keep(name, text) {
			own := maps.Clone(q.Inherited)
			maps.DeleteFunc(own, func(name, text string) bool { return !keep(name, text) })
			return own
		}
	}
	return q.Inherited
}
