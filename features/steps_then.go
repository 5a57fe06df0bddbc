package features

// What may be expected.

func fateSteps() []Step {
	return []Step{
		{topicAsks, `{names} {is|are} allocated[ on {name}]`, "asks are allocated",
			func(w *world) any { return then3(w, w.allocated) }},
		{topicAsks, `{name} gets the devices {text}`, "of an allocation: exactly these, in the order in which they were chosen: gpu/0, gpu/3",
			func(w *world) any { return then2(w, w.getsDevices) }},
		{topicAsks, `{names} wait[s]`, "asks are pending",
			func(w *world) any { return then1(w, w.wait) }},
		{topicAsks, `{names} {is|are} allocated in this order`, "all allocations since the last When began, in order",
			func(w *world) any { return then2(w, w.allocatedInOrder) }},
		{topicAsks, `nothing is allocated`, "no allocation since the last When began",
			func(w *world) any { return then0(w, w.nothingAllocated) }},
		{topicAsks, `{name} preempts {names}[ on {name}]`, "exactly these since the last When began, in order of allocation",
			func(w *world) any { return then3(w, w.preempts) }},
		{topicAsks, `no allocation is preempted`, "no preemption since the last When began",
			func(w *world) any { return then0(w, w.nothingPreempted) }},
		{topicAsks, `{number} allocation[s] {is|are} preempted`, "this number since the last When began",
			func(w *world) any { return then2(w, w.preempted) }},
		{topicAsks, `{name} is rejected because of {word}`, "a node, application or ask is refused, with this reason code",
			func(w *world) any { return then2(w, w.rejected) }},
		{topicAsks, `the {word} of {name} is ignored because of {word}`, "an input such as ask.remove has no effect, with this reason code",
			func(w *world) any { return then3(w, w.ignored) }},
	}
}

func decisionSteps() []Step {
	return []Step{
		{topicDecided, `the decisions are:`, "exactly these since the last When began; columns as in the journal; an empty cell is not checked",
			func(w *world) any { return then1(w, w.allDecisionsAre) }},
		{topicDecided, `the {word} decisions are:`, "exactly these of one type since the last When began",
			func(w *world) any { return then2(w, w.decisionsAre) }},
		{topicDecided, `the decisions include:`, "these since the last When began, in this order, with others between them",
			func(w *world) any { return then1(w, w.decisionsInclude) }},
		{topicDecided, `there is no {word} decision`, "none of this type since the last When began",
			func(w *world) any { return then1(w, w.noDecision) }},
		{topicDecided, `nothing is decided`, "no decision at all since the last When began",
			func(w *world) any { return then0(w, w.nothingDecided) }},
		{topicDecided, `the configuration is accepted`, "the last one sent, without warnings",
			func(w *world) any { return then0(w, w.configAccepted) }},
		{topicDecided, `the configuration is accepted with the warnings:`, "exactly these: columns queue, key",
			func(w *world) any { return then1(w, w.configWarned) }},
		{topicDecided, `the configuration is refused with:`, "exactly these errors: columns line, queue, key, expected, found",
			func(w *world) any { return then1(w, w.configRefused) }},
	}
}

func stateSteps() []Step {
	return []Step{
		{topicState, `the {queues|nodes|applications|asks} show:`, "their state; the first column has their names; an empty cell is not checked",
			func(w *world) any { return then2(w, w.show) }},
		{topicState, `application {name} is {New|Accepted|Starting|Running|Resuming|Completing|Completed|Failing|Failed|Expired}`, "its state",
			func(w *world) any { return then2(w, w.applicationIs) }},
		{topicState, `{queue|node|application|ask} {name} is gone`, "the scheduler no longer has it",
			func(w *world) any { return then2(w, w.gone) }},
	}
}

func reasonSteps() []Step {
	return []Step{
		{topicWhy, `{ask|application} {name} is explained by:`, "lines of its explanation: a name and a value",
			func(w *world) any { return then3(w, w.explained) }},
		{topicWhy, `queue {name} is explained by:`, "lines of a queue's explanation",
			func(w *world) any { return then2(w, w.queueExplained) }},
		{topicWhy, `a max of {resources} for queue {name} would be explained by:`, "lines of what the queue would release: excess, victims, stays, reason, delay",
			func(w *world) any { return then3(w, w.maxExplained) }},
		{topicWhy, `applications would be placed like this:`, "a line for each application: columns user, groups, queue (that it names), tags, partition; " +
			"and for the result: placed in, rule, tried, creates, reason",
			func(w *world) any { return then1(w, w.wouldBePlaced) }},
		{topicWhy, `users may do this:`, "a line for each question: columns queue, user, groups; and for the answer: submit, admin (the list entry that allows it, or open)",
			func(w *world) any { return then1(w, w.mayDo) }},
		{topicWhy, `limits are used like this:`, "all that limits count, by queue, users before groups: columns queue, user or group, used, max, applications, maxapplications",
			func(w *world) any { return then1(w, w.limitsUsed) }},
		{topicWhy, `ask {name} would preempt:`, "exactly these, in order of allocation; columns victim, application, queue, priority, kind, originator, " +
			"opted out, common, seen, for seen, over",
			func(w *world) any { return then2(w, w.wouldPreempt) }},
		{topicWhy, `ask {name} fits after these moves:`, "exactly these, by node and then in order of allocation; columns allocation, from, to. For a member of a gang that waits, the whole gang fits",
			func(w *world) any { return then2(w, w.fitsAfter) }},
		{topicWhy, `no moves make room for ask {name}`, "nor for its gang, if it waits with one", func(w *world) any { return then1(w, w.fitsAfterNoMoves) }},
		{topicWhy, `the preemption of ask {name} is explained by:`, "lines of it: verdict, kind, due, node, victims, barred, short, laws, in the way, nodes, never, observed, next",
			func(w *world) any { return then2(w, w.preemptionExplained) }},
		{topicWhy, `victim {name} is explained by:`, "lines of its preemption: for, application, for queue, node, at, gone, with, entitled, " +
			"and the columns of the victims that an ask would preempt",
			func(w *world) any { return then2(w, w.victimExplained) }},
		{topicWhy, `there is no explanation of {ask|application|queue} {name}`, "it is unknown",
			func(w *world) any { return then2(w, w.unexplained) }},
	}
}
