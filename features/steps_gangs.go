package features

// The steps of gangs and of preemption by quota.

func gangSteps() []Step {
	return []Step{
		{topicGangs, `a gang {name} in {queue} with placeholders for {resources}[ and a timeout of {duration}]`,
			"a gang application with that sum of placeholders is submitted",
			func(w *world) any { return w.addGang }},
		{topicGangs, `{name} asks placeholder[s] {names} of group {name} for {resources}[ with priority {number}]`,
			"placeholders of a task group, each for that much",
			func(w *world) any { return w.askPlaceholders }},
		{topicGangs, `{name} asks {names} of group {name} for {resources}[ with priority {number}]`, "real asks of a task group, each for that much",
			func(w *world) any { return w.askTasks }},
		{topicGangs, `{name} asks {names} in gang {name} of at least {number} for {resources}[ with priority {number}]`,
			"members of an atomic gang, each for that much",
			func(w *world) any { return w.askMembers }},
	}
}

func gangFateSteps() []Step {
	return []Step{
		{topicGangFate, `{name} is replaced by {name}[ on {name}]`,
			"since the last When began the placeholder was told to leave for the ask, which lands on that node",
			func(w *world) any { return then3(w, w.replaced) }},
		{topicGangFate, `the quota of {queue} preempts {names}`, "exactly these since the last When began, in order of allocation",
			func(w *world) any { return then2(w, w.quotaPreempts) }},
	}
}
