package gate

import "cmp"

// Limits of the gate. A field that is zero means its default. They bound what an engine must do before the
// first instruction of a module runs, where no fuel can.
type Limits struct {
	Bytes         int    // of the file
	Code          int    // bytes of all function bodies together
	Body          int    // bytes of one function body
	Complexity    int    // of one function: see complexity.go
	Pages         uint32 // of memory, 64 KiB each; a larger declared maximum is lowered to it
	Types         int
	Params        int // of one function type or block; results likewise
	Imports       int
	Functions     int // defined ones
	Tables        int
	TableElements int // all tables together at the start; a larger declared maximum is lowered to it
	Globals       int
	Exports       int
	Elements      int // element segments; also all their items together
	Data          int // data segments
	Locals        int // of one function, parameters included
	Depth         int // blocks inside each other
	Targets       int // of one br_table
}

// DefaultLimits pass what the stock toolchains make, with room: a Go policy with encoding/json and fmt has 3 MB, 2,000
// functions, bodies up to 30 KB, blocks 549 deep, tables of 900 branch targets, 35,000 data segments and two thirds of
// the complexity. The worst modules found under all limits together compile in about three seconds on an idle machine
// (TestTheWorstAcceptedModuleCompilesInTime).
func DefaultLimits() Limits {
	return Limits{
		Bytes:         8 << 20,
		Code:          4 << 20,
		Body:          256 << 10,
		Complexity:    448 << 20,
		Pages:         256,
		Types:         4096,
		Params:        64,
		Imports:       64,
		Functions:     16384,
		Tables:        4,
		TableElements: 65536,
		Globals:       4096,
		Exports:       1024,
		Elements:      65536,
		Data:          131072,
		Locals:        2048,
		Depth:         4096,
		Targets:       4096,
	}
}

// filled returns l with defaults for the fields that are zero.
func (l Limits) filled() Limits {
	d := DefaultLimits()
	return Limits{
		Bytes:         cmp.Or(l.Bytes, d.Bytes),
		Code:          cmp.Or(l.Code, d.Code),
		Body:          cmp.Or(l.Body, d.Body),
		Complexity:    cmp.Or(l.Complexity, d.Complexity),
		Pages:         cmp.Or(l.Pages, d.Pages),
		Types:         cmp.Or(l.Types, d.Types),
		Params:        cmp.Or(l.Params, d.Params),
		Imports:       cmp.Or(l.Imports, d.Imports),
		Functions:     cmp.Or(l.Functions, d.Functions),
		Tables:        cmp.Or(l.Tables, d.Tables),
		TableElements: cmp.Or(l.TableElements, d.TableElements),
		Globals:       cmp.Or(l.Globals, d.Globals),
		Exports:       cmp.Or(l.Exports, d.Exports),
		Elements:      cmp.Or(l.Elements, d.Elements),
		Data:          cmp.Or(l.Data, d.Data),
		Locals:        cmp.Or(l.Locals, d.Locals),
		Depth:         cmp.Or(l.Depth, d.Depth),
		Targets:       cmp.Or(l.Targets, d.Targets),
	}
}
