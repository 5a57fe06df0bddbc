package main

import (
	"encoding/binary"
	"slices"
)

// The instructions that packing looks at.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opI32Const    = 0x41
)

// instruction is one of a function's. Branches and blocks refer to each other by their position in the function.
type instruction struct {
	op      byte
	n       int64  // the operand of a constant or a local
	rest    []byte // the operands as they are encoded, except of branches
	targets []int  // of a branch, a table of branches: the blocks that it leaves, or the loops that it repeats; outermost: the function
	other   int    // of a block, its end, or itself if rest has all of it; of an end, its block
}

// outermost is the block that the body of a function is.
const outermost = -1

// readInstructions reads the instructions of a function without its last end; nil: one is unknown.
func readInstructions(code []byte) []instruction {
	r := &reader{rest: code}
	var list []instruction
	open := []int{outermost}
	target := func() int {
		if depth := r.unsigned(); depth < uint64(len(open)) {
			return open[len(open)-1-int(depth)]
		}
		r.failed = true
		return outermost
	}
	for !r.failed {
		i := instruction{op: r.byte()}
		operands := r.rest
		switch {
		case i.op == opBr, i.op == opBrIf:
			i.targets = []int{target()}
		case i.op == opBrTable:
			for n := r.unsigned() + 1; n > 0 && !r.failed; n-- {
				i.targets = append(i.targets, target())
			}
		case i.op == opBlock, i.op == opLoop, i.op == opIf:
			r.byte()
			open = append(open, len(list))
		case i.op == opEnd && len(open) == 1:
			if len(r.rest) > 0 {
				return nil
			}
			return list
		case i.op == opEnd:
			i.other = open[len(open)-1]
			list[i.other].other = len(list)
			open = open[:len(open)-1]
		case !skipOperands(r, &i):
			return nil
		}
		if i.targets == nil {
			i.rest = operands[:len(operands)-len(r.rest)]
		}
		list = append(list, i)
	}
	return nil
}

// skipOperands reads the operands of instructions that are no branch or block; false: the instruction is unknown.
func skipOperands(r *reader, i *instruction) bool {
	switch op := i.op; {
	case op == opI32Const, op == 0x42: // constants
		i.n = r.signed()
	case op >= opLocalGet && op <= 0x24, op == 0x10: // variables, call
		i.n = int64(r.unsigned())
	case op == 0x11, op >= 0x28 && op <= 0x3e: // indirect call, loads and stores
		r.unsigned()
		r.unsigned()
	case op == 0x3f, op == 0x40: // memory size
		r.byte()
	case op == 0x43:
		r.bytes(4)
	case op == 0x44:
		r.bytes(8)
	case op == 0xfc:
		switch kind := r.unsigned(); {
		case kind == 10: // memory.copy
			r.bytes(2)
		case kind == 11: // memory.fill
			r.byte()
		case kind > 7:
			return false
		}
	case op <= 0x01, op == opElse, op == opReturn, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4:
	default:
		return false
	}
	return true
}

// appendInstructions writes instructions, without those that drop has, and the end of the function.
func appendInstructions(out []byte, list []instruction, drop []bool) []byte {
	var open []int
	depth := func(target int) uint64 {
		i := slices.Index(open, target)
		return uint64(len(open) - 1 - i)
	}
	for at, i := range list {
		if drop[at] {
			continue
		}
		out = append(out, i.op)
		switch i.op {
		case opBlock, opLoop, opIf:
			if i.other != at {
				open = append(open, at)
			}
		case opEnd:
			open = open[:len(open)-1]
		case opBrTable:
			out = binary.AppendUvarint(out, uint64(len(i.targets)-1))
		}
		for _, t := range i.targets {
			out = binary.AppendUvarint(out, depth(t))
		}
		out = append(out, i.rest...)
	}
	return append(out, opEnd)
}
