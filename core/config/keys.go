package config

// The levels of keys.
const (
	InFile       = "file"
	InPartition  = "partition"
	InQueue      = "queue"
	InProperties = "properties"
	InRule       = "placement rule"
	InLimit      = "limit"
	InLevel      = "topology level"
	InWindow     = "window"
	InDevices    = "device type"
)

// Status is the effect of a key.
type Status string

// Effects of keys.
const (
	Works    Status = "works"
	NoEffect Status = "accepted, without effect"
)

// KeyDoc documents one key of the configuration.
type KeyDoc struct {
	Key       string // within its level
	Where     string // the level
	Type      string
	Default   string
	Inherited string // what children inherit; empty if nothing
	Effect    string
	Status    Status
}

// Keys returns the table of all keys. Errors list known keys from it, and a test compares the reference in docs/configure/configuration.md with it.
func Keys() []KeyDoc {
	var all []KeyDoc
	for _, keys := range [][]KeyDoc{fileKeys(), partitionKeys(), queueKeys(), propertyKeys(), ruleKeys(), limitKeys(), levelKeys(), windowKeys(), deviceKeys()} {
		all = append(all, keys...)
	}
	return all
}

func fileKeys() []KeyDoc {
	return []KeyDoc{
		{"partitions", InFile, "list of partitions", "", "", "The partitions. Nodes and applications that name no partition belong to the first.", Works},
		{"devices", InFile, "device types by name", "", "", "The types of resources of which nodes have particular devices, such as gpu. Their amounts have thousandths.", Works},
		{"checksum", InFile, "text", "", "", "Some tools append it as the last line; it has no effect.", NoEffect},
	}
}

func partitionKeys() []KeyDoc {
	return []KeyDoc{
		{"name", InPartition, "text", "default", "", "The name of the partition.", Works},
		{"queues", InPartition, "list of queues", "", "", "The queue tree, from root down. A list without root has the children of root.", Works},
		{"nodesortpolicy.type", InPartition, "fair, binpacking or a policy", "fair", "",
			"Which node comes first: the least utilised (fair) or the most utilised (binpacking).", Works},
		{"nodesortpolicy.resourceweights", InPartition, "decimals by resource type", "vcore: 1, memory: 1", "",
			"The weight of each type in the utilisation of a node, with at most three decimals.", Works},
		{"preemption.enabled", InPartition, "true or false", "true", "", "False: queues below their guarantee do not preempt. Preemption for required nodes and within a queue continues.", Works},
		{"preemption.observe", InPartition, "true or false", "false", "",
			"True: victims are chosen and reported as preemption.observed, but not preempted, whatever the value of enabled.", Works},
		{"preemption.quotapreemptionenabled", InPartition, "true or false", "false", "",
			"True: queues above a lowered max release allocations after quota.preemption.delay.", Works},
		{"placementrules", InPartition, "list of rules", "", "", "The rules that choose the queue of an application. The first rule that yields a usable queue applies.", Works},
		{"limits", InPartition, "list of limits", "", "", "The limits of root. If root has limits too, both must be the same.", Works},
		{"topology", InPartition, "list of levels", "", "", "The levels of domains that asks may name, from the widest to the narrowest. The level node always exists.", Works},
		{"windows", InPartition, "list of windows", "", "", "Times at which nodes are reserved for some users and queues, or for maintenance.", Works},
		{"window.unbounded", InPartition, "refuse or allow", unboundedRefuse, "",
			"Whether an ask without a walltime may be placed on a node before a window that does not name its application. Allow: it must leave when the window opens.", Works},
		{"backfill.depth", InPartition, "whole number or all", "0, off", "", "How many blocked asks get planned starts, which the asks behind them leave free.", Works},
		{"backfill.horizon", InPartition, "duration above 0", "168h", "", "How far ahead starts are planned.", Works},
		{"usergroupresolver.type", InPartition, "none, os, ldap or empty", "", "",
			"How the host finds the groups of a user. In a journal they come with each application.", NoEffect},
	}
}

