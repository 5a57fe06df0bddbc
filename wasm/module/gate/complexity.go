package gate

// Compilers take more than linear time for some code, and an attacker looks for it. What the time of wazero's optimizing
// compiler (1.12) was found to grow with, one unit being about 10 ns:
const (
	byteUnits   = 60  // for each byte of code
	blockUnits  = 150 // for each basic block
	targetUnits = 500 // for each target of a br_table
	joinUnits   = 150 // for each local that may differ where control flow joins, at each join
	bulkBlocks  = 5   // basic blocks that an instruction of bulk memory or tables, or of growing, becomes with its charge
	// and 1 for each pair of basic blocks, 1/2 for each pair of a block and an instruction of a function
)

// A complexity is what counts in one function. The gate adds the units of all functions up, so that many middling
// functions are no way around the limit.
type complexity struct {
	blocks       int // basic blocks after the rewrite
	joins        int // ends of blocks and beginnings of loops
	writes       int // of locals
	targets      int // of br_tables
	instructions int
}

func (c complexity) units(size, locals int) uint64 {
	blocks := uint64(c.blocks)
	return byteUnits*uint64(size) + targetUnits*uint64(c.targets) +
		blockUnits*blocks + blocks*blocks + blocks*uint64(c.instructions)/2 +
		joinUnits*uint64(c.joins)*uint64(min(locals, c.writes))
}

// checkComplexity adds a function that began at start to the module's sum.
func (w *walker) checkComplexity(start int) {
	w.m.complex += w.units(w.b.size(), w.b.locals)
	if w.err == nil && w.m.complex > uint64(w.m.limits.Complexity) {
		w.fail(start, CodeTooComplex, "with a function of %d bytes, %d basic blocks, %d branch targets, and %d locals set at %d joins the module is too slow to compile: %d units, at most %d are allowed",
			w.b.size(), w.blocks, w.targets, min(w.b.locals, w.writes), w.joins, w.m.complex, w.m.limits.Complexity)
	}
}
