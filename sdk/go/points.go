//go:build wasip1

package wasm

// The points, by their numbers in abi.Points.

//go:wasmexport queue_order
func queueOrder(frame uint32) uint32 { return answer(0, frame) }

//go:wasmexport app_order
func appOrder(frame uint32) uint32 { return answer(1, frame) }

//go:wasmexport ask_order
func askOrder(frame uint32) uint32 { return answer(2, frame) }

//go:wasmexport node_score
func nodeScore(frame uint32) uint32 { return answer(3, frame) }

//go:wasmexport node_filter
func nodeFilter(frame uint32) uint32 { return answer(4, frame) }

//go:wasmexport victim_rank
func victimRank(frame uint32) uint32 { return answer(5, frame) }
