package podstate

// rule lists states from which an event leads to another one.
type rule struct {
	on   Event
	from []State
	to   State
}

// rules are the events that change the state.
var rules = []rule{
	{AskSent, []State{Absent}, Asking},
	{AllocationSent, []State{Absent, Condemned, Failing}, Bound}, // a condemned pod may have been bound by someone else
	{AllocationDecided, []State{Asking}, Allocated},
	{BindingDone, []State{Allocated}, Bound},
	{EvictionDecided, []State{Allocated, Bound, Ending}, Evicting},
	{DeletionSent, []State{Allocated, Bound}, Ending},
	{Withdrawn, []State{Duplicate, Asking, Allocated, Bound, Evicting, Ending}, Absent},
	{Released, []State{Asking, Allocated, Bound, Evicting, Ending}, Absent},
	{Refused, []State{Asking, Allocated, Bound, Evicting, Ending}, Absent},
	{DuplicateReported, []State{Absent}, Duplicate},
	{HoldDecided, []State{Absent}, Held},
	{HoldReconsidered, []State{Held}, Absent},
	{FailureDecided, []State{Absent, Held}, Condemned},
	{FailureSent, []State{Condemned}, Failing},
	{FailureNotRecorded, []State{Failing}, Condemned},
	{Recreated, []State{Held, Condemned, Failing}, Absent}, // what the scheduler has of the pod before is withdrawn by the look that follows
}

// unchanged lists the states in which an event may happen and changes nothing.
var unchanged = []struct {
	on Event
	in []State
}{
	{BindingDone, []State{Bound, Evicting, Ending}},                                                                // the outcome arrives late
	{EvictionDecided, []State{Evicting}},                                                                           // preempted again, for another ask
	{Released, []State{Absent, Held, Condemned, Failing, Duplicate}},                                               // the node of a pod that the scheduler does not have is gone
	{HoldReconsidered, []State{Absent, Condemned, Failing, Duplicate, Asking, Allocated, Bound, Evicting, Ending}}, // every look begins with it
	{FailureDecided, []State{Condemned, Failing, Allocated, Bound, Evicting, Ending}},                              // the first reason counts; a pod with a node goes on
	{FailureNotRecorded, []State{Absent, Bound, Evicting, Ending}},                                                 // the pod has been bound meanwhile
	{Recreated, []State{Absent, Duplicate, Asking, Allocated, Bound, Evicting, Ending}},
}

type transition struct {
	to       State
	possible bool
}

var table = tabulate()

// tabulate writes the rules as a table. Two rules for one pair are a mistake in this file.
func tabulate() (t [states][events]transition) {
	set := func(s State, e Event, to State) {
		if t[s][e].possible {
			panic("podstate: two rules for " + s.String() + ", " + e.String())
		}
		t[s][e] = transition{to, true}
	}
	for _, r := range rules {
		for _, s := range r.from {
			set(s, r.on, r.to)
		}
	}
	for _, u := range unchanged {
		for _, s := range u.in {
			set(s, u.on, s)
		}
	}
	return t
}
