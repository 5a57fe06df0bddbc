package config

import (
	"maps"
	"strings"
)

// The names of the properties with an effect in the scheduler.
const (
	propAppSort            = "application.sort.policy"
	propPrioritySort       = "application.sort.priority"
	propBackoff            = "application.unschedasks.backoff"
	propBackoffDelay       = "application.unschedasks.backoff.delay"
	propAskSort            = "ask.sort.policy"
	propAccumulateAfter    = "gang.accumulate-after"
	propAccumulateFor      = "gang.accumulate-for"
	propHalfLife           = "fairness.half-life"
	propLookAhead          = "fairness.look-ahead"
	propQueueSort          = "queue.sort.policy"
	propPriorityPolicy     = "priority.policy"
	propPriorityOffset     = "priority.offset"
	propPreemptionPolicy   = "preemption.policy"
	propPreemptionDelay    = "preemption.delay"
	propPatience           = "preemption.patience"
	propIntraQueue         = "preemption.intra-queue"
	propGangs              = "preemption.gangs"
	propSurplus            = "preemption.surplus"
	propMinRuntime         = "preemption.min-runtime"
	propMinRuntimeMax      = "preemption.min-runtime.max"
	propMinRuntimeRequired = "preemption.min-runtime.required"
	propBudget             = "preemption.budget"
	propQuotaDelay         = "quota.preemption.delay"
	propReservationDelay   = "reservation.delay"
	propWalltimeDefault    = "walltime.default"
	propWalltimeMax        = "walltime.max"
	propWalltimeOverrun    = "walltime.overrun"
)

const (
	enabled  = "enabled"
	disabled = "disabled"

	unitGangs   = "unit"
	memberGangs = "member"
)

// properties reads the properties of a queue, and applies them and the inherited ones.
func (d *decoder) properties(s *scope, v *value) {
	q := s.queue
	if v != nil {
		d.readProperties(q, "properties", v)
		if offset := v.field(propPriorityOffset); offset != nil {
			d.checkOffsets(s, offset.value.at)
		}
		if s.above != nil && len(q.Properties) > 0 && !d.admitProperties(v.at, q.Path, len(s.above.inheritable)+len(q.Properties)) {
			return
		}
	}
	q.inherit(s)
}

// readProperties reads and applies the properties that a queue sets itself.
func (d *decoder) readProperties(q *Queue, key string, v *value) {
	fields := d.fields(q.Path, key, v)
	if len(fields) > 0 {
		q.Properties = make(map[string]string, len(fields))
	}
	for i := range fields {
		d.property(q, &fields[i])
	}
	if len(q.Properties) == 0 { // none of them has a value
		q.Properties = nil
	}
}

// property reads one property. Like other keys, a known property without a value counts as unset. Policies get an empty text for one of
// their own.
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
		q.AppSort = d.policy(q.Path, f.name, f.value, "app.order", FIFO, Fair, FairUsers, StateAware)
	case propQueueSort:
		q.QueueSort = d.policy(q.Path, f.name, f.value, "queue.order", Fair)
	case propAskSort:
		q.AskSort = d.policy(q.Path, f.name, f.value, "ask.order", FIFO)
	case propPrioritySort:
		q.PrioritySort = d.choice(q.Path, f, enabled, disabled) == enabled
	case propPriorityPolicy, propPriorityOffset:
		d.priority(q, f)
	case propPreemptionPolicy:
		d.preemptionPolicy(q, f)
	case propIntraQueue:
		q.IntraQueue = d.choice(q.Path, f, enabled, disabled) == enabled
	case propGangs:
		q.GangsByMember = d.choice(q.Path, f, unitGangs, memberGangs) == memberGangs
	case propSurplus:
		q.KeepsSurplus = d.choice(q.Path, f, enabled, disabled) == disabled
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
	case propAccumulateAfter:
		if q.isRoot() {
			d.partition.AccumulateAfter = d.accumulateAfter(at, text)
		}
	case propAccumulateFor:
		if q.isRoot() {
			d.partition.AccumulateFor = d.accumulateFor(at, text)
		}
	case propQuotaDelay:
		q.QuotaDelay = d.quotaDelay(at, q.Path, text)
	case propWalltimeDefault, propWalltimeMax, propWalltimeOverrun:
		d.walltime(q, f)
	case propMinRuntime, propMinRuntimeMax, propMinRuntimeRequired:
		d.minRuntime(q, f)
	case propBudget:
		d.budget(q, f)
	case propHalfLife:
		q.HalfLife = d.halfLife(q.Path, f)
	case propLookAhead:
		ahead := d.lookAhead(q.Path, f)
		q.OwnLookAhead = &ahead
	case propBackoff, propBackoffDelay:
	default:
		if reserved(f.name) {
			d.unknownProperty(q.Path, f)
		}
	}
}

// reserved reports whether a name is reserved for properties with an effect in the scheduler. All others are for policies.
func reserved(name string) bool {
	first, _, ok := strings.Cut(name, ".")
	if !ok {
		return false
	}
	switch first {
	case "application", "ask", "fairness", "gang", "preemption", "priority", "queue", "quota", "reservation", "walltime", "window":
		return true
	}
	return false
}

// known reports whether a property has an effect in the scheduler.
func known(name string) bool {
	switch name {
	case propAppSort, propPrioritySort, propBackoff, propBackoffDelay, propAskSort, propQueueSort, propPriorityPolicy, propPriorityOffset,
		propPreemptionPolicy, propPreemptionDelay, propPatience, propIntraQueue, propGangs, propSurplus, propQuotaDelay, propReservationDelay,
		propAccumulateAfter, propAccumulateFor, propWalltimeDefault, propWalltimeMax, propWalltimeOverrun, propHalfLife, propLookAhead,
		propMinRuntime, propMinRuntimeMax, propMinRuntimeRequired, propBudget:
		return true
	}
	return false
}

// choice reads a value that must be one of a few words, regardless of case. For an invalid value, it adds an error and returns the first.
func (d *decoder) choice(queue string, f *field, words ...string) string {
	for _, w := range words {
		if strings.EqualFold(f.value.text, w) {
			return w
		}
	}
	d.add(f.value.at, queue, f.name, oneOf(words...), f.value.found())
	return words[0]
}

// policy reads the name of a policy: a built-in, regardless of case, or a loaded module, as written or in lower case.
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

// preemptionPolicy reads preemption.policy. It has no effect on root, and cannot enable preemption that an ancestor disables.
func (d *decoder) preemptionPolicy(q *Queue, f *field) {
	policy := d.choice(q.Path, f, PreemptionDefault, PreemptionFence, PreemptionDisabled)
	if !q.isRoot() && q.PreemptionPolicy != PreemptionDisabled {
		q.PreemptionPolicy = policy
	}
}

// inherit computes the properties in force. Equal maps are shared, since most queues set few properties.
func (q *Queue) inherit(s *scope) {
	q.Inherited = q.Properties
	if s.above == nil || len(s.above.inheritable) == 0 {
		return
	}
	above := s.above.inheritable
	if len(q.Properties) == 0 {
		q.Inherited = above
		return
	}
	q.Inherited = maps.Clone(above)
	maps.Copy(q.Inherited, q.Properties)
	if policy, ok := above[propPreemptionPolicy]; ok {
		q.Inherited[propPreemptionPolicy] = policy // inherited only if disabled, which no queue below can undo
	}
}

// inheritableFrom returns the properties that the children of a queue inherit: all except those that apply to the queue alone.
func inheritableFrom(q *Queue) map[string]string {
	keep := func(name, text string) bool {
		switch name {
		case propPriorityPolicy, propPriorityOffset, propBudget:
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
