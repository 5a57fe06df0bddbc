package features

import "github.com/quern-project/quern/core"

// What may be given and happen. Handlers take what the form leaves open, in its order.

func configurationSteps() []Step {
	return []Step{
		{topicQueues, `the queues[ of partition {name}]:`, "the whole tree, a line a queue: columns queue, guaranteed, max, maxapplications, parent, submitacl, adminacl, " +
			"template guaranteed, template max, template maxapplications, template properties, and properties",
			func(w *world) any { return w.queues }},
		{topicQueues, `the placement rules[ of partition {name}]:`, "all of them, in order, a line a rule: columns rule, value, create, filter, users, groups; " +
			"the rule `parent tag` is the parent of the rule in the line before it",
			func(w *world) any { return w.placementRules }},
		{topicQueues, `the limits[ of partition {name}]:`, "the limits of all queues, a line a limit: columns queue, users, groups, max, maxapplications",
			func(w *world) any { return w.limits }},
		{topicQueues, `nodes are sorted by {word}[ with weights {resources}][ in partition {name}]`, "the partition's node order, fair or binpacking, and its weights",
			func(w *world) any { return w.nodeOrder }},
		{topicQueues, `preemption is {on|off|observed}[ in partition {name}]`, "of the whole partition: on, without guarantees, or victims are reported and not preempted",
			func(w *world) any { return w.preemption }},
		{topicQueues, `preemption by quota is {on|off}[ in partition {name}]`,
			"of the whole partition: queues over their max lose the excess after quota.preemption.delay",
			func(w *world) any { return w.quotaPreemption }},
		{topicQueues, `backfill has depth {number}[ and a horizon of {duration}][ in partition {name}]`,
			"of the whole partition: how many blocked asks get planned starts, and how far ahead",
			func(w *world) any { return w.backfill }},
		{topicQueues, `backfill has depth all[ and a horizon of {duration}][ in partition {name}]`,
			"of the whole partition: all blocked asks get planned starts",
			func(w *world) any {
				return func(horizon, partition string) error { return w.backfill("all", horizon, partition) }
			}},
		{topicQueues, `{name} is a type of devices[ with policy {word}]`, "nodes have particular devices of this type; an ask gets those that fit tightest, or by the policy loosest or first",
			func(w *world) any { return w.deviceType }},
		{topicQueues, `{name} is no type of devices any more`, "the same taken back",
			func(w *world) any { return w.noDeviceType }},
		{topicQueues, `the configuration:`, "a whole configuration as text; mark it toml where it is",
			func(w *world) any { return w.configText }},
		{topicQueues, `the configuration file {name}`, "a configuration file; a relative name is relative to the feature file",
			func(w *world) any { return w.configFile }},
		{topicQueues, `policy {name} is announced with the manifest:`, "a policy module exists from now on",
			func(w *world) any { return w.announcePolicy }},
		{topicQueues, `policy {name} is removed`, "a policy module no longer exists",
			func(w *world) any { return w.removePolicy }},
	}
}

func nodeSteps() []Step {
	return []Step{
		{topicCluster, `a node {name} with {resources}`, "a node and its capacity",
			func(w *world) any { return w.addNode }},
		{topicCluster, `the nodes:`, "nodes, a line each: columns node, capacity, occupied, attributes, schedulable, partition, devices (as in a journal, without quotes: gpu: {count: 4}), occupied devices",
			func(w *world) any { return w.addNodes }},
		{topicCluster, `node {name} is {drained|resumed|removed}`, "a node takes no new allocations, takes them again, or is removed",
			func(w *world) any { return w.changeNode }},
		{topicCluster, `the windows:`, "times at which nodes are reserved, a line a window: columns window, from, until, every, nodes, constraints, count, partition, and queues, users, groups (which it names)",
			func(w *world) any { return w.addWindows }},
		{topicCluster, `window {name} is removed`, "a window ends before its time",
			func(w *world) any { return func(id string) error { return w.byID(&core.RemoveWindow{ID: id}) } }},
		{topicCluster, `no node has {names}`, "resource types that asks and queues name on purpose, although no node has them",
			func(w *world) any { return w.noNodeHas }},
		{topicCluster, `node {name} is updated with {capacity|occupied|attributes|devices|occupied_devices} {text}`, "one field of a node, replaced as a whole",
			func(w *world) any { return w.updateNode }},
	}
}

