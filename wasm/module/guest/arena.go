package guest

import (
	"errors"
	"fmt"

	"github.com/quern-project/quern/sdk/abi"
)

// arena is the piece of a module's memory that the host writes to. From its start come the frames for batches whose
// answers depend on a row alone, then those that stay because siblings count. Where it has to grow it may move, and
// everything in it is laid out again.
type arena struct {
	base   uint32
	view   []byte
	used   uint32
	epoch  uint32 // grows when the arena is laid out again
	frames PerTable[*frame]
}

// arenaPart is the part of a module's memory, one in so many, that an arena may grow to for more than one table.
const arenaPart = 4

// room makes the arena at least so large and returns its start. What was in it is lost.
func (in *Instance) room(size uint32) ([]byte, uint32, error) {
	if err := in.reserve(size); err != nil {
		return nil, 0, err
	}
	in.clear()
	return in.arena.view[:size], in.arena.base, nil
}

// claim takes a piece of the arena, which grows if need be. Where that cannot be, everything that is in it goes.
func (in *Instance) claim(size uint32) (at uint32, err error) {
	size = (size + abi.Align - 1) &^ (abi.Align - 1)
	if uint64(in.arena.used)+uint64(size) > uint64(len(in.arena.view)) {
		if err := in.makeRoom(size); err != nil {
			return 0, err
		}
	}
	at = in.arena.used
	in.arena.used += size
	return at, nil
}

func (in *Instance) makeRoom(size uint32) error {
	wanted := max(2*uint64(len(in.arena.view)), uint64(in.arena.used)+uint64(size), page)
	in.clear()
	if wanted > uint64(in.limits.Pages)*page/arenaPart { // a request that cannot be met may trap
		return in.reserve(size)
	}
	err := in.reserve(uint32(wanted))
	if errors.Is(err, errNoRoom) {
		err = in.reserve(size)
	}
	return err
}

// clear forgets what is in the arena.
func (in *Instance) clear() {
	in.arena.used = 0
	in.arena.epoch++
	in.arena.frames.Clear()
	for _, p := range in.points {
		p.dense = [2]frame{}
	}
}

// reserve asks the module for an arena, unless there is one that is large enough.
func (in *Instance) reserve(size uint32) error {
	if size <= uint32(len(in.arena.view)) {
		return nil
	}
	got, err := in.invoke(reserve, in.limits.Fuel+int64(size), size, 0)
	if err != nil {
		return err
	}
	base := uint32(got)
	switch {
	case base == 0:
		return fmt.Errorf("%s: %w for %d bytes", abi.ExportReserve, errNoRoom, size)
	case base%abi.Align != 0:
		return fmt.Errorf("%s: expected an address aligned to %d, found %d", abi.ExportReserve, abi.Align, base)
	}
	view, ok := in.running.Arena(base, size)
	if !ok {
		return fmt.Errorf("%s: expected %d bytes at the address %d, found a memory of %d", abi.ExportReserve, size, base, in.running.Size())
	}
	in.arena.base, in.arena.view = base, view[:size:size]
	return nil
}
