package si

import (
	"fmt"
	"math"
	"strconv"

	"github.com/quern-project/quern/core"
)

// si.v1 has no fields for the topology, for slices and for moves. These tags of allocations stand for them.
const (
	TopologyRequired   = "quern/topology-required"    // a level of the topology; at most one of this and the next
	TopologyPreferred  = "quern/topology-preferred"   // a level of the topology
	TopologySliceLevel = "quern/topology-slice-level" // of a gang: a level below that of the gang
	TopologySliceSize  = "quern/topology-slice-size"  // 1 or more
	Movable            = "quern/movable"              // true or false
)

// placementOf reads the tags of an ask that say where it and the other members of its gang belong.
func placementOf(tags map[string]string, ask *core.Ask) (err error) {
	t := &ask.Topology
	t.Required, t.Preferred, t.Slice.Level = tags[TopologyRequired], tags[TopologyPreferred], tags[TopologySliceLevel]
	switch {
	case t.Required != "" && t.Preferred != "":
		return fmt.Errorf("%s: expected none beside %s, found %q", TopologyPreferred, TopologyRequired, t.Preferred)
	case t.Slice.Level != "" && ask.Gang == nil:
		return fmt.Errorf("%s: expected %s beside it, found none", TopologySliceLevel, Gang)
	}
	if t.Slice.Size, err = numberOf(tags, TopologySliceSize, 1); err != nil {
		return err
	}
	if err := both(tags, TopologySliceLevel, TopologySliceSize); err != nil {
		return err
	}
	switch text := tags[Movable]; text {
	case "", "false":
	case "true":
		ask.Movable = true
	default:
		return fmt.Errorf("%s: expected true or false, found %q", Movable, text)
	}
	return nil
}

// numberOf reads a tag with a number of at least some size; 0: it is not given.
func numberOf(tags map[string]string, key string, least int) (int, error) {
	text := tags[key]
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < int64(least) || n > math.MaxInt32 {
		return 0, fmt.Errorf("%s: expected a number of %d or more, found %q", key, least, text)
	}
	return int(n), nil
}

// both refuses one of two tags without the other.
func both(tags map[string]string, a, b string) error {
	for _, keys := range [][2]string{{a, b}, {b, a}} {
		if tags[keys[0]] != "" && tags[keys[1]] == "" {
			return fmt.Errorf("%s: expected %s beside it, found none", keys[0], keys[1])
		}
	}
	return nil
}