func workSteps() []Step {
	return []Step{
		{topicWork, `an application {name} in {queue}`, "an application is submitted",
			func(w *world) any { return w.addApplication }},
		{topicWork, `the applications:`, "applications, a line each: columns application, queue, user, groups, tags, partition, placeholders (their sum), " +
			"gang style, placeholder timeout, gang disruption (unit, or member by default), succeeded (members of atomic gangs that had before: gang 2, other 1)",
			func(w *world) any { return w.addApplications }},
		{topicWork, `application {name} is moved to {queue}`, "an application continues in another queue, with its asks and allocations",
			func(w *world) any { return w.moveApplication }},
		{topicWork, `application {name} is removed`, "an application is removed, with its asks and allocations",
			func(w *world) any { return func(id string) error { return w.byID(&core.RemoveApp{ID: id}) } }},
		{topicWork, `{names} ask[s] in {queue}[ as user {name}] for {resources}[ with priority {number}]`, "an application with one ask, both of that name",
			func(w *world) any { return w.askAlone }},
		{topicWork, `{name} asks {names} for {resources}[ with priority {number}]`, "asks of an application, each for that much",
			func(w *world) any { return w.ask }},
		{topicWork, `the asks:`, "asks, a line each: columns ask, application (else the ask's name), queue, user, groups and partition " +
			"(which submit the application), resources, priority, node (the required one), constraints, predicate, task group, placeholder, originator, preempts others, " +
			"preemptable, gang (an atomic one), gang min, gang timeout, gang fallback, gang disruption, gang repair, topology required, topology preferred, topology slice (a size and a level: 4 rack), walltime, overrun (end or allow), devices (as in a journal, without quotes: gpu: {count: 2, share: 500m}), count (of asks x-1, x-2, …)",
			func(w *world) any { return w.asks }},
		{topicWork, `ask {name} now needs {resources}[ and has priority {number}]`, "a pending ask is updated",
			func(w *world) any { return w.updateAsk }},
		{topicWork, `ask {name} now wants devices {text}`, "of a pending ask, as in a journal, without quotes: gpu: {count: 2, share: 500m}",
			func(w *world) any { return w.changeWish }},
		{topicWork, `ask {name} now has priority {number}`, "a pending ask is updated",
			func(w *world) any { return func(id, priority string) error { return w.updateAsk(id, "", priority) } }},
		{topicWork, `{names} now {has|have} walltime {duration}`, "of asks or allocations: how long each promises to run at most",
			func(w *world) any { return w.setWalltime }},
		{topicWork, `{name} now asks not to be preempted`, "of an ask or an allocation",
			func(w *world) any { return func(id string) error { return w.protect(id, true) } }},
		{topicWork, `{name} may be preempted again`, "the same taken back",
			func(w *world) any { return func(id string) error { return w.protect(id, false) } }},
		{topicWork, `{names} {is|are} ending`, "of allocations that leave by themselves: they are released soon",
			func(w *world) any { return w.ending }},
		{topicWork, `ask {name} is removed`, "a pending ask is withdrawn",
			func(w *world) any { return func(id string) error { return w.byID(&core.RemoveAsk{ID: id}) } }},
		{topicWork, `{names} {is|are} released`, "allocations end: their work is done",
			func(w *world) any { return w.release }},
		{topicWork, `{names} fail[s]`, "allocations end, and their work is not done",
			func(w *world) any { return w.fail }},
		{topicWork, `{name} has {names} for {resources} restored on {name}[ with priority {number}]`, "allocations of an application that exist already",
			func(w *world) any { return w.restoreAllocations }},
		{topicWork, `the allocations:`, "allocations that exist already, a line each: columns allocation, application (else the allocation's name), queue, user, " +
			"groups and partition (which submit the application), resources, on (the node), priority, required node, task group, placeholder, originator, preemptable, " +
			"gang, gang min, gang timeout, gang fallback, gang disruption, gang repair, topology required, topology preferred, topology slice, walltime, overrun, min runtime, since (when it was made), devices, placed devices (gpu: [0, 3]), count",
			func(w *world) any { return w.allocations }},
		{topicWork, `victims leave at once and ask again`, "from now on, as with a ReplicaSet: victim x asks again as x-again",
			func(w *world) any { return w.replaceVictims }},
	}
}

func timeSteps() []Step {
	return []Step{
		{topicTime, `{duration} pass[es]`, "time passes, with a stop at every deadline",
			func(w *world) any { return w.pause }},
		{topicTime, `the cycle runs[ for at most {number} allocation[s]]`, "places what can be placed now: between the steps of a group, or by hand",
			func(w *world) any { return w.runCycle }},
		{topicTime, `the scheduler is stepped by hand`, "from now on the cycle runs only when a step says so",
			func(w *world) any { return w.stepByHand }},
		{topicTime, `the scheduler is restored from a snapshot`, "another scheduler continues from the state of this one",
			func(w *world) any { return w.restore }},
	}
}
