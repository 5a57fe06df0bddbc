package guest

import (
	"errors"
	"slices"

	"github.com/quern-project/quern/sdk/abi"
)

// EngineInstance is one running instance of a module, as an engine (wazero, a browser) provides it.
type EngineInstance interface {
	// Has reports whether the module exports a function.
	Has(f Function) bool
	// Invoke calls a function that the module has and returns its result, 0 where it has none. Where the call ends in
	// any other way the error is ErrFuel, ErrEnded, or says how the module trapped; the instance is then of no more use.
	Invoke(c *Call) (int32, error)
	// FuelLeft is the fuel that the last call left, below zero where it was used up.
	FuelLeft() int64
	// Size is that of the memory now, in bytes.
	Size() uint32
	// Read returns bytes of the memory, good until the next call; false where they are not all there.
	Read(at, size uint32) ([]byte, bool)
	// Arena returns the bytes of the memory that are written to from now on; false where they are not all there. They
	// are good until Arena is called again.
	Arena(at, size uint32) ([]byte, bool)
	// Copies reports whether Arena returns a copy, so that calls have to say what was written and what is to be read.
	Copies() bool
	// Close frees what the instance holds.
	Close()
}

// Call is a call of an exported function.
type Call struct {
	Function Function
	Fuel     int64
	Args     [2]uint32 // as many as the function takes
	Written  []Span    // of the arena, since the call before; of a copy alone
	Answers  Span      // of the arena that are read after the call; of a copy alone
}

// Span is a part of the arena, counted from its start.
type Span struct{ At, Size uint32 }

// How calls end, beside with a result or a trap.
var (
	ErrFuel  = errors.New("it used up its fuel")
	ErrEnded = errors.New("it ended itself (proc_exit), expected it to return")
)

// Function is a function of the contract that a module may export, by its place in Functions.
type Function int

// The functions; those of points follow, in the order of abi.Points.
const (
	version Function = iota
	manifest
	reserve
	configure
	dictionary
	errorText
	initialize
	firstPoint
)

// Functions lists the names of all functions of the contract.
func Functions() []string { return slices.Clone(names[:]) }

var names = func() (list [int(firstPoint) + len(abi.Points)]string) {
	copy(list[:], []string{abi.ExportABI, abi.ExportManifest, abi.ExportReserve, abi.ExportConfigure, abi.ExportDictionary,
		abi.ExportError, abi.ExportInitialize})
	for i, p := range abi.Points {
		list[int(firstPoint)+i] = p.Export
	}
	return list
}()

// String is the function's name.
func (f Function) String() string { return names[f] }
