package yunikornconfig

import "github.com/quern-project/quern/core/config"

// Standing says how a key here compares with the key there.
type Standing string

// The standings.
const (
	Same      Standing = "same"
	Stricter  Standing = "stricter"
	Different Standing = "different"
	HereOnly  Standing = "here only"
)

// Key compares one key of the configuration.
type Key struct {
	Where, Key  string // as config.Keys has them
	Standing    Standing
	There, Here string // what it does in YuniKorn and what it does here, where that differs
	tell        telling
}

// telling reports whether the difference shows with a use of the key; nil: never. What is stricter
// shows as an error.
type telling func(u *use) bool

// Keys compares every key of the configuration, in the order of config.Keys.
func Keys() []Key {
	var all []Key
	for _, keys := range [][]Key{fileKeys(), partitionKeys(), queueKeys(), propertyKeys(), ruleKeys(), limitKeys(), levelKeys(), windowKeys(), deviceKeys()} {
		all = append(all, keys...)
	}
	return all
}

func fileKeys() []Key {
	return []Key{
		{config.InFile, "partitions", Same, "", "", nil},
		{config.InFile, "devices", HereOnly, "", "", nil},
		{config.InFile, "checksum", Same, "", "", nil},
	}
}

func partitionKeys() []Key {
	in := config.InPartition
	return []Key{
		{in, "name", Same, "", "", nil},
		{in, "queues", Same, "", "", nil},
		{in, "nodesortpolicy.type", Same, "", "", nil},
		{in, "nodesortpolicy.resourceweights", Stricter, "any number of decimals", "at most three decimals; no negative weight; at least one above zero", nil},
		{in, "preemption.enabled", Same, "", "", nil},
		{in, "preemption.observe", HereOnly, "", "", nil},
		{in, "preemption.quotapreemptionenabled", Different, "a round may stop before the queue is back at its max",
			"a round ends when the queue is back at its max or would fall below a guarantee; it preempts no more than needed, and is repeated after a change", isTrue},
		{in, "placementrules", Different, "the application is rejected if the queue from a rule cannot be used",
			"the next rule is tried, whatever the reason; a rejection lists every rule", severalRules},
		{in, "limits", Different, "the recorded usage may be lost when a reload changes limits", "usage is recomputed from the allocations at each reload", always},
		{in, "topology", HereOnly, "", "", nil},
		{in, "windows", HereOnly, "", "", nil},
		{in, "window.unbounded", HereOnly, "", "", nil},
		{in, "backfill.depth", HereOnly, "", "", nil},
		{in, "backfill.horizon", HereOnly, "", "", nil},
		{in, "usergroupresolver.type", Same, "", "", nil},
	}
}

func queueKeys() []Key {
	in := config.InQueue
	return []Key{
		{in, "name", Stricter, "@recovery@ may stand below root", "@recovery@ below root is reserved", nil},
		{in, "parent", Same, "", "", nil},
		{in, "resources.guaranteed", Stricter, "amounts are rounded", "an amount that is not a whole number of stored units is an error", nil},
		{in, "resources.max", Stricter, "amounts are rounded", "an amount that is not a whole number of stored units is an error", nil},
		{in, "maxapplications", Same, "", "", nil},
		{in, "properties", Stricter, "unknown names are ignored", "an unknown name with the prefix of a known one (application., priority., preemption. …) is an error", nil},
		{in, "submitacl", Different, "a queue without a list, and without one above it, admits no users",
			"a partition in which no queue has a list admits all users; with one list anywhere, queues without a list admit none, as in YuniKorn", nil}, // told of a partition, not of a use,
		{in, "adminacl", Different, "as submitacl", "as submitacl", nil},
		{in, "childtemplate.maxapplications", Same, "", "", nil},
		{in, "childtemplate.resources.guaranteed", Same, "", "", nil},
		{in, "childtemplate.resources.max", Same, "", "", nil},
		{in, "childtemplate.properties", Same, "", "", nil},
		{in, "limits", Different, "the recorded usage may be lost when a reload changes limits", "usage is recomputed from the allocations at each reload", always},
		{in, "queues", Same, "", "", nil},
	}
}

