package fuel

// Compilers take more than linear time for some code. What the time of wazero 1.12 grows with, as measured on its
// optimizing compiler, is the square of a function's basic blocks (loop analysis, register allocation), and joins of
// control flow times the locals that may differ there. The gate adds this up over the functions of a module, so that
// many middling functions are no way around the limit either. A unit is about 10 ns.
type complexity struct {
	blocks int // basic blocks after the rewrite
	joins  int // ends of blocks and beginnings of loops
	writes int // of locals
}

const joinCost = 75 // of one local at one join

// of returns the units of one function with this many locals.
func (c complexity) units(locals int) uint64 {
	return uint64(c.blocks)*uint64(c.blocks) + joinCost*uint64(c.joins)*uint64(min(locals, c.writes))
}

// checkComplexity adds a function that began at start to the module's sum.
func (w *walker) checkComplexity(start int) {
	w.m.complex += w.units(w.b.locals)
	if w.err == nil && w.m.complex > uint64(w.m.limits.Complexity) {
		w.fail(start, CodeTooComplex, "with %d basic blocks in this function, and %d locals changed over %d joins, the module is too slow to compile: %d units, at most %d are allowed",
			w.blocks, min(w.b.locals, w.writes), w.joins, w.m.complex, w.m.limits.Complexity)
	}
}
