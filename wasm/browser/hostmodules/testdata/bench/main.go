//go:build wasip1

// Command bench asks a policy module beside it about rows of a table, again and again, as a scheduler does.
package main

import (
	"unsafe"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/wasm/browser/hostmodules"
	"github.com/quern-project/quern/wasm/browser/rpc"
)

var (
	modules hostmodules.Modules
	file    []byte
	table   *policy.Table
	rows    int32
	next    int32
)

func main() {}

//go:wasmexport room
func room(size uint32) unsafe.Pointer {
	file = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(file))
}

// prepare loads the module in the room and asks it about so many rows.
//
//go:wasmexport prepare
func prepare(n int32) {
	loaded, err := modules.Load("bench", file, rpc.Limits{})
	if err != nil {
		panic(err)
	}
	set, err := modules.Announce(loaded.Name, nil)
	if err != nil {
		panic(err)
	}
	table, rows = tableOf(set), n
	many(1)
}

func tableOf(set core.PolicyModule) *policy.Table {
	m, err := policy.ParseManifest(set.Manifest)
	if err != nil {
		panic(err)
	}
	types := resource.NewTypes()
	for _, name := range []string{"memory", "vcore", "gpu"} {
		types.Intern(name)
	}
	return policy.NewTable(&policy.Acting{Point: policy.NodeScore, Symbols: policy.NewSymbolTable(types),
		Module:  &policy.Module{Manifest: *m, Evaluator: modules.Evaluator(core.Announcement{PolicyModule: set, Parsed: m.Clone()})},
		OnFault: func(_ *policy.Acting, fault error) { panic(fault) }})
}

// dirty asks so often about one row that changed.
//
//go:wasmexport dirty
func dirty(times int32) {
	for range times {
		next = (next + 7919) % rows
		table.Touch(next)
		table.Flush(numbers{}, drop)
	}
}

// many asks so often about all rows.
//
//go:wasmexport many
func many(times int32) {
	for range times {
		for r := range rows {
			table.Touch(r)
		}
		table.Flush(numbers{}, drop)
	}
}

// numbers fills columns with the number of the row.
type numbers struct{}

func (numbers) Name(int32) string { return "item" }

func (numbers) Fill(row int32, columns []policy.Column, cols [][]float64) {
	for i := range columns {
		cols[i][row] = float64(row)
	}
}

func drop(int32, []float64) {}
