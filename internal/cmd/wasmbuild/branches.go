package main

import (
	"encoding/binary"
	"slices"
)

// shortenBranches rewrites the branches in the code section.
//
// The compiler puts a loop around each function with several blocks. It begins with a table of branches to the blocks; a
// jump sets a variable to the number of the block, and branches to the loop. A jump forward becomes a single branch, to
// the block instruction that ends at its target, which is faster, too. Calls are followed by a branch to a common
// return of 1, taken when the goroutine is switched. Its distance differs from call to call and compresses badly; a
// return at each call is longer and always the same.
func shortenBranches(code *section) error {
	n, items := count(code.content)
	r := &reader{rest: items}
	var out []byte
	for range n {
		body := r.bytes(r.unsigned())
		if r.failed {
			return errModule
		}
		if b := shortenFunction(body); b != nil {
			body = b
		}
		out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
	}
	code.content = counted(n, out)
	return nil
}

// shortenFunction returns the body of a function with shorter branches, or nil for one that is not as the compiler writes it.
func shortenFunction(body []byte) []byte {
	r := &reader{rest: body}
	for n := r.unsigned(); n > 0; n-- {
		r.unsigned()
		r.byte()
	}
	locals := body[:len(body)-len(r.rest)]
	list := readInstructions(r.rest)
	if list == nil {
		return nil
	}
	drop := make([]bool, len(list))
	shortenJumps(list, drop)
	returnAtOnce(list, drop)
	return appendInstructions(slices.Clone(locals), list, drop)
}

// blockNumber is the local variable that says with which block of a function to go on.
const blockNumber = 0

// shortenJumps makes jumps forward direct, and drops the loop if no jump goes back.
func shortenJumps(list []instruction, drop []bool) {
	table := slices.IndexFunc(list, func(i instruction) bool { return i.op == opBrTable })
	if table < 0 {
		return
	}
	blocks := list[table].targets
	loop := slices.Min(blocks) - 1
	if loop < 0 || !dispatches(list, loop, table) {
		return
	}
	back := false
	for at := table + 1; at < len(list); at++ {
		if i := list[at]; i.targets == nil || i.targets[0] != loop {
			continue
		}
		constant, set, jump := &list[at-2], list[at-1], list[at]
		if constant.op != opI32Const || set.op != opLocalSet || set.n != blockNumber || jump.op != opBr {
			back = true
			continue
		}
		to := blocks[min(int(constant.n), len(blocks)-1)]
		if list[to].other < at {
			back = true
			continue
		}
		*constant = instruction{op: opBr, targets: []int{to}}
		drop[at-1], drop[at] = true, true
		if list[at-3].op == opIf && list[at+1].op == opEnd {
			constant.op = opBrIf
			drop[at-3], drop[at+1] = true, true
		}
	}
	if !back {
		drop[loop], drop[list[loop].other] = true, true
	}
}

// dispatches reports whether a loop begins with nothing but the table of branches by block number, and whether nothing else
// depends on that number: an indirect call may keep its function there for an instruction.
func dispatches(list []instruction, loop, table int) bool {
	if list[loop].op != opLoop || list[table-1].op != opLocalGet || list[table-1].n != blockNumber {
		return false
	}
	for at, i := range list {
		switch {
		case at > loop && at < table-1:
			if i.op != opBlock {
				return false
			}
		case at != table-1 && i.op == opLocalGet && i.n == blockNumber:
			if at < 2 || list[at-1].op != opI32Const || list[at-2].op != opLocalSet || list[at-2].n != blockNumber {
				return false
			}
		}
	}
	return true
}

// returnOne is what a call is followed by: if it answered other than 0, the function returns 1.
var returnOne = []byte{0x40, opI32Const, 1, opReturn, opEnd}

// returnAtOnce replaces branches to the return of 1 at the end of a function by such a return.
func returnAtOnce(list []instruction, drop []bool) {
	last := len(list) - 1
	if last < 2 || list[last].op != opI32Const || list[last].n != 1 || list[last-1].op != opEnd || list[last-2].op != opUnreachable {
		return
	}
	block := list[last-1].other
	if list[block].op != opBlock {
		return
	}
	for at, i := range list {
		if i.op == opBrIf && i.targets[0] == block {
			list[at] = instruction{op: opIf, rest: returnOne, other: at}
		} else if slices.Contains(i.targets, block) {
			return
		}
	}
	drop[block], drop[last-1], drop[last] = true, true, true
}
