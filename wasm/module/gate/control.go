package gate

// This file reads blocks, branches and calls.

func (w *walker) openBlock(start int, op byte) {
	w.blockType()
	if len(w.frames) > w.m.limits.Depth {
		w.fail(start, CodeTooDeep, "blocks are nested deeper than %d", w.m.limits.Depth)
		return
	}
	f := frame{op: op, region: w.region, inside: w.region}
	w.blocks++
	w.joins++
	if op == opcodeLoop {
		w.blocks += 3 // around its check and behind its end
		f.inside = len(w.b.regions)
		w.b.regions = append(w.b.regions, region{cost: 1, parent: w.region, loop: f.inside})
		w.edit(start, editEnter, f.inside, 0)
		w.region = f.inside
	}
	w.frames = append(w.frames, f)
	if op == opcodeLoop {
		w.edit(w.at, editCheck, f.inside, 0)
	}
}

// blockType reads no result, one result, or the index of a type.
func (w *walker) blockType() {
	switch t := w.file[min(w.at, len(w.file)-1)]; {
	case t == blockVoid:
		w.byte("a block type")
	case t < 0x40 || t >= 0x80: // a number that is not negative
		start := w.at
		if i := w.signed(33, "a block type"); i < 0 || i >= int64(len(w.m.types)) {
			w.fail(start, CodeBadIndex, "type %d is named, there are %d", i, len(w.m.types))
		}
		w.m.features[multiValue] = true
	default:
		w.m.valueType(w.reader)
	}
}

func (w *walker) openElse(start int) {
	top := &w.frames[len(w.frames)-1]
	if top.op != opcodeIf {
		w.fail(start, CodeBadNesting, "else without if")
		return
	}
	top.op = opcodeElse
	w.blocks++
	w.region = top.inside
}

func (w *walker) closeBlock() {
	last := len(w.frames) - 1
	f := w.frames[last]
	w.frames = w.frames[:last]
	w.region = f.region
	around := w.b.regions[f.region].loop
	switch {
	case f.op == opcodeLoop:
		w.b.regions[around].calls += w.b.regions[f.inside].calls
		w.edit(w.at, editLeave, f.inside, 0)
	case f.chosen && around > 0:
		w.region = len(w.b.regions)
		w.b.regions = append(w.b.regions, region{parent: f.region, loop: around})
		w.edit(w.at, editSegment, w.region, 0)
	}
}

// branch reads a depth and returns which frame's label it names.
func (w *walker) branch() int {
	start := w.at
	d := w.u32("the depth of a branch")
	if uint64(d) >= uint64(len(w.frames)) {
		w.fail(start, CodeBadNesting, "a branch leaves %d blocks, %d are open", uint64(d)+1, len(w.frames))
		return 0
	}
	target := len(w.frames) - 1 - int(d)
	if f := w.frames[target]; f.op == opcodeLoop {
		w.b.regions[f.inside].backs++
	}
	return target
}

// branchTable returns the outermost frame among the targets.
func (w *walker) branchTable() int {
	n := w.count("branch targets", w.m.limits.Targets, CodeTooManyTargets)
	w.targets += n + 1
	outermost := len(w.frames)
	for i := 0; i <= n && w.err == nil; i++ {
		target := w.branch()
		w.frames[target].chosen = true
		outermost = min(outermost, target)
	}
	return outermost
}

// leave notes that the instruction at start may continue at the label of a frame, in another region: at the beginning
// of a loop, else behind the end of a block.
func (w *walker) leave(start, target int) {
	if w.err != nil {
		return
	}
	to := w.frames[target].region
	if w.frames[target].op == opcodeLoop {
		to = w.frames[target].inside
	}
	if w.b.regions[to].loop != w.b.regions[w.region].loop {
		w.edit(start, editExit, w.region, to)
	}
}

// call redirects calls of imported functions to the functions that charge for them.
func (w *walker) call(start int) {
	w.edit(start, editCall, w.region, 0)
	if f := w.function(); w.err == nil {
		w.called(w.m.signature(f))
	}
}

func (w *walker) callIndirect(start int) {
	w.edit(start, editCall, w.region, 0)
	t := w.index("type", len(w.m.types))
	if w.index("table", len(w.m.tables)); w.err == nil {
		w.called(w.m.types[t])
	}
}

// called pays for moving arguments and results; the called function takes its own cost at its entry.
func (w *walker) called(s signature) {
	w.pay(uint64(len(s.params) + len(s.results)))
	w.b.regions[w.b.regions[w.region].loop].calls++
	w.edit(w.at, editReturned, w.region, 0)
}

// function reads the index of a function.
func (w *walker) function() uint32 {
	start := w.at
	f := w.index("function", len(w.m.funcs))
	if w.err == nil && int(f) < len(w.m.imports) {
		w.b.edits = append(w.b.edits, edit{start, w.at, editFunction, int32(f), 0, 0})
	}
	return f
}
