package config

// The levels that keys stand at.
const (
	InFile       = "file"
	InPartition  = "partition"
	InQueue      = "queue"
	InProperties = "properties"
	InRule       = "placement rule"
	InLimit      = "limit"
)

// Status says what becomes of a key.
type Status string

// What becomes of a key.
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
	Inherited string // what children get of it; empty: nothing
	Effect    string
	Status    Status
}

// Keys is the table of every key there is. Errors list the known keys from it, and the reference is held against it.
func Keys() []KeyDoc {
	var all []KeyDoc
	for _, keys := range [][]KeyDoc{fileKeys(), partitionKeys(), queueKeys(), propertyKeys(), ruleKeys(), limitKeys()} {
		all = append(all, keys...)
	}
	return all
}

func fileKeys() []KeyDoc {
	return []KeyDoc{
		{"partitions", InFile, "list of partitions", "", "", "The partitions. The first is for all nodes and applications that name none.", Works},
		{"checksum", InFile, "text", "", "", "Tools add it as the last line; nothing is computed from it.", NoEffect},
	}
}

func partitionKeys() []KeyDoc {
	return []KeyDoc{
		{"name", InPartition, "text", "default", "", "The name of the partition.", Works},
		{"queues", InPartition, "list of queues", "", "", "The queue tree, from root down. A list without root is taken as what is below it.", Works},
		{"nodesortpolicy.type", InPartition, "fair, binpacking or a policy", "fair", "",
			"Which node comes first: the least utilised (fair) or the most (binpacking).", Works},
		{"nodesortpolicy.resourceweights", InPartition, "decimals by resource type", "vcore: 1, memory: 1", "",
			"How much each type counts in the utilisation of a node; three decimals at most.", Works},
		{"preemption.enabled", InPartition, "true or false", "true", "", "False: no queue that is under its guaranteed takes from others. Required nodes and the intra-queue option go on.", Works},
		{"preemption.observe", InPartition, "true or false", "false", "",
			"True: victims are looked for and reported as preemption.observed, and nobody is taken, whatever enabled says.", Works},
		{"preemption.quotapreemptionenabled", InPartition, "true or false", "false", "",
			"True: queues that are over a lowered max give allocations back after quota.preemption.delay.", Works},
		{"placementrules", InPartition, "list of rules", "", "", "They choose the queue of an application: the first that yields a usable one.", Works},
		{"limits", InPartition, "list of limits", "", "", "The limits of root; the same as there, where both are given.", Works},
		{"usergroupresolver.type", InPartition, "none, os, ldap or empty", "", "",
			"How the host finds the groups of a user. In a journal they come with each application.", NoEffect},
	}
}

func queueKeys() []KeyDoc {
	return []KeyDoc{
		{"name", InQueue, "1 to 64 of a-z A-Z 0-9 _ : # / @ -", "", "", "The name, in any case, unlike that of any sibling.", Works},
		{"parent", InQueue, "true or false", "false", "", "Makes a queue without children a parent; one with children is one anyway.", Works},
		{"resources.guaranteed", InQueue, "quantities by resource type", "nothing guaranteed", "",
			"What the queue is entitled to before others. Not on root.", Works},
		{"resources.max", InQueue, "quantities by resource type", "unlimited", "",
			"What the queue may use at most. A type set to 0 cannot be used at all, one left out is not limited. Not on root.", Works},
		{"maxapplications", InQueue, "whole number", "0, no bound", "", "How many applications may run in the queue and below it.", Works},
		{"properties", InQueue, "texts by name", "", "", "The properties below; those of other names are handed to policies.", Works},
		{"submitacl", InQueue, "*, or users and groups", "nobody, but everybody where no queue has a list", "lists below add to it",
			"Who may submit: names joined by commas, a space, then groups likewise. Either part may be *.", Works},
		{"adminacl", InQueue, "*, or users and groups", "as submitacl", "lists below add to it",
			"Who may administer the queue and submit to it, written as submitacl.", Works},
		{"childtemplate.maxapplications", InQueue, "whole number", "0, no bound", "", "The maxapplications of dynamic leaves below the queue.", Works},
		{"childtemplate.resources.guaranteed", InQueue, "quantities by resource type", "nothing guaranteed", "", "What dynamic leaves are guaranteed.", Works},
		{"childtemplate.resources.max", InQueue, "quantities by resource type", "unlimited", "", "The max of dynamic leaves.", Works},
		{"childtemplate.properties", InQueue, "texts by name", "", "", "The properties of dynamic leaves.", Works},
		{"limits", InQueue, "list of limits", "", "", "Bounds on what users and groups use in the queue and below it.", Works},
		{"queues", InQueue, "list of queues", "", "", "The children.", Works},
	}
}

