package gate

import "slices"

// An edit replaces the bytes from start to end, which are none where something is only put in.
type edit struct {
	start, end int
	kind       editKind
	arg, other int32
	depth      int32 // blocks open there, the function's body included
}

type editKind byte

const (
	editFunction editKind = iota // arg is an imported function: name the function that charges for it instead
	editCheck                    // charge for region arg
	editBulk                     // charge by the length on the stack; arg is the region around, other a perItem
	editCall                     // a call in region arg
	editReturned                 // behind that call
	editEnter                    // loop arg begins
	editSegment                  // segment arg begins
	editLeave                    // loop arg has ended
	editExit                     // a branch from region arg to region other
)

// rewrite returns the module with its counter.
func (m *module) rewrite() []byte {
	out := make([]byte, 0, len(m.file)+len(m.file)/4+1024)
	out = append(out, header...)
	for _, id := range sectionOrder {
		out = m.writeSection(out, id, m.find(id, ""))
	}
	if names := m.find(sectionCustom, "name"); names != nil {
		out = m.appendNames(out, *names)
	}
	return out
}

// find returns the first section of a kind, or nil.
func (m *module) find(id byte, name string) *section {
	for i := range m.sections {
		if s := &m.sections[i]; s.id == id && s.name == name {
			return s
		}
	}
	return nil
}

// writeSection appends one section; s is nil where the module has none of this kind.
func (m *module) writeSection(out []byte, id byte, s *section) []byte {
	var content []byte
	switch {
	case id == sectionType && len(m.blocks) > 0:
		content = m.newTypes(s)
	case id == sectionGlobal:
		content = m.newGlobals(s)
	case id == sectionExport:
		content = m.newExports(s)
	case id == sectionFunction && len(m.funcs) > 0:
		content = m.newFunctions()
	case id == sectionCode && len(m.funcs) > 0:
		content = m.newCode()
	case s == nil:
		return out
	case id == sectionTable:
		content = m.newTables()
	case id == sectionMemory:
		content = m.newMemories()
	case id == sectionStart || id == sectionElement:
		content = m.patched(nil, s.span)
	default:
		content = m.file[s.start:s.end]
	}
	out = appendU32(append(out, id), uint32(len(content)))
	return append(out, content...)
}

// patched appends a part of the file with the edits that fall into it.
func (m *module) patched(out []byte, s span) []byte {
	at := s.start
	first, _ := slices.BinarySearchFunc(m.edits, s.start, func(e edit, start int) int { return e.start - start })
	for _, e := range m.edits[first:] {
		if e.start >= s.end {
			break
		}
		out = append(out, m.file[at:e.start]...)
		out = appendU32(out, m.charging(e.arg))
		at = e.end
	}
	return append(out, m.file[at:s.end]...)
}

// charging returns the index of the function that stands for an imported one.
func (m *module) charging(imported int32) uint32 { return uint32(len(m.funcs)) + uint32(imported) }

// counted returns where the items of a section begin: behind their count.
func (m *module) counted(s *section) (items span, count uint32) {
	if s == nil {
		return span{}, 0
	}
	r := &reader{file: m.file, at: s.start, end: s.end}
	count = r.u32("a count")
	return span{r.at, s.end}, count
}

func (m *module) newTypes(s *section) []byte {
	items, count := m.counted(s)
	out := m.patched(appendU32(nil, count+uint32(len(m.blocks))), items)
	for _, results := range m.blocks {
		out = append(out, 0x60, 0)
		out = append(appendU32(out, uint32(len(results))), results...)
	}
	return out
}

func (m *module) newGlobals(s *section) []byte {
	items, count := m.counted(s)
	out := m.patched(appendU32(nil, count+1), items)
	out = append(out, typeI64, 1, opcodeI64Const)
	return append(appendSigned(out, InitialFuel), opcodeEnd)
}

func (m *module) newExports(s *section) []byte {
	items, count := m.counted(s)
	out := m.patched(appendU32(nil, count+1), items)
	out = append(appendName(out, FuelGlobal), kindGlobal)
	return appendU32(out, uint32(m.globals))
}

func (m *module) newFunctions() []byte {
	out := appendU32(nil, uint32(len(m.funcs)))
	for _, typ := range m.funcs[len(m.imports):] {
		out = appendU32(out, uint32(typ))
	}
	for _, im := range m.imports {
		out = appendU32(out, uint32(im.typ))
	}
	return out
}

func (m *module) newTables() []byte {
	out := appendU32(nil, uint32(len(m.tables)))
	for _, t := range m.tables {
		out = t.append(append(out, t.elem))
	}
	return out
}

func (m *module) newMemories() []byte {
	out := appendU32(nil, uint32(len(m.memories)))
	for _, l := range m.memories {
		out = l.append(out)
	}
	return out
}

func (l limit) append(out []byte) []byte {
	return appendU32(appendU32(append(out, 1), l.min), l.max)
}
