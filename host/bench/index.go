package main

import (
	"errors"
	"time"

	"github.com/quern-project/quern/core/index"
)

// Sizes of an entry of the index alone: slots of equal nodes that one ask takes a part of at a time.
const (
	indexLanes = 2
	indexRoom  = 8 // of a node, in asks
)

// indexAlone places asks on an index of nodes and on nothing else: a search for the first that fits, and its new place.
// It tells how fast the machine is at the moment, and bounds what a scheduler around the index can reach.
func indexAlone(nodes int, fullestFirst bool) (sample, error) {
	x := index.New(2, indexLanes, 0)
	room := make([]int64, nodes)
	put := func(slot int32) {
		left := room[slot]
		key := [2]int64{-left, int64(slot)}
		if fullestFirst {
			key[0] = left
		}
		x.Put(slot, key[:], []int64{left, left})
	}
	for slot := range room {
		room[slot] = indexRoom
		put(int32(slot))
	}
	needs := []index.Need{{Lane: 0, Min: 1}, {Lane: 1, Min: 1}}
	asks := nodes * indexRoom
	began := time.Now()
	for range asks {
		slot := x.FirstReaching(needs)
		if slot == index.None {
			return nil, errors.New("an ask finds no room in the index")
		}
		room[slot]--
		put(slot)
	}
	took := time.Since(began)
	return sample{float64(asks) / took.Seconds(), each(took, asks, 1)}, nil
}
