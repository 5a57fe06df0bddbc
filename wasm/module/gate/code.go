package gate

// A body is the code of one defined function, while it is read and written.
type body struct {
	span              // declarations of locals and instructions
	typ      int      // index of its signature
	declared int      // groups of locals
	groups   int      // offset of the first group
	code     int      // offset of the first instruction
	locals   int      // parameters included
	regions  []region // the first is the function's body, the others are loops
	edits    []edit   // by offset
	bulk     bool     // it has instructions that are charged by an operand
	copies   bool     // a region takes from a copy of the counter
}

// A region is code that is paid for together: the body of the function or of a loop without the loops inside, or a
// segment of it. A segment begins behind a block that a br_table may leave. Such a jump passes over the segments
// before it, which would be dear to pay for each time: all code of a Go function is such segments in one loop.
type region struct {
	cost   uint64
	parent int // the region around a loop, or the one that pays for a segment where it is not worth a charge of its own
	loop   int // the loop that the region belongs to or is, 0 for the function's body
	calls  int // of functions in the loop and the loops inside
	backs  int // branches to the beginning of the loop
	span   int // the loop where the copy of the counter begins and ends that the region takes from, 0 if none: see check.go
}

// A frame is a block that is open. Frame 0 is the function body.
type frame struct {
	op     byte // block, loop, if; else once that was seen; 0 for the body
	region int  // in which the code after its end goes on
	inside int  // in which the code inside begins
	chosen bool // a br_table may leave it
}

// A walker reads one function body. It keeps the open blocks in a slice: nothing recurses by what a module says.
type walker struct {
	*reader
	m      *module
	b      *body
	frames []frame
	region int // that the next instruction belongs to
	complexity
}

func (m *module) readCode(r *reader) {
	start := r.at
	n := r.count("function bodies", m.limits.Functions, CodeTooManyFuncs)
	if declared := len(m.funcs) - len(m.imports); r.err == nil && n != declared {
		r.fail(start, CodeBadCount, "%d functions are declared, %d have a body", declared, n)
		return
	}
	if r.end-r.at > m.limits.Code {
		r.fail(start, CodeCodeTooLarge, "the code has %d bytes, at most %d are allowed", r.end-r.at, m.limits.Code)
		return
	}
	if m.writing {
		m.code = make([]byte, 0, (r.end-r.at)/4*5) // about the final size: growing would copy it again and again
	}
	w := &walker{m: m, b: &body{}}
	for ; m.bodies < n && r.err == nil; m.bodies++ {
		r.function = len(m.imports) + m.bodies
		w.body(r)
	}
}

// body reads the next body and writes its new form. One walker reads all, so that its slices are made once.
func (w *walker) body(r *reader) {
	start := r.at
	size := r.u32("the size of a function body")
	switch {
	case uint64(size) > uint64(r.end-r.at):
		r.fail(start, CodeTruncated, "the body says %d bytes, %d are left", size, r.end-r.at)
	case int(size) > w.m.limits.Body:
		r.fail(start, CodeBodyTooLarge, "the body has %d bytes, at most %d are allowed", size, w.m.limits.Body)
	}
	if r.err != nil {
		return
	}
	*w.b = body{span: span{r.at, r.at + int(size)}, typ: w.m.funcs[r.function], regions: w.b.regions[:0], edits: w.b.edits[:0]}
	inner := *r
	inner.end = w.b.end
	w.reader, w.frames, w.region = &inner, append(w.frames[:0], frame{}), 0
	w.complexity = complexity{blocks: 2}
	w.m.codeSize += int(size)
	w.locals()
	w.walk()
	w.done()
	w.checkComplexity(start)
	if r.at, r.err = w.b.end, inner.err; r.err == nil && w.m.writing {
		w.b.settle()
		w.m.writeBody(w.b)
	}
}

// locals reads the groups of locals, which cost as much at the function's entry as parameters do.
func (w *walker) locals() {
	start := w.at
	w.b.declared = w.count("groups of locals", w.m.limits.Locals, CodeTooManyLocals)
	w.b.groups = w.at
	total := uint64(len(w.m.types[w.b.typ].params))
	for range w.b.declared {
		total += uint64(w.u32("the number of locals"))
		w.m.valueType(w.reader)
	}
	if total > uint64(w.m.limits.Locals) {
		w.fail(start, CodeTooManyLocals, "%d locals, at most %d are allowed", total, w.m.limits.Locals)
		return
	}
	w.b.locals, w.b.code = int(total), w.at
	w.b.regions = append(w.b.regions, region{cost: frameCost + localCost*total})
	w.edit(w.at, editCheck, 0, 0)
}

// edit notes something to put in at offset.
func (w *walker) edit(offset int, kind editKind, arg, other int) {
	w.b.edits = append(w.b.edits, edit{offset, offset, kind, int32(arg), int32(other), int32(len(w.frames))})
}

// walk reads instructions up to the end of the body.
func (w *walker) walk() {
	for w.more() && len(w.frames) > 0 {
		start := w.at
		op := w.byte("an instruction")
		w.pay(1)
		w.instructions++
		w.instruction(start, op, plainOps[op])
	}
	if w.err == nil && len(w.frames) > 0 {
		w.fail(w.at, CodeTruncated, "the body ended with %d blocks open", len(w.frames))
	}
}

func (w *walker) pay(cost uint64) { w.b.regions[w.region].cost += cost }

// instruction reads the operands of one instruction that begins at start.
func (w *walker) instruction(start int, op byte, kind operand) {
	switch kind {
	case opNone:
		w.pay(slowOps[op])
		if op == opcodeReturn {
			w.leave(start, 0)
		}
		if op >= 0xc0 && op <= 0xc4 {
			w.m.features[signExtension] = true
		}
	case opBlock:
		w.openBlock(start, op)
	case opElse:
		w.openElse(start)
	case opEnd:
		w.closeBlock()
	case opBranch:
		w.blocks++
		w.leave(start, w.branch())
	case opTable:
		w.leave(start, w.branchTable())
	case opCall:
		w.call(start)
	case opCallIndirect:
		w.callIndirect(start)
	case opTypes:
		for range w.count("types", 1, CodeBadType) {
			w.m.valueType(w.reader)
		}
	case opNarrow:
		w.narrow(start)
	case opVector:
		w.vector(start)
	case forbidden:
		w.fail(start, CodeForbidden, "instruction %#x is unknown or not allowed", op)
	default:
		w.simple(start, op, kind)
	}
}

// simple reads operands that need no bookkeeping.
func (w *walker) simple(start int, op byte, kind operand) {
	switch kind {
	case opLocal:
		if op != opcodeLocalGet {
			w.writes++
		}
		w.index("local", w.b.locals)
	case opGlobal:
		w.index("global", w.m.globals)
	case opTableIndex:
		w.m.features[referenceTypes] = true
		w.index("table", len(w.m.tables))
	case opMemory:
		w.memoryOperand()
	case opZero:
		w.memoryIndex()
		if op == opcodeMemoryGrow {
			w.bulk(start, perPage)
		}
	case opI32:
		w.signed(32, "a constant")
	case opI64:
		w.signed(64, "a constant")
	case opF32:
		w.bytes(4, "a constant")
	case opF64:
		w.bytes(8, "a constant")
	case opRefType:
		w.m.features[referenceTypes] = true
		refType(w.reader)
	case opFunction:
		w.m.features[referenceTypes] = true
		w.pay(referenceCost)
		w.function()
	}
}
