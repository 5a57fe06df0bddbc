//go:build wasip1

package wasm

//go:wasmexport queue_order
func queueOrder(frame uint32) uint32 { return answer("queue.order", frame) }

//go:wasmexport app_order
func appOrder(frame uint32) uint32 { return answer("app.order", frame) }

//go:wasmexport ask_order
func askOrder(frame uint32) uint32 { return answer("ask.order", frame) }

//go:wasmexport node_score
func nodeScore(frame uint32) uint32 { return answer("node.score", frame) }

//go:wasmexport node_filter
func nodeFilter(frame uint32) uint32 { return answer("node.filter", frame) }

//go:wasmexport victim_rank
func victimRank(frame uint32) uint32 { return answer("victim.rank", frame) }
