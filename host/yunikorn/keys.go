package yunikorn

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
	for _, keys := range [][]Key{fileKeys(), partitionKeys(), queueKeys(), propertyKeys(), ruleKeys(), limitKeys()} {
		all = append(all, keys...)
	}
	return all
}

func fileKeys() []Key {
	return []Key{
		{config.InFile, "partitions", Same, "", "", nil},
		{config.InFile, "checksum", Same, "", "", nil},
	}
}

func partitionKeys() []Key {
	in := config.InPartition
	return []Key{
		{in, "name", Same, "", "", nil},
		{in, "queues", Same, "", "", nil},
		{in, "nodesortpolicy.type", Same, "", "", nil},
		{in, "nodesortpolicy.resourceweights", Stricter, "any decimals", "three decimals at most, none negative, not all of them zero", nil},
		{in, "preemption.enabled", Same, "", "", nil},
		{in, "preemption.observe", HereOnly, "", "", nil},
		{in, "preemption.quotapreemptionenabled", Different, "a round may stop before the queue is back at its max",
			"a round goes on until the queue is back at its max or would go below a guaranteed, takes no needless victim, and is repeated after a change", isTrue},
		{in, "placementrules", Different, "the application is rejected when the queue that a rule yields cannot be used",
			"the next rule is tried, whatever the reason; the rejection lists every rule", severalRules},
		{in, "limits", Different, "usage that was counted may be lost when a reload changes limits", "usage is worked out anew from the allocations at each reload", always},
		{in, "usergroupresolver.type", Same, "", "", nil},
	}
}

func queueKeys() []Key {
	in := config.InQueue
	return []Key{
		{in, "name", Stricter, "@recovery@ may stand below root", "@recovery@ below root is reserved", nil},
		{in, "parent", Same, "", "", nil},
		{in, "resources.guaranteed", Stricter, "amounts are rounded", "an amount that is no whole number of stored units is an error", nil},
		{in, "resources.max", Stricter, "amounts are rounded", "an amount that is no whole number of stored units is an error", nil},
		{in, "maxapplications", Same, "", "", nil},
		{in, "properties", Stricter, "unknown names are ignored", "an unknown name that begins like a known one (application., priority., preemption. …) is an error", nil},
		{in, "submitacl", Different, "a queue without a list, and without one above, is open to nobody",
			"a partition in which no queue has a list is open to everybody; one list anywhere closes all others, as there", nil}, // told of a partition, not of a use,
		{in, "adminacl", Different, "as submitacl", "as submitacl", nil},
		{in, "childtemplate.maxapplications", Same, "", "", nil},
		{in, "childtemplate.resources.guaranteed", Same, "", "", nil},
		{in, "childtemplate.resources.max", Same, "", "", nil},
		{in, "childtemplate.properties", Same, "", "", nil},
		{in, "limits", Different, "usage that was counted may be lost when a reload changes limits", "usage is worked out anew from the allocations at each reload", always},
		{in, "queues", Same, "", "", nil},
	}
}

func propertyKeys() []Key {
	in := config.InProperties
	return []Key{
		{in, "application.sort.policy", Different, "stateaware is another name of fifo", "stateaware starts one application at a time", valueIs("stateaware")},
		{in, "application.sort.priority", Different, "disabled leaves priority as the last sort key", "disabled: priority is not looked at", valueIs("disabled")},
		{in, "application.unschedasks.backoff", Different, "an application that cannot be placed is left alone for a while",
			"the key has no effect: an ask that cannot be placed costs nothing", always},
		{in, "application.unschedasks.backoff.delay", Different, "an application that cannot be placed is left alone for this long", "the key has no effect: an ask that cannot be placed costs nothing", always},
		{in, "priority.policy", Same, "", "", nil},
		{in, "priority.offset", Same, "", "", nil},
		{in, "preemption.policy", Different, "disabled counts until a queue below sets another value", "disabled cannot be undone below", valueIs("disabled")},
		{in, "preemption.delay", Same, "", "", nil},
		{in, "preemption.intra-queue", HereOnly, "", "", nil},
		{in, "queue.sort.policy", HereOnly, "", "", nil},
		{in, "ask.sort.policy", HereOnly, "", "", nil},
		{in, "reservation.delay", HereOnly, "", "", nil},
		{in, "quota.preemption.delay", Same, "", "", nil},
	}
}

func ruleKeys() []Key {
	in := config.InRule
	return []Key{
		{in, "name", Same, "", "", nil},
		{in, "create", Same, "", "", nil},
		{in, "value", Stricter, "the queue of a fixed rule is looked up when an application comes", "the queue of a fixed rule is held against the tree when the file is read", nil},
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
		{in, "groups", Different, "which group counts for a user of several depends on the order of a map, and may change with a restart",
			"the group that is configured first in the queue, from the leaf to root, counts", severalGroups},
		{in, "maxresources", Same, "", "", nil},
		{in, "maxapplications", Same, "", "", nil},
	}
}
