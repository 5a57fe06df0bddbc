package gate

// Costs. One unit is one instruction, about a nanosecond or less; what takes far longer is charged more, so that an
// amount of fuel bounds time whatever a module does with it.
const (
	// frameCost is taken at each function entry, with localCost for each parameter and local. An engine's native frame
	// costs memory, and engines grow stacks by copying: this bounds the depth of a recursion.
	localCost = 2
	frameCost = 32
	// leaveCost is for instructions that some engine runs outside of compiled code: bulk memory and tables, growing.
	leaveCost = 32
	// referenceCost is for ref.func, which an engine may look up each time.
	referenceCost = 6 * leaveCost
	// hostCost is for a call of an imported function.
	hostCost = 128
)

// InitialFuel is what the counter starts with. It pays for the start function and _initialize, until the host sets
// the counter for its first call. The initialization of a Go module takes 11 to 24 million units.
const InitialFuel = 50_000_000

// FuelGlobal is the exported name of the counter, a mutable i64 global. The host sets it before each call; a module
// that takes it below zero traps with "unreachable".
const FuelGlobal = "quern_fuel"

// perItem tells how the length that an instruction takes from the stack becomes units.
type perItem uint32

const (
	perElement   perItem = iota // of a table: one unit
	perEightByte                // of memory: one unit for eight bytes
	perPage                     // of new memory: like filling its 64 KiB
	perHostByte                 // that a host function handles: one unit
	perHostItem                 // a buffer or subscription that a host function handles
)

// factors are what a length is multiplied with; perEightByte shifts instead. A length is an u32, so no product
// comes near the range of an i64, and as a check follows each charge the counter cannot wrap around.
var factors = map[perItem]int64{perElement: 1, perPage: 65536 / 8, perHostByte: 1, perHostItem: 64}

// bulkCosts are the instructions behind 0xfc whose topmost operand is a length.
var bulkCosts = map[uint32]perItem{
	8: perEightByte, 10: perEightByte, 11: perEightByte, // memory.init, copy, fill
	12: perElement, 14: perElement, 15: perElement, 17: perElement, // table.init, copy, grow, fill
}
