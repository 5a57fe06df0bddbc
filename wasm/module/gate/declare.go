package gate

// This file reads the sections that declare things: types, imports, functions, tables, memories, globals, exports.

func (m *module) readTypes(r *reader) {
	n := r.count("types", m.limits.Types, CodeTooManyTypes)
	for range n {
		if start := r.at; r.byte("a type") != 0x60 {
			r.fail(start, CodeBadType, "type %d is no function type", len(m.types))
			return
		}
		m.types = append(m.types, signature{m.readValueTypes(r, "parameters"), m.readValueTypes(r, "results")})
	}
}

func (m *module) readValueTypes(r *reader, what string) []byte {
	n := r.count(what, m.limits.Params, CodeTooManyParams)
	types := make([]byte, n)
	for i := range types {
		types[i] = m.valueType(r)
	}
	return types
}

func (m *module) valueType(r *reader) byte {
	start := r.at
	t := r.byte("a value type")
	switch t {
	case typeI32, typeI64, 0x7d, 0x7c:
	case typeV128:
		m.features[simd] = true
	case typeFuncref, typeExternref:
		m.features[referenceTypes] = true
	default:
		r.fail(start, CodeBadType, "unknown value type %#x", t)
	}
	return t
}

func refType(r *reader) byte {
	start := r.at
	t := r.byte("a reference type")
	if t != typeFuncref && t != typeExternref {
		r.fail(start, CodeBadType, "expected funcref or externref, found type %#x", t)
	}
	return t
}

func (m *module) readImports(r *reader) {
	n := r.count("imports", m.limits.Imports, CodeTooManyImports)
	for range n {
		im := importedFunc{offset: r.at}
		im.module, im.name = r.name("the module of an import"), r.name("the name of an import")
		if kind := r.byte("the kind of an import"); kind != kindFunc {
			r.fail(im.offset, CodeImport, "%q %q has kind %d, only functions may be imported", im.module, im.name, kind)
			return
		}
		im.typ = int(r.index("type", len(m.types)))
		m.imports = append(m.imports, im)
		m.funcs = append(m.funcs, im.typ)
	}
}

func (m *module) readFunctions(r *reader) {
	n := r.count("functions", m.limits.Functions, CodeTooManyFuncs)
	for range n {
		m.funcs = append(m.funcs, int(r.index("type", len(m.types))))
	}
}

// readTables also lowers each table's maximum, so that all tables together stay within what the limits allow each.
func (m *module) readTables(r *reader) {
	n := r.count("tables", m.limits.Tables, CodeTooManyTables)
	left := uint64(m.limits.TableElements)
	for range n {
		start := r.at
		t := table{elem: refType(r)}
		t.limit = m.readLimit(r, CodeBadType)
		if uint64(t.min) > left {
			r.fail(start, CodeTableTooLarge, "table %d starts with %d elements, %d of %d are left", len(m.tables), t.min, left, m.limits.TableElements)
			return
		}
		left -= uint64(t.min)
		t.lower(max(t.min, uint32(m.limits.TableElements)))
		m.tables = append(m.tables, t)
	}
}

func (m *module) readMemories(r *reader) {
	start := r.at
	if n := r.u32("the number of memories"); n > 1 {
		r.fail(start, CodeMemory, "%d memories, at most one is allowed", n)
		return
	} else if n == 0 {
		return
	}
	start = r.at
	l := m.readLimit(r, CodeMemory)
	if l.min > m.limits.Pages {
		r.fail(start, CodeMemoryTooLarge, "memory starts with %d pages of 64 KiB, at most %d are allowed", l.min, m.limits.Pages)
		return
	}
	if l.bounded && l.max > 65536 {
		r.fail(start, CodeMemory, "the maximum of memory is %d pages, 32 bits address 65536", l.max)
	}
	l.lower(m.limits.Pages)
	m.memories = append(m.memories, l)
}

// lower sets the maximum to at most max.
func (l *limit) lower(max uint32) {
	if !l.bounded || l.max > max {
		l.bounded, l.max = true, max
	}
}

// readLimit reads a minimum and perhaps a maximum; code names the refusal of shared and of 64 bit forms.
func (m *module) readLimit(r *reader, code Code) limit {
	start := r.at
	flags := r.byte("limits")
	if flags > 1 {
		r.fail(start, code, "limits have flags %#x, shared and 64 bit forms are not allowed", flags)
		return limit{}
	}
	l := limit{min: r.u32("a minimum")}
	if flags == 1 {
		l.bounded, l.max = true, r.u32("a maximum")
		if l.max < l.min {
			r.fail(start, CodeBadCount, "the maximum %d is below the minimum %d", l.max, l.min)
		}
	}
	return l
}

func (m *module) readGlobals(r *reader) {
	n := r.count("globals", m.limits.Globals, CodeTooManyGlobals)
	for range n {
		m.valueType(r)
		start := r.at
		if mut := r.byte("the mutability of a global"); mut > 1 {
			r.fail(start, CodeBadType, "the mutability of a global is %d, expected 0 or 1", mut)
		}
		m.constant(r)
		m.globals++
	}
}

func (m *module) readExports(r *reader) {
	n := r.count("exports", m.limits.Exports, CodeTooManyExports)
	seen := map[string]bool{}
	for range n {
		e := export{offset: r.at}
		e.name, e.kind = r.name("the name of an export"), r.byte("the kind of an export")
		switch e.kind {
		case kindFunc:
			e.index = m.functionIndex(r)
		case kindTable:
			e.index = r.index("table", len(m.tables))
		case kindMemory:
			e.index = r.index("memory", len(m.memories))
		case kindGlobal:
			e.index = r.index("global", m.globals)
		default:
			r.fail(e.offset, CodeBadType, "export %q has kind %d, expected a function, table, memory or global", e.name, e.kind)
		}
		if seen[e.name] {
			r.fail(e.offset, CodeDuplicate, "two exports are named %q", e.name)
		}
		if e.name == FuelGlobal {
			r.fail(e.offset, CodeReservedName, "the export name %q belongs to the fuel counter", e.name)
		}
		seen[e.name] = true
		m.exports = append(m.exports, e)
	}
}
