package gate

// An operand is the form of what follows an opcode in the code.
type operand byte

const (
	forbidden operand = iota
	opNone            // nothing
	opBlock           // a block type, and a frame is opened
	opElse
	opEnd
	opBranch       // a depth
	opTable        // br_table: a vector of depths and one more
	opCall         // a function
	opCallIndirect // a type and a table
	opTypes        // a vector of value types
	opLocal
	opGlobal
	opTableIndex
	opMemory    // alignment and offset
	opZero      // the index of the only memory
	opI32       // a constant
	opI64       // a constant
	opF32       // a constant
	opF64       // a constant
	opRefType   // a reference type
	opFunction  // a function, as a value
	opNarrow    // 0xfc: another opcode follows
	opVector    // 0xfd: another opcode follows
	opDataZero  // a data segment and the memory
	opData      // a data segment
	opZeroZero  // the memory, twice
	opElemTable // an element segment and a table
	opElem      // an element segment
	opTwoTables
	opLane       // the index of a lane
	opMemoryLane // alignment, offset and the index of a lane
	opBytes16    // 16 bytes: a constant or lanes
)

// An opRange gives all opcodes of a range the same operands.
type opRange struct {
	first, last byte
	operand     operand
}

// plainOps are the opcodes of one byte. What is missing is forbidden: tail calls, exceptions, typed references and
// garbage collection, and undefined ones.
var plainOps = opTableOf([]opRange{
	{0x00, 0x01, opNone},                                             // unreachable, nop
	{0x02, 0x04, opBlock}, {0x05, 0x05, opElse}, {0x0b, 0x0b, opEnd}, // block, loop, if
	{0x0c, 0x0d, opBranch}, {0x0e, 0x0e, opTable}, {0x0f, 0x0f, opNone}, // br, br_if, br_table, return
	{0x10, 0x10, opCall}, {0x11, 0x11, opCallIndirect},
	{0x1a, 0x1b, opNone}, {0x1c, 0x1c, opTypes}, // drop, select
	{0x20, 0x22, opLocal}, {0x23, 0x24, opGlobal}, {0x25, 0x26, opTableIndex},
	{0x28, 0x3e, opMemory}, {0x3f, 0x40, opZero}, // loads and stores, memory.size and grow
	{0x41, 0x41, opI32}, {0x42, 0x42, opI64}, {0x43, 0x43, opF32}, {0x44, 0x44, opF64},
	{0x45, 0xc4, opNone}, // comparison, arithmetic, conversion, sign extension
	{0xd0, 0xd0, opRefType}, {0xd1, 0xd1, opNone}, {0xd2, 0xd2, opFunction},
	{0xfc, 0xfc, opNarrow}, {0xfd, 0xfd, opVector},
})

// narrowOps follow 0xfc: saturating conversions, bulk memory and tables.
var narrowOps = opTableOf([]opRange{
	{0, 7, opNone},
	{8, 8, opDataZero}, {9, 9, opData}, {10, 10, opZeroZero}, {11, 11, opZero}, // memory.init, data.drop, memory.copy, fill
	{12, 12, opElemTable}, {13, 13, opElem}, {14, 14, opTwoTables}, // table.init, elem.drop, table.copy
	{15, 17, opTableIndex}, // table.grow, size, fill
})

// vectorOps follow 0xfd: the fixed-width SIMD instructions. Relaxed ones, from 0x100, are not deterministic.
var vectorOps = opTableOf([]opRange{
	{0x00, 0x0b, opMemory}, {0x0c, 0x0d, opBytes16}, {0x0e, 0x14, opNone}, // load, store, const, shuffle, swizzle, splat
	{0x15, 0x22, opLane}, {0x23, 0x53, opNone}, // lanes, comparison, bits
	{0x54, 0x5b, opMemoryLane}, {0x5c, 0x5d, opMemory},
	{0x5e, 0x99, opNone}, {0x9b, 0xa1, opNone}, {0xa3, 0xa4, opNone}, {0xa7, 0xae, opNone},
	{0xb1, 0xb1, opNone}, {0xb5, 0xba, opNone}, {0xbc, 0xc1, opNone}, {0xc3, 0xc4, opNone},
	{0xc7, 0xce, opNone}, {0xd1, 0xd1, opNone}, {0xd5, 0xe1, opNone}, {0xe3, 0xed, opNone}, {0xef, 0xff, opNone},
})

func opTableOf(ranges []opRange) *[256]operand {
	var t [256]operand
	for _, r := range ranges {
		for op := int(r.first); op <= int(r.last); op++ {
			t[op] = r.operand
		}
	}
	return &t
}

// Opcodes that the decoder or the rewrite knows by name.
const (
	opcodeUnreachable = 0x00
	opcodeBlock       = 0x02
	opcodeLoop        = 0x03
	opcodeIf          = 0x04
	opcodeElse        = 0x05
	opcodeEnd         = 0x0b
	opcodeBr          = 0x0c
	opcodeBrIf        = 0x0d
	opcodeReturn      = 0x0f
	opcodeCall        = 0x10
	opcodeLocalGet    = 0x20
	opcodeLocalSet    = 0x21
	opcodeLocalTee    = 0x22
	opcodeGlobalGet   = 0x23
	opcodeGlobalSet   = 0x24
	opcodeMemoryGrow  = 0x40
	opcodeI64Const    = 0x42
	opcodeI64LtS      = 0x53
	opcodeI64Sub      = 0x7d
	opcodeI64Mul      = 0x7e
	opcodeI64ShrU     = 0x88
	opcodeI64ExtendU  = 0xad
)
