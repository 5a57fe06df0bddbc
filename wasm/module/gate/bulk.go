package gate

// This file reads the instructions behind the prefixes, and memory operands.

// narrow reads an instruction that begins with 0xfc.
func (w *walker) narrow(start int) {
	op := w.u32("an instruction behind 0xfc")
	if w.err != nil {
		return
	}
	if op > 0xff || narrowOps[op] == forbidden {
		w.fail(start, CodeForbidden, "instruction 0xfc %#x is unknown or not allowed", op)
		return
	}
	if op < 8 {
		w.m.features[saturatingConversion] = true
		w.pay(conversionCost)
		return
	}
	w.m.features[bulkMemory] = true
	if by, charged := bulkCosts[op]; charged {
		w.bulk(start, by)
	}
	w.narrowOperands(narrowOps[op])
}

func (w *walker) narrowOperands(kind operand) {
	switch kind {
	case opDataZero:
		w.dataIndex()
		w.memoryIndex()
	case opData:
		w.dataIndex()
	case opZeroZero:
		w.memoryIndex()
		w.memoryIndex()
	case opZero:
		w.memoryIndex()
	case opElemTable:
		w.index("element segment", w.m.elements)
		w.index("table", len(w.m.tables))
	case opElem:
		w.index("element segment", w.m.elements)
	case opTwoTables:
		w.index("table", len(w.m.tables))
		w.index("table", len(w.m.tables))
	case opTableIndex:
		w.index("table", len(w.m.tables))
	}
}

// bulk notes that the instruction at start is charged by its topmost operand.
func (w *walker) bulk(start int, by perItem) {
	w.b.bulk = true
	w.blocks += bulkBlocks
	w.pay(leaveCost)
	w.edit(start, editBulk, w.region, int(by))
}

// vector reads an instruction that begins with 0xfd.
func (w *walker) vector(start int) {
	op := w.u32("an instruction behind 0xfd")
	if w.err != nil {
		return
	}
	if op > 0xff || vectorOps[op] == forbidden {
		w.fail(start, CodeForbidden, "instruction 0xfd %#x is unknown or not allowed", op)
		return
	}
	w.m.features[simd] = true
	w.pay(slowVectors[op])
	switch vectorOps[op] {
	case opMemory:
		w.memoryOperand()
	case opBytes16:
		w.bytes(16, "16 bytes")
	case opLane:
		w.byte("a lane")
	case opMemoryLane:
		w.memoryOperand()
		w.byte("a lane")
	}
}

// memoryOperand reads alignment and offset of a load or store.
func (w *walker) memoryOperand() {
	start := w.at
	if align := w.u32("an alignment"); align > 4 {
		w.fail(start, CodeForbidden, "an alignment of 2 to the %d, at most 4 is allowed", align)
	}
	w.u32("an offset")
	w.needMemory(start)
}

// memoryIndex reads the byte that stands where other memories might be named.
func (w *walker) memoryIndex() {
	start := w.at
	if i := w.byte("the index of a memory"); i != 0 {
		w.fail(start, CodeBadIndex, "memory %d is named, expected 0", i)
	}
	w.needMemory(start)
}

func (w *walker) needMemory(offset int) {
	if len(w.m.memories) == 0 {
		w.fail(offset, CodeBadIndex, "memory is used, there is none")
	}
}

func (w *walker) dataIndex() {
	if w.m.data < 0 {
		w.fail(w.at, CodeBadCount, "a data segment is named without a data count section")
		return
	}
	w.index("data segment", w.m.data)
}
