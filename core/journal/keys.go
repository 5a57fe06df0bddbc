package journal

import "github.com/quern-project/quern/core"

// key identifies a key of a line. A key has the same kind of value in every type of input, so a line is decoded in one pass, regardless
// of the position of its type. After that, the decoder checks that the type has these keys.
type key uint8

const (
	keyAt key = iota
	keyType
	keyID
	keyCapacity
	keyAttributes
	keySchedulable
	keyOccupied
	keyDevices
	keyOccupiedDevices
	keyQueue
	keyUser
	keyGroups
	keyTags
	keyPartition
	keyPlaceholderAsk
	keyGangStyle
	keyPlaceholderTimeout
	keySucceeded
	keyApp
	keyResources
	keyPriority
	keyNode
	keyConstraints
	keyOriginator
	keyPreemptOthers
	keyPreemptable
	keyLeaving
	keyPredicate
	keyTaskGroup
	keyPlaceholder
	keyGang
	keyGangMin
	keyGangTimeout
	keyGangFallback
	keyGangDisruption
	keyGangRepair
	keyGangMax
	keyGangSet
	keyGangSetMin
	keyTopologyRequired
	keyTopologyPreferred
	keyTopologySlice
	keyMovable
	keyWalltime
	keyWalltimeOverrun
	keyMinRuntime
	keyPlacedOn
	keyPlacedDevices
	keySince
	keyFailed
	keyFrom
	keyEvery
	keyNodes
	keyQueues
	keyUsers
	keyRun
	keyCount
	keyConfig
	keyFormat
	keyFile
	keyName
	keySHA256
	keyManifest
	keyPolicy
	keyPoint
	keyCall
	keyDigest
	keyKeys
	keyFault
	keyPart
	keyParts
	keySnapshot
	keyBy
	keyVersion
	keyGrace
	keyUntil
	keyEnd
	noKey // the number of keys
)

var keyNames = [noKey]string{
	"at", "type", "id", "capacity", "attributes", "schedulable", "occupied", "devices", "occupied_devices", "queue", "user", "groups", "tags",
	"partition", "placeholder_ask", "gang_style", "placeholder_timeout", "succeeded", "app", "resources", "priority", "node", "constraints", "originator", "preempt_others", "preemptable", "leaving", "predicate",
	"task_group", "placeholder", "gang", "gang_min", "gang_timeout", "gang_fallback", "gang_disruption", "gang_repair", "gang_max", "gang_set", "gang_set_min", "topology_required", "topology_preferred", "topology_slice", "movable", "walltime", "walltime_overrun", "min_runtime", "placed_on", "placed_devices", "since", "failed", "from", "every", "nodes", "queues", "users", "run", "count", "config", "format", "file", "name", "sha256", "manifest",
	"policy", "point", "call", "digest", "keys", "fault", "part", "parts", "snapshot", "by", "version", "grace", "until", "end",
}

// keyTokens are the keys as they appear between two members of an object without spaces.
var keyTokens = tokens()

func tokens() (list [noKey]string) {
	for k, name := range keyNames {
		list[k] = `,"` + name + `":`
	}
	return list
}

func (k key) String() string { return keyNames[k] }

// keyOf returns the key with a name, or noKey. It is slow, but most keys are found by keyTokens.
func keyOf(name []byte) key {
	for k := range noKey {
		if string(name) == keyNames[k] {
			return k
		}
	}
	return noKey
}

// shape describes a type of line: its required and optional keys, and its event. All inputs may also have keyBy.
type shape struct {
	typ      core.InputType
	required keySet
	optional keySet
	event    func(*values) core.Event // nil if the line is not an input
}

// journalType is the type of the first line, which names the format.
const journalType = "journal"

// formatVersion is the latest version of the format, and so far the only one.
const formatVersion = 1

