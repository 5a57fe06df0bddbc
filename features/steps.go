package features

import (
	"fmt"
	"io"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
)

// Step is one sentence that a scenario may use.
type Step struct {
	Topic string
	Form  string // as people write it; what stands in braces is filled in, what stands in brackets may be left out
	Doc   string // one line
	bind  func(*world) any
}

// Topics of the vocabulary, in the order of a scenario.
const (
	topicQueues  = "Configuration"
	topicCluster = "Nodes"
	topicWork    = "Applications and asks"
	topicTime    = "Time and the cycle"
	topicAsks    = "Then: what became of asks"
	topicDecided = "Then: decisions"
	topicState   = "Then: state"
	topicWhy     = "Then: explanations"
)

// then wraps the handler of an expectation, so that a failure shows what was decided.
func then1[A any](w *world, f func(A) error) any {
	return func(a A) error { return w.told(f(a)) }
}

func then2[A, B any](w *world, f func(A, B) error) any {
	return func(a A, b B) error { return w.told(f(a, b)) }
}

func then3[A, B, C any](w *world, f func(A, B, C) error) any {
	return func(a A, b B, c C) error { return w.told(f(a, b, c)) }
}

// Vocabulary is every sentence there is, in the order of the documentation.
func Vocabulary() []Step {
	return []Step{
		{topicQueues, `the queues:`, "the whole tree, a line a queue: columns queue, guaranteed, max, maxapplications, parent, and any property",
			func(w *world) any { return w.queues }},
		{topicQueues, `nodes are sorted by {word}[ with weights {resources}]`, "the partition's node order, fair or binpacking, and its weights",
			func(w *world) any { return w.nodeOrder }},
		{topicQueues, `the configuration:`, "a whole configuration as text; mark it toml where it is",
			func(w *world) any { return w.configText }},
		{topicQueues, `policy {name} is announced with the manifest:`, "a policy module exists from now on",
			func(w *world) any { return w.announcePolicy }},
		{topicQueues, `policy {name} is removed`, "a policy module exists no more",
			func(w *world) any { return w.removePolicy }},

		{topicCluster, `a node {name} with {resources}`, "a node and its capacity",
			func(w *world) any { return w.addNode }},
		{topicCluster, `the nodes:`, "nodes, a line each: columns node, capacity, occupied, attributes, schedulable",
			func(w *world) any { return w.addNodes }},
		{topicCluster, `node {name} is {drained|resumed|removed}`, "a node takes nothing new, takes again, or is gone",
			func(w *world) any { return w.changeNode }},
		{topicCluster, `node {name} is updated with {capacity|occupied|attributes} {text}`, "one field of a node, replaced as a whole",
			func(w *world) any { return w.updateNode }},

		{topicWork, `an application {name} in {queue}`, "an application is submitted",
			func(w *world) any { return w.addApplication }},
		{topicWork, `the applications:`, "applications, a line each: columns application, queue, user, tags",
			func(w *world) any { return w.addApplications }},
		{topicWork, `application {name} is removed`, "an application is taken away, with all it has",
			func(w *world) any { return func(id string) error { return w.byID(core.AppRemove, id) } }},
		{topicWork, `{names} ask[s] in {queue} for {resources}[ with priority {number}]`, "an application with one ask, both of that name",
			func(w *world) any { return w.askAlone }},
		{topicWork, `{name} asks {names} for {resources}[ with priority {number}]`, "asks of an application, each for that much",
			func(w *world) any { return w.ask }},
		{topicWork, `the asks:`, "asks, a line each: columns ask, application (else the ask's name), queue (submits the application), resources, " +
			"priority, node (the required one), constraints, predicate, task group, placeholder, count (of asks x-1, x-2, …)",
			func(w *world) any { return w.asks }},
		{topicWork, `ask {name} now needs {resources}[ and has priority {number}]`, "a pending ask is updated",
			func(w *world) any { return w.updateAsk }},
		{topicWork, `ask {name} now has priority {number}`, "a pending ask is updated",
			func(w *world) any { return func(id, priority string) error { return w.updateAsk(id, "", priority) } }},
		{topicWork, `ask {name} is removed`, "a pending ask is withdrawn",
			func(w *world) any { return func(id string) error { return w.byID(core.AskRemove, id) } }},
		{topicWork, `{names} {is|are} released`, "allocations end",
			func(w *world) any { return w.release }},
		{topicWork, `{name} has {names} for {resources} restored on {name}[ with priority {number}]`, "allocations of an application that exist already",
			func(w *world) any { return w.restoreAllocations }},

		{topicTime, `{duration} pass[es]`, "time goes by, stopping at every deadline on the way",
			func(w *world) any { return w.pause }},
		{topicTime, `the cycle runs[ for at most {number} allocation[s]]`, "places what can be placed now, in the middle of a group or by hand",
			func(w *world) any { return w.runCycle }},
		{topicTime, `the scheduler is stepped by hand`, "from now on the cycle runs only when a step says so",
			func(w *world) any { return w.stepByHand }},
		{topicTime, `the scheduler is restored from a snapshot`, "another scheduler goes on from the state of this one",
			func(w *world) any { return w.restore }},

		{topicAsks, `{names} {is|are} allocated[ on {name}]`, "asks have their place",
			func(w *world) any { return then3(w, w.allocated) }},
		{topicAsks, `{names} wait[s]`, "asks are pending",
			func(w *world) any { return then1(w, w.wait) }},
		{topicAsks, `{names} {is|are} allocated in this order`, "all allocations since the last When began, in order",
			func(w *world) any { return then2(w, w.allocatedInOrder) }},
		{topicAsks, `nothing is allocated`, "no allocation since the last When began",
			func(w *world) any { return func() error { return w.told(w.noDecision(string(core.Allocation))) } }},
		{topicAsks, `{name} is rejected because of {word}`, "a node, application or ask is refused, with this reason code",
			func(w *world) any { return then2(w, w.rejected) }},
		{topicAsks, `the {word} of {name} is ignored because of {word}`, "an input such as ask.remove has no effect, with this reason code",
			func(w *world) any { return then3(w, w.ignored) }},

		{topicDecided, `the decisions are:`, "exactly these since the last When began; columns as in the journal; an empty cell is not looked at",
			func(w *world) any {
				return func(t *godog.Table) error { return w.told(w.decisionsAre("", t)) }
			}},
		{topicDecided, `the {word} decisions are:`, "exactly these of one type since the last When began",
			func(w *world) any { return then2(w, w.decisionsAre) }},
		{topicDecided, `the decisions include:`, "these since the last When began, in this order, others in between",
			func(w *world) any { return then1(w, w.decisionsInclude) }},
		{topicDecided, `there is no {word} decision`, "none of this type since the last When began",
			func(w *world) any { return then1(w, w.noDecision) }},
		{topicDecided, `nothing is decided`, "no decision at all since the last When began",
			func(w *world) any { return func() error { return w.told(w.nothingDecided()) } }},
		{topicDecided, `the configuration is accepted`, "the last one sent, without warnings",
			func(w *world) any { return func() error { return w.told(w.configAccepted()) } }},
		{topicDecided, `the configuration is accepted with the warnings:`, "exactly these: columns queue, key",
			func(w *world) any { return then1(w, w.configWarned) }},
		{topicDecided, `the configuration is refused with:`, "exactly these errors: columns line, queue, key, expected, found",
			func(w *world) any { return then1(w, w.configRefused) }},

		{topicState, `the {queues|nodes|applications|asks} show:`, "these things stand like this; the first column names them; an empty cell is not looked at",
			func(w *world) any { return then2(w, w.show) }},
		{topicState, `application {name} is {New|Accepted|Starting|Running|Completing|Completed|Failed|Expired}`, "its state",
			func(w *world) any { return then2(w, w.applicationIs) }},
		{topicState, `{queue|node|application|ask} {name} is gone`, "the scheduler knows it no more",
			func(w *world) any { return then2(w, w.gone) }},

		{topicWhy, `{ask|application} {name} is explained by:`, "lines of its explanation: a name and what it says",
			func(w *world) any { return then3(w, w.explained) }},
		{topicWhy, `queue {name} is explained by:`, "lines of a queue's explanation",
			func(w *world) any { return then2(w, w.queueExplained) }},
		{topicWhy, `there is no explanation of {ask|application|queue} {name}`, "it is unknown",
			func(w *world) any { return then2(w, w.unexplained) }},
	}
}

// PrintSteps lists the vocabulary, a sentence and its line of documentation.
func PrintSteps(out io.Writer) error {
	topic := ""
	for _, s := range Vocabulary() {
		if s.Topic != topic {
			topic = s.Topic
			if _, err := fmt.Fprintf(out, "\n%s\n", topic); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(out, "  %s\n      %s\n", s.Form, s.Doc); err != nil {
			return err
		}
	}
	return nil
}