func propertyKeys() []KeyDoc {
	return []KeyDoc{
		{propAppSort, InProperties, "fifo, fair, stateaware or a policy", FIFO, "yes", "The order of applications in a leaf.", Works},
		{propPrioritySort, InProperties, "enabled or disabled", enabled, "disabled only",
			"Whether priority comes first when children or applications are ordered.", Works},
		{propBackoff, InProperties, "count", "0, off", "yes", "Not needed: an ask that cannot be placed costs nothing.", NoEffect},
		{propBackoffDelay, InProperties, "duration", "30s", "yes", "Not needed, as the count it belongs to.", NoEffect},
		{propPriorityPolicy, InProperties, "default or fence", "default", "",
			"With fence the priority of the queue is its offset, whatever is inside. No effect on root.", Works},
		{propPriorityOffset, InProperties, "32-bit number", "0", "", "Added to the priority of the queue. No effect on root.", Works},
		{propPreemptionPolicy, InProperties, "default, fence or disabled", PreemptionDefault, "disabled only, which cannot be undone below",
			"Fence: no victims outside the subtree. Disabled: no victims for it, and none in it, by guarantees. No effect on root.", Works},
		{propPreemptionDelay, InProperties, "duration above 0", "30s", "yes", "How long an ask is to wait before it may preempt. It counts in leaves.", Works},
		{propIntraQueue, InProperties, "enabled or disabled", disabled, "yes", "Whether an ask may take asks of strictly lower priority, of other applications, in its own leaf.", Works},
		{propQueueSort, InProperties, "fair or a policy", Fair, "yes", "The order of the children of a parent.", Works},
		{propAskSort, InProperties, "fifo or a policy", FIFO, "yes", "The order of asks in an application.", Works},
		{propReservationDelay, InProperties, "duration", "2s", "", "How long an ask waits before it reserves a node; 0s: never. On root only.", Works},
		{propQuotaDelay, InProperties, "duration", "0, off", "yes", "How long a queue may be over its max before it gives allocations back.", Works},
	}
}

func ruleKeys() []KeyDoc {
	return []KeyDoc{
		{"name", InRule, "provided, user, tag or fixed", "", "",
			"Where the name of the queue comes from: the application's queue, its user, one of its tags, or value.", Works},
		{"create", InRule, "true or false", "false", "", "Whether a queue that does not exist is made.", Works},
		{"value", InRule, "text", "", "", "The name of the tag, or of the fixed queue. Other rules have no use for it.", Works},
		{"parent", InRule, "a rule", "root", "", "The rule that yields the queue above. A fixed full name has none.", Works},
		{"filter.type", InRule, "allow or deny", "allow", "", "Whether the rule is for the users and groups of the filter, or for all others.", Works},
		{"filter.users", InRule, "list of users", "", "", "The users, or a single expression (RE2) of at most 256 bytes that matches them.", Works},
		{"filter.groups", InRule, "list of groups", "", "", "The groups, or a single expression likewise.", Works},
	}
}

func limitKeys() []KeyDoc {
	return []KeyDoc{
		{"limit", InLimit, "text", "", "", "A description.", Works},
		{"users", InLimit, "list of users", "", "", "The users that it bounds, each on its own. A single * stands for all that no other limit of the queue names.", Works},
		{"groups", InLimit, "list of groups", "", "", "The groups that it bounds, each as the sum of its users. A single * stands for all others.", Works},
		{"maxresources", InLimit, "quantities by resource type", "unlimited", "", "What a user or a group may use at most. A type set to 0 cannot be used at all.", Works},
		{"maxapplications", InLimit, "whole number", "0, no bound", "", "How many applications of a user or a group may run.", Works},
	}
}
