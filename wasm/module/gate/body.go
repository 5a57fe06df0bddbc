package gate

import (
	"bytes"
	"slices"
)

// This file writes function bodies.

// writeBody appends a body with its checks, and with locals for them behind its own. All checks of a function branch to
// one place behind its code, which is smaller and up to a fifth faster than a trap at each:
//
//	block
//	  block (results) … the body … end
//	  return
//	end
//	unreachable
//
// The inner block stands for the function's body, so branches keep their depths.
func (m *module) writeBody(b *body) {
	out := m.openBody(b)
	c := meter{fuel: uint32(m.globals), local: uint32(b.locals), regions: b.regions}
	at := b.code
	for _, e := range b.edits {
		out = append(out, m.file[at:e.start]...)
		if at = e.end; e.kind == editFunction {
			out = appendU32(out, m.charging(e.arg))
		} else {
			out = c.insert(out, e)
		}
	}
	out = append(append(out, m.file[at:b.end]...), opcodeReturn, opcodeEnd)
	if b.copies {
		out = c.store(out)
	}
	m.appendBody(append(out, opcodeUnreachable, opcodeEnd))
}

// openBody begins a body with its locals and the two blocks.
func (m *module) openBody(b *body) []byte {
	groups := 1
	if b.bulk {
		groups++
	}
	out := appendU32(m.body[:0], uint32(b.declared+groups))
	out = append(out, m.file[b.groups:b.code]...)
	out = append(out, 1, typeI64)
	if b.bulk {
		out = append(out, 1, typeI32)
	}
	out = append(out, opcodeBlock, blockVoid, opcodeBlock)
	return m.appendBlockType(out, m.types[b.typ].results)
}

// appendBlockType appends the type of a block without parameters. Several results need a type of their own.
func (m *module) appendBlockType(out, results []byte) []byte {
	switch len(results) {
	case 0:
		return append(out, blockVoid)
	case 1:
		return append(out, results[0])
	}
	i := slices.IndexFunc(m.blocks, func(have []byte) bool { return bytes.Equal(have, results) })
	if i < 0 {
		i = len(m.blocks)
		m.blocks = append(m.blocks, results)
	}
	return appendSigned(out, int64(len(m.types)+i))
}

func (m *module) appendBody(body []byte) {
	m.body = body
	m.code = append(appendU32(m.code, uint32(len(body))), body...)
}

// writeCharging appends the body of the function that stands for an imported one: it takes the call's cost, with that
// of the length among its arguments, and passes on to the import.
func (m *module) writeCharging(index int) {
	im := m.imports[index]
	s := m.types[im.typ]
	c := meter{fuel: uint32(m.globals), local: uint32(len(s.params)), regions: []region{{cost: hostCost + uint64(len(s.params)+len(s.results))}}}
	out := append(m.body[:0], 1, 1, typeI64, opcodeBlock, blockVoid)
	out = c.region(out, 0, 0)
	if a, known := allowed(im.module, im.name); known && a.length >= 0 && s.equal(a.signature) {
		out = c.take(c.units(c.globalGet(out), uint32(a.length), a.per), false, 0)
	}
	for i := range s.params {
		out = appendU32(append(out, opcodeLocalGet), uint32(i))
	}
	out = appendU32(append(out, opcodeCall), uint32(index))
	m.appendBody(append(out, opcodeReturn, opcodeEnd, opcodeUnreachable, opcodeEnd))
}

// newCode returns the content of the code section.
func (m *module) newCode() []byte {
	for i := range m.imports {
		m.writeCharging(i)
	}
	return append(appendU32(nil, uint32(len(m.funcs))), m.code...)
}
