package gate

// This file reads constants, element segments and data segments.

// functionIndex reads a reference to a function outside of code. A reference to an imported function is redirected
// to the function that charges for it.
func (m *module) functionIndex(r *reader) uint32 {
	start := r.at
	f := r.index("function", len(m.funcs))
	if r.err == nil && int(f) < len(m.imports) {
		m.edits = append(m.edits, edit{start, r.at, editFunction, int32(f), 0, 0})
	}
	return f
}

// constant reads a constant expression: one instruction without operands and end.
func (m *module) constant(r *reader) {
	start := r.at
	switch op := r.byte("a constant expression"); op {
	case 0x41:
		r.signed(32, "a constant")
	case 0x42:
		r.signed(64, "a constant")
	case 0x43:
		r.bytes(4, "a constant")
	case 0x44:
		r.bytes(8, "a constant")
	case 0x23:
		r.index("global", m.globals)
	case 0xd0:
		refType(r)
	case 0xd2:
		m.functionIndex(r)
	case 0xfd:
		if sub := r.u32("a constant"); sub != 12 {
			r.fail(start, CodeBadExpression, "instruction 0xfd %#x is no constant", sub)
		}
		r.bytes(16, "a constant")
		m.features[simd] = true
	default:
		r.fail(start, CodeBadExpression, "instruction %#x is no constant", op)
	}
	if end := r.at; r.byte("the end of a constant expression") != 0x0b {
		r.fail(end, CodeBadExpression, "a constant expression of more than one instruction")
	}
}

// readElements knows the eight forms of a segment: bit 0 says passive or declared, bit 1 that a table (or with bit
// 0: declared) is named, bit 2 that items are expressions.
func (m *module) readElements(r *reader) {
	n := r.count("element segments", m.limits.Elements, CodeTooManyElems)
	left := m.limits.Elements
	for range n {
		start := r.at
		form := r.u32("the form of an element segment")
		if form > 7 {
			r.fail(start, CodeBadType, "an element segment has form %d, expected 0 to 7", form)
			return
		}
		left -= m.readSegment(r, form, left)
		m.elements++
	}
}

// readSegment returns the number of its items.
func (m *module) readSegment(r *reader, form uint32, limit int) int {
	active, named, expressions := form&1 == 0, form&2 != 0, form&4 != 0
	if active {
		table := 0
		if named {
			table = int(r.index("table", len(m.tables)))
		}
		if table >= len(m.tables) {
			r.fail(r.at, CodeBadIndex, "an element segment without a table")
		}
		m.constant(r)
	} else {
		m.features[bulkMemory] = true
	}
	if form&3 != 0 {
		start := r.at
		if expressions {
			refType(r)
		} else if kind := r.byte("the kind of an element segment"); kind != 0 {
			r.fail(start, CodeBadType, "an element segment has kind %d, expected 0 for functions", kind)
		}
	}
	items := r.count("elements", limit, CodeTooManyElems)
	for range items {
		if expressions {
			m.constant(r)
		} else {
			m.functionIndex(r)
		}
	}
	return items
}

// dataCount reads the section that says how many data segments there will be.
func (r *reader) dataCount(limit int) int {
	start := r.at
	n := r.u32("the number of data segments")
	if uint64(n) > uint64(limit) {
		r.fail(start, CodeTooManyData, "%d data segments, at most %d are allowed", n, limit)
	}
	return int(n)
}

func (m *module) readData(r *reader) {
	start := r.at
	n := r.count("data segments", m.limits.Data, CodeTooManyData)
	if m.data >= 0 && n != m.data && r.err == nil {
		r.fail(start, CodeBadCount, "%d data segments were announced, there are %d", m.data, n)
	}
	for range n {
		start := r.at
		form := r.u32("the form of a data segment")
		if form > 2 {
			r.fail(start, CodeBadType, "a data segment has form %d, expected 0 to 2", form)
			return
		}
		if form == 2 {
			r.index("memory", len(m.memories))
		}
		if form == 1 {
			m.features[bulkMemory] = true
		} else {
			m.constant(r)
		}
		m.dataSize += len(r.bytes(int(r.u32("the size of a data segment")), "a data segment"))
	}
}
