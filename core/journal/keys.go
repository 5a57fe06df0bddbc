package journal

import (
	"math/bits"

	"github.com/quern-project/quern/core"
)

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
	keyTopologyRequired
	keyTopologyPreferred
	keyPlacedOn
	keyFailed
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
	"at", "type", "id", "capacity", "attributes", "schedulable", "occupied", "queue", "user", "groups", "tags",
	"partition", "placeholder_ask", "gang_style", "placeholder_timeout", "succeeded", "app", "resources", "priority", "node", "constraints", "originator", "preempt_others", "preemptable", "leaving", "predicate",
	"task_group", "placeholder", "gang", "gang_min", "gang_timeout", "gang_fallback", "gang_disruption", "gang_repair", "topology_required", "topology_preferred", "placed_on", "failed", "run", "count", "config", "format", "file", "name", "sha256", "manifest",
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

// keySet is a set of keys.
type keySet uint64

func setOf(keys ...key) keySet {
	var s keySet
	for _, k := range keys {
		s |= 1 << k
	}
	return s
}

func (s keySet) has(k key) bool { return s>>k&1 != 0 }

// first returns the key of a non-empty set that is declared first.
func (s keySet) first() key { return key(bits.TrailingZeros64(uint64(s))) }

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
	askRequired = idKeys | setOf(keyApp, keyResources)
	askOptional = setOf(keyPriority, keyNode, keyConstraints, keyOriginator, keyPreemptOthers, keyPreemptable, keyPredicate,
		keyTaskGroup, keyPlaceholder, keyGang, keyGangMin, keyGangTimeout, keyGangFallback, keyGangDisruption, keyGangRepair,
		keyTopologyRequired, keyTopologyPreferred, keyRun, keyCount)
)

// shapes lists the types of lines, the most frequent first. It is immutable.
var shapes = []shape{
	{core.AskAdd, askRequired, askOptional, (*values).addAsk},
	{core.AppAdd, idKeys, setOf(keyQueue, keyUser, keyGroups, keyTags, keyPartition, keyPlaceholderAsk, keyGangStyle, keyPlaceholderTimeout, keySucceeded),
		(*values).addApp},
	{core.AllocationRelease, idKeys, setOf(keyFailed), (*values).releaseAllocation},
	{core.AskRemove, idKeys, 0, (*values).removeAsk},
	{core.AppRemove, idKeys, 0, (*values).removeApp},
	{core.AppMove, idKeys | setOf(keyQueue), 0, (*values).moveApp},
	{core.NodeAdd, idKeys | setOf(keyCapacity), setOf(keyAttributes, keySchedulable, keyOccupied, keyPartition), (*values).addNode},
	{core.NodeUpdate, idKeys, setOf(keyCapacity, keyAttributes, keyOccupied), (*values).updateNode},
	{core.NodeDrain, idKeys, 0, (*values).drainNode},
	{core.NodeResume, idKeys, 0, (*values).resumeNode},
	{core.NodeRemove, idKeys, 0, (*values).removeNode},
	{core.AskUpdate, idKeys, setOf(keyPriority, keyResources, keyPreemptable, keyPredicate, keyLeaving), (*values).updateAsk},
	{core.AllocationRestore, askRequired | setOf(keyPlacedOn), askOptional, (*values).restoreAllocation},
	{core.ConfigSet, setOf(keyAt, keyType), setOf(keyConfig, keyFormat, keyFile), (*values).setConfig},
	{core.PolicySet, setOf(keyAt, keyType, keyName, keySHA256, keyManifest), 0, (*values).setPolicy},
	{core.PolicyRemove, setOf(keyAt, keyType, keyName), 0, (*values).removePolicy},
	{core.PolicyAnswers, setOf(keyAt, keyType, keyPolicy, keyPoint, keyCall, keyDigest), setOf(keyKeys, keyFault), (*values).recordAnswers},
	{core.TickInput, setOf(keyAt, keyType), 0, (*values).tick},
	{core.StateSet, setOf(keyAt, keyType, keyPart, keyParts, keySnapshot), 0, (*values).setState},
	{journalType, setOf(keyType, keyVersion), setOf(keyGrace, keyUntil, keyEnd), nil},
}

func shapeOf(typ []byte) (shape, bool) {
	for i := range shapes {
		if string(typ) == string(shapes[i].typ) {
			found := shapes[i]
			if found.typ != journalType {
				found.optional |= 1 << keyBy
			}
			return found, true
		}
	}
	return shape{}, false
}