func queueKeys() []KeyDoc {
	return []KeyDoc{
		{"name", InQueue, "1 to 64 of a-z A-Z 0-9 _ : # / @ -", "", "", "The name. Upper and lower case are the same; siblings need different names.", Works},
		{"parent", InQueue, "true or false", "false", "", "Makes a queue without children a parent. A queue with children always is a parent.", Works},
		{"resources.guaranteed", InQueue, "quantities by resource type", "nothing guaranteed", "",
			"The resources that the queue is entitled to before others. Not on root.", Works},
		{"resources.max", InQueue, "quantities by resource type", "unlimited", "",
			"The most that the queue may use. A type set to 0 cannot be used; a type that is left out has no limit. Not on root.", Works},
		{"maxapplications", InQueue, "whole number", "0, no bound", "", "How many applications may run in the queue and below it.", Works},
		{"properties", InQueue, "texts by name", "", "", "The properties listed below. Properties with other names are passed to policies.", Works},
		{"submitacl", InQueue, "*, or users and groups", "no users; all users if no queue has a list", "queues below add to it",
			"The users who may submit, joined by commas, then a space, then the groups. Either part may be *.", Works},
		{"adminacl", InQueue, "*, or users and groups", "as submitacl", "queues below add to it",
			"The users and groups that may administer the queue and submit to it, in the form of submitacl.", Works},
		{"childtemplate.maxapplications", InQueue, "whole number", "0, no bound", "", "The maxapplications of dynamic leaves below the queue.", Works},
		{"childtemplate.resources.guaranteed", InQueue, "quantities by resource type", "nothing guaranteed", "", "The guarantee of dynamic leaves.", Works},
		{"childtemplate.resources.max", InQueue, "quantities by resource type", "unlimited", "", "The max of dynamic leaves.", Works},
		{"childtemplate.properties", InQueue, "texts by name", "", "", "The properties of dynamic leaves.", Works},
		{"limits", InQueue, "list of limits", "", "", "Limits on what users and groups use in the queue and below it.", Works},
		{"queues", InQueue, "list of queues", "", "", "The children.", Works},
	}
}

func propertyKeys() []KeyDoc {
	return []KeyDoc{
		{propAppSort, InProperties, "fifo, fair, fair-users, stateaware or a policy", FIFO, "yes", "The order of applications in a leaf.", Works},
		{propPrioritySort, InProperties, "enabled or disabled", enabled, "disabled only",
			"Whether priority comes first when children or applications are ordered.", Works},
		{propBackoff, InProperties, "count", "0, off", "yes", "Not needed: an ask that cannot be placed costs no time.", NoEffect},
		{propBackoffDelay, InProperties, "duration", "30s", "yes", "Not needed, like the count that it belongs to.", NoEffect},
		{propPriorityPolicy, InProperties, "default or fence", "default", "",
			"Fence: the priority of the queue is its offset, whatever the priorities inside. No effect on root.", Works},
		{propPriorityOffset, InProperties, "32-bit number", "0", "", "Added to the priority of the queue. No effect on root.", Works},
		{propPreemptionPolicy, InProperties, "default, fence or disabled", PreemptionDefault, "disabled only; queues below cannot undo it",
			"Fence: no victims outside the subtree. Disabled: guarantees cause no preemption for the queue or in it. No effect on root.", Works},
		{propPreemptionDelay, InProperties, "duration above 0", "30s", "yes", "How long an ask must wait before it may preempt. It takes effect in leaves.", Works},
		{propIntraQueue, InProperties, "enabled or disabled", disabled, "yes", "Whether an ask may preempt allocations of strictly lower priority, of other applications, in its own leaf.", Works},
		{propGangs, InProperties, "unit or member", unitGangs, "yes",
			"Unit: preemption takes a gang as a whole, or members beyond its minimum. Member: any of its members. It takes effect in leaves.", Works},
		{propSurplus, InProperties, "enabled or disabled", enabled, "yes",
			"Whether an ask that has waited for preemption.delay may take members beyond the minimum of gangs with gang_max, without a guarantee of its own. It takes effect in the leaves of these gangs.", Works},
		{propMinRuntime, InProperties, "duration", "0s, none", "yes",
			"How long allocations run before preemption may take them, except for required nodes and by quota. Placeholders may always be taken. It takes effect in leaves.", Works},
		{propMinRuntimeMax, InProperties, "duration above 0", "preemption.min-runtime", "yes", "The most that the min_runtime of an ask counts, in place of preemption.min-runtime. It takes effect in leaves.", Works},
		{propMinRuntimeRequired, InProperties, "true or false", "false", "yes", "True: preemption for required nodes and by quota waits as long too. It takes effect in leaves.", Works},
		{propBudget, InProperties, "count/duration, such as 5/1h", "none", "",
			"How many victims the queue and those below it have at most within any time of that length. Victims for required nodes and by quota count, but are not bounded.", Works},
		{propQueueSort, InProperties, "fair or a policy", Fair, "yes", "The order of the children of a parent.", Works},
		{propAskSort, InProperties, "fifo or a policy", FIFO, "yes", "The order of asks in an application.", Works},
		{propPatience, InProperties, "duration", "30s", "", "How long an ask waits for its victims to leave before it may land on another node; 0s: it may at once. On root only.", Works},
		{propReservationDelay, InProperties, "duration", "2s", "", "How long an ask waits before it reserves a node; 0s: never. On root only.", Works},
		{propAccumulateAfter, InProperties, "duration", "60s", "",
			"How long a gang waits before room is held for it, once asks behind it are placed; 0s: never. On root only.", Works},
		{propAccumulateFor, InProperties, "duration above 0", "15m", "", "How long room may be held for a gang, and how long not after that. On root only.", Works},
		{propWalltimeDefault, InProperties, "duration above 0", "none", "yes", "The walltime of asks without one. It takes effect in leaves, when an ask is added.", Works},
		{propWalltimeMax, InProperties, "duration above 0", "no bound", "yes", "The most that the walltime of an ask may be. It takes effect in leaves, when an ask is added.", Works},
		{propWalltimeOverrun, InProperties, "end or allow", overrunEnd, "yes",
			"End: an allocation is asked to leave when its walltime has passed. Allow: it may stay. It takes effect in leaves, when an ask is added.", Works},
		{propHalfLife, InProperties, "duration of 1s or more, or 0s", "0s, off", "yes",
			"The time in which past usage loses half of its weight in the order of the children and, with fair-users, of the users in a leaf. 0s: only usage now counts.", Works},
		{propLookAhead, InProperties, "duration", "a tenth of the half-life", "yes",
			"How far ahead that order looks: usage counts as it will be if it stays until then. 0s: only past usage counts.", Works},
		{propQuotaDelay, InProperties, "duration", "0, off", "yes", "How long a queue may be over its max before it releases allocations.", Works},
	}
}