func propertyKeys() []Key {
	in := config.InProperties
	return []Key{
		{in, "application.sort.policy", Different, "stateaware means fifo", "stateaware starts one application at a time", valueIs("stateaware")},
		{in, "application.sort.priority", Different, "disabled leaves priority as the last sort key", "disabled: priority is ignored", valueIs("disabled")},
		{in, "application.unschedasks.backoff", Different, "the scheduler skips an application for a while if its asks cannot be placed",
			"the key has no effect: an ask that cannot be placed costs nothing", always},
		{in, "application.unschedasks.backoff.delay", Different, "the scheduler skips an application for this time if its asks cannot be placed", "the key has no effect: an ask that cannot be placed costs nothing", always},
		{in, "priority.policy", Same, "", "", nil},
		{in, "priority.offset", Same, "", "", nil},
		{in, "preemption.policy", Different, "disabled applies until a queue below sets another value", "a queue below cannot undo disabled", valueIs("disabled")},
		{in, "preemption.delay", Same, "", "", nil},
		{in, "preemption.intra-queue", HereOnly, "", "", nil},
		{in, "preemption.gangs", HereOnly, "", "", nil},
		{in, "preemption.surplus", HereOnly, "", "", nil},
		{in, "preemption.min-runtime", HereOnly, "", "", nil},
		{in, "preemption.min-runtime.max", HereOnly, "", "", nil},
		{in, "preemption.min-runtime.required", HereOnly, "", "", nil},
		{in, "preemption.budget", HereOnly, "", "", nil},
		{in, "queue.sort.policy", HereOnly, "", "", nil},
		{in, "ask.sort.policy", HereOnly, "", "", nil},
		{in, "preemption.patience", HereOnly, "", "", nil},
		{in, "reservation.delay", HereOnly, "", "", nil},
		{in, "gang.accumulate-after", HereOnly, "", "", nil},
		{in, "gang.accumulate-for", HereOnly, "", "", nil},
		{in, "walltime.default", HereOnly, "", "", nil},
		{in, "walltime.max", HereOnly, "", "", nil},
		{in, "walltime.overrun", HereOnly, "", "", nil},
		{in, "fairness.half-life", HereOnly, "", "", nil},
		{in, "fairness.look-ahead", HereOnly, "", "", nil},
		{in, "quota.preemption.delay", Same, "", "", nil},
	}
}

func ruleKeys() []Key {
	in := config.InRule
	return []Key{
		{in, "name", Same, "", "", nil},
		{in, "create", Same, "", "", nil},
		{in, "value", Stricter, "the queue of a fixed rule is checked when an application is submitted", "the queue of a fixed rule is checked when the file is read", nil},
		{in, "parent", Same, "", "", nil},
		{in, "filter.type", Same, "", "", nil},
		{in, "filter.users", Stricter, "an expression of any length; an invalid name is skipped", "an expression of at most 256 bytes; an invalid name is an error", nil},
		{in, "filter.groups", Stricter, "as users", "as users", nil},
	}
}

func limitKeys() []Key {
	in := config.InLimit
	return []Key{
		{in, "limit", Same, "", "", nil},
		{in, "users", Same, "", "", nil},
		{in, "groups", Different, "for a user in several groups, the group that counts depends on the order of a map and may change with a restart",
			"the group that is configured first counts, from the leaf to root", severalGroups},
		{in, "maxresources", Same, "", "", nil},
		{in, "maxapplications", Same, "", "", nil},
	}
}

func levelKeys() []Key {
	in := config.InLevel
	return []Key{
		{in, "level", HereOnly, "", "", nil},
		{in, "attribute", HereOnly, "", "", nil},
	}
}

func windowKeys() (list []Key) {
	for _, doc := range config.Keys() {
		if doc.Where == config.InWindow {
			list = append(list, Key{doc.Where, doc.Key, HereOnly, "", "", nil})
		}
	}
	return list
}

func deviceKeys() []Key {
	return []Key{{config.InDevices, "policy", HereOnly, "", "", nil}}
}
