package gate

// A meter writes the checks of one function. They take from the counter, or in some loops from a copy of it in a local:
// engines keep the local in a register, while each access to a global goes through memory, and the next check waits for
// it. The copy is made where such a loop begins and written back where it is left and around calls, whose functions
// take from the counter.
type meter struct {
	fuel    uint32   // index of the counter
	local   uint32   // an i64: scratch, or the copy; the next one is an i32 where bulk instructions need it
	regions []region // of the function
}

// settle chooses the loops that work on a copy: those that restart more often than they call, as far as the code
// shows. Loops without calls are among them, and the loop around all code of a Go function, which each jump passes.
// Other loops pay for their segments at once, since each charge of its own would go through memory.
func (b *body) settle() {
	for i := range b.regions[1:] {
		r := &b.regions[i+1]
		if r.loop != i+1 { // a segment
			r.span = b.regions[r.loop].span
			continue
		}
		r.span = b.regions[r.parent].span
		if r.span == 0 && r.backs > r.calls {
			r.span, b.copies = i+1, true
		}
	}
	for i := len(b.regions) - 1; i > 0; i-- {
		if r := &b.regions[i]; r.loop != i && r.span == 0 {
			b.regions[r.parent].cost += r.cost
		}
	}
}

func (c meter) span(region int32) int { return c.regions[region].span }

// insert writes what an edit puts in.
func (c meter) insert(out []byte, e edit) []byte {
	span := c.span(e.arg)
	switch {
	case e.kind == editCheck:
		return c.region(out, e.arg, e.depth)
	case e.kind == editBulk:
		return c.bulk(out, perItem(e.other), span > 0, e.depth)
	case span == 0: // the others keep a copy and the counter together
	case e.kind == editCall:
		return c.store(out)
	case e.kind == editReturned:
		return c.localSet(c.globalGet(out))
	case e.kind == editSegment:
		return c.segment(out, e.arg)
	case e.kind == editEnter && span == int(e.arg):
		return c.localSet(c.globalGet(out))
	case e.kind == editLeave && span == int(e.arg):
		return c.store(out)
	case e.kind == editExit && span != c.span(e.other):
		return c.store(out)
	}
	return out
}

// region charges the fixed cost of a region. The place to trap at is the label outside of depth blocks.
func (c meter) region(out []byte, region, depth int32) []byte {
	copied := c.span(region) > 0
	out = append(c.value(out, copied), opcodeI64Const)
	return c.take(appendSigned(out, int64(c.regions[region].cost)), copied, depth)
}

// segment charges without a check: to come back here takes a loop or a call, where there is one. So a call may end
// well with the counter below zero, by no more than one pass over a function's code.
func (c meter) segment(out []byte, region int32) []byte {
	cost := c.regions[region].cost
	if cost == 0 {
		return out
	}
	out = appendSigned(append(c.localGet(out), opcodeI64Const), int64(cost))
	return c.localSet(append(out, opcodeI64Sub))
}

// bulk charges by the i32 on top of the stack, which stays there.
func (c meter) bulk(out []byte, by perItem, copied bool, depth int32) []byte {
	length := c.local + 1
	out = appendU32(append(out, opcodeLocalSet), length)
	out = c.value(out, copied)
	out = c.take(c.units(out, length, by), copied, depth)
	return appendU32(append(out, opcodeLocalGet), length)
}

// units pushes what the length in a local costs, as i64.
func (c meter) units(out []byte, length uint32, by perItem) []byte {
	out = append(appendU32(append(out, opcodeLocalGet), length), opcodeI64ExtendU)
	switch factor := factors[by]; {
	case by == perEightByte:
		out = append(out, opcodeI64Const, 3, opcodeI64ShrU)
	case factor != 1:
		out = append(out, opcodeI64Const)
		out = append(appendSigned(out, factor), opcodeI64Mul)
	}
	return out
}

// take subtracts the amount on the stack from the fuel below it, keeps the rest, and goes to trap when that is negative.
// The counter itself is then negative too, which tells the host why the module trapped.
func (c meter) take(out []byte, copied bool, depth int32) []byte {
	out = appendU32(append(out, opcodeI64Sub, opcodeLocalTee), c.local)
	if !copied {
		out = c.localGet(c.globalSet(out))
	}
	return appendU32(append(out, opcodeI64Const, 0, opcodeI64LtS, opcodeBrIf), uint32(depth))
}

// value pushes the fuel that is left.
func (c meter) value(out []byte, copied bool) []byte {
	if copied {
		return c.localGet(out)
	}
	return c.globalGet(out)
}

// store copies the local to the counter.
func (c meter) store(out []byte) []byte { return c.globalSet(c.localGet(out)) }

func (c meter) globalGet(out []byte) []byte { return appendU32(append(out, opcodeGlobalGet), c.fuel) }
func (c meter) globalSet(out []byte) []byte { return appendU32(append(out, opcodeGlobalSet), c.fuel) }
func (c meter) localGet(out []byte) []byte  { return appendU32(append(out, opcodeLocalGet), c.local) }
func (c meter) localSet(out []byte) []byte  { return appendU32(append(out, opcodeLocalSet), c.local) }
