// Package podstate holds the states of a pod between the API server and the scheduler, the events that change them, and the table of
// transitions.
//
// It guarantees that a pair of state and event which the table does not list leaves the state as it is and is reported. A test walks all pairs and
// compares them with testdata/transitions.txt. host/kube/manager uses it for each pod that it follows.
package podstate

// State is what the scheduler has of a pod, and what is under way for the pod.
type State uint8

// The states. In those from Asking on, the scheduler has an ask or an allocation of the pod; in those from Allocated on, an allocation.
const (
	Absent    State = iota // the scheduler has nothing of the pod: it has ended, is foreign, pauses, or was not looked at yet
	Held                   // the pod waits and does not ask, for a reason that its conditions give
	Condemned              // the pod waits and has to fail
	Failing                // the API server was asked to fail the pod
	Duplicate              // the scheduler refused an ask because it has one of this name, which the manager does not know
	Asking                 // the scheduler has an ask
	Allocated              // the scheduler has decided on a node; the outcome of the binding is not known
	Bound                  // the pod has the node of its allocation
	Evicting               // the pod was preempted, or its gang has ended, and it has to end
	Ending                 // the pod is deleted, and the scheduler knows that its room comes back
	states
)

// Event is something that happens to a pod.
type Event uint8

// The events.
const (
	AskSent            Event = iota // an ask is in the next request to the scheduler
	AllocationSent                  // an allocation that the API server knows is in the next request
	AllocationDecided               // the scheduler has chosen a node
	BindingDone                     // the API server has bound the pod
	EvictionDecided                 // the scheduler has the pod end
	DeletionSent                    // the next request says that the pod is deleted
	Withdrawn                       // the next request removes ask and allocation
	Released                        // the scheduler has removed what it had
	Refused                         // the scheduler has refused the ask or the allocation
	DuplicateReported               // the reason was an ask of the same name
	HoldDecided                     // a look at the pod found a reason not to ask
	HoldReconsidered                // another look begins
	FailureDecided                  // the gang of the pod was not placed in time
	FailureSent                     // the API server is asked to fail the pod
	FailureNotRecorded              // the API server has not done so
	Recreated                       // another pod of the same name has taken the place of this one
	events
)

// Known reports whether the scheduler has an ask or an allocation of the pod.
func (s State) Known() bool { return s >= Asking }

// Placed reports whether the scheduler has an allocation of the pod.
func (s State) Placed() bool { return s >= Allocated }

// Waits reports whether the pod is one whose conditions say why it waits: it asks, or there is a reason why it does not.
func (s State) Waits() bool { return s == Held || s == Condemned || s == Failing || s == Asking }

// After returns the state after an event. If the table does not list the pair, the state is the same and ok is false.
func (s State) After(e Event) (next State, ok bool) {
	if s >= states || e >= events {
		return s, false
	}
	t := table[s][e]
	if !t.possible {
		return s, false
	}
	return t.to, true
}

var stateNames = [states]string{"absent", "held", "condemned", "failing", "duplicate", "asking", "allocated", "bound", "evicting", "ending"}

func (s State) String() string {
	if s >= states {
		return "unknown state"
	}
	return stateNames[s]
}

var eventNames = [events]string{"ask sent", "allocation sent", "allocation decided", "binding done", "eviction decided", "deletion sent", "withdrawn", "released",
	"refused", "duplicate reported", "hold decided", "hold reconsidered", "failure decided", "failure sent", "failure not recorded", "recreated"}

func (e Event) String() string {
	if e >= events {
		return "unknown event"
	}
	return eventNames[e]
}