func ruleKeys() []KeyDoc {
	return []KeyDoc{
		{"name", InRule, "provided, user, tag or fixed", "", "",
			"Where the name of the queue comes from: the application's queue, its user, one of its tags, or value.", Works},
		{"create", InRule, "true or false", "false", "", "Whether a missing queue is created.", Works},
		{"value", InRule, "text", "", "", "The name of the tag, or of the fixed queue. Other rules ignore it.", Works},
		{"parent", InRule, "a rule", "root", "", "The rule that yields the parent queue. A fixed rule with a full name has none.", Works},
		{"filter.type", InRule, "allow or deny", "allow", "", "Whether the rule applies to the users and groups of the filter, or to all others.", Works},
		{"filter.users", InRule, "list of users", "", "", "The users, or a single expression (RE2) of at most 256 bytes that matches them.", Works},
		{"filter.groups", InRule, "list of groups", "", "", "The groups, or a single expression that matches them.", Works},
	}
}

func limitKeys() []KeyDoc {
	return []KeyDoc{
		{"limit", InLimit, "text", "", "", "A description.", Works},
		{"users", InLimit, "list of users", "", "", "The users that the limit is for, each separately. A single * stands for all users that no other limit of the queue names.", Works},
		{"groups", InLimit, "list of groups", "", "", "The groups that the limit is for, each as the sum of its users. A single * stands for all other groups.", Works},
		{"maxresources", InLimit, "quantities by resource type", "unlimited", "", "The most that a user or a group may use. A type set to 0 cannot be used.", Works},
		{"maxapplications", InLimit, "whole number", "0, no bound", "", "How many applications of a user or a group may run.", Works},
	}
}

func levelKeys() []KeyDoc {
	return []KeyDoc{
		{"level", InLevel, "text other than node", "", "", "The name of the level, which asks give as topology_required or topology_preferred.", Works},
		{"attribute", InLevel, "attribute of nodes", "", "", "Nodes with equal values of it, and of the attributes of all wider levels, are in one domain of the level.", Works},
	}
}

func windowKeys() []KeyDoc {
	return []KeyDoc{
		{"id", InWindow, "text", "", "", "The name of the window, which no other window has.", Works},
		{"schedule", InWindow, "five fields of cron, in UTC", "", "", "When it opens: minute, hour, day of the month, month and day of the week, as in 0 2 * * sat.", Works},
		{"duration", InWindow, "duration above 0", "", "", "How long it is open, at most the shortest time between two starts.", Works},
		{"nodes", InWindow, "list of IDs", "", "", "Its nodes, which need not exist yet. Either nodes or constraints are given.", Works},
		{"constraints", InWindow, "lists of values by attribute", "", "", "Its nodes are those that have all of these attributes, each with one of the values.", Works},
		{"count", InWindow, "whole number from 1", "all nodes", "", "Only that many nodes that meet the constraints, in the order of their IDs, and then those that come later.", Works},
		{"queues", InWindow, "list of full names", "", "", "The queues, with all below, whose applications may use the nodes. Without queues, users and groups it is a maintenance.", Works},
		{"users", InWindow, "list of users", "", "", "The users whose applications may use the nodes.", Works},
		{"groups", InWindow, "list of groups", "", "", "The groups whose applications may use the nodes.", Works},
	}
}

func deviceKeys() []KeyDoc {
	return []KeyDoc{
		{"policy", InDevices, "tightest, loosest or first", Tightest, "",
			"Which devices of a node an ask gets: those with the least free share that is enough, those with the most, or the first.", Works},
	}
}