var (
	idKeys      = setOf(keyAt, keyType, keyID)
	askRequired = idKeys.or(setOf(keyApp, keyResources))
	askOptional = setOf(keyPriority, keyNode, keyConstraints, keyOriginator, keyPreemptOthers, keyPreemptable, keyPredicate,
		keyTaskGroup, keyPlaceholder, keyGang, keyGangMin, keyGangTimeout, keyGangFallback, keyGangDisruption, keyGangRepair, keyGangMax, keyGangSet, keyGangSetMin,
		keyTopologyRequired, keyTopologyPreferred, keyTopologySlice, keyMovable, keyWalltime, keyWalltimeOverrun, keyMinRuntime, keyDevices, keyRun, keyCount)
)

// shapes lists the types of lines, the most frequent first. It is immutable.
var shapes = []shape{
	{core.AskAdd, askRequired, askOptional, (*values).addAsk},
	{core.AppAdd, idKeys, setOf(keyQueue, keyUser, keyGroups, keyTags, keyPartition, keyPlaceholderAsk, keyGangStyle, keyPlaceholderTimeout,
		keyGangDisruption, keySucceeded),
		(*values).addApp},
	{core.AllocationRelease, idKeys, setOf(keyFailed), (*values).releaseAllocation},
	{core.AskRemove, idKeys, setOf(), (*values).removeAsk},
	{core.AppRemove, idKeys, setOf(), (*values).removeApp},
	{core.AppMove, idKeys.or(setOf(keyQueue)), setOf(), (*values).moveApp},
	{core.NodeAdd, idKeys.or(setOf(keyCapacity)), setOf(keyAttributes, keySchedulable, keyOccupied, keyDevices, keyOccupiedDevices, keyPartition), (*values).addNode},
	{core.NodeUpdate, idKeys, setOf(keyCapacity, keyAttributes, keyOccupied, keyDevices, keyOccupiedDevices), (*values).updateNode},
	{core.NodeDrain, idKeys, setOf(), (*values).drainNode},
	{core.NodeResume, idKeys, setOf(), (*values).resumeNode},
	{core.NodeRemove, idKeys, setOf(), (*values).removeNode},
	{core.AskUpdate, idKeys, setOf(keyPriority, keyResources, keyPreemptable, keyPredicate, keyWalltime, keyLeaving, keyDevices), (*values).updateAsk},
	{core.AllocationRestore, askRequired.or(setOf(keyPlacedOn)), askOptional.or(setOf(keySince, keyPlacedDevices)), (*values).restoreAllocation},
	{core.WindowAdd, idKeys.or(setOf(keyFrom)), setOf(keyUntil, keyEvery, keyNodes, keyConstraints, keyCount, keyPartition, keyQueues, keyUsers, keyGroups), (*values).addWindow},
	{core.WindowRemove, idKeys, setOf(), (*values).removeWindow},
	{core.ConfigSet, setOf(keyAt, keyType), setOf(keyConfig, keyFormat, keyFile), (*values).setConfig},
	{core.PolicySet, setOf(keyAt, keyType, keyName, keySHA256, keyManifest), setOf(), (*values).setPolicy},
	{core.PolicyRemove, setOf(keyAt, keyType, keyName), setOf(), (*values).removePolicy},
	{core.PolicyAnswers, setOf(keyAt, keyType, keyPolicy, keyPoint, keyCall, keyDigest), setOf(keyKeys, keyFault), (*values).recordAnswers},
	{core.TickInput, setOf(keyAt, keyType), setOf(), (*values).tick},
	{core.StateSet, setOf(keyAt, keyType, keyPart, keyParts, keySnapshot), setOf(), (*values).setState},
	{journalType, setOf(keyType, keyVersion), setOf(keyGrace, keyUntil, keyEnd), nil},
}

func shapeOf(typ []byte) (shape, bool) {
	for i := range shapes {
		if string(typ) == string(shapes[i].typ) {
			found := shapes[i]
			if found.typ != journalType {
				found.optional.add(keyBy)
			}
			return found, true
		}
	}
	return shape{}, false
}
