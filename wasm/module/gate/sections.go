package gate

import (
	"bytes"
	"slices"
)

// Identifiers of sections, in the order in which they must come.
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionTable    = 4
	sectionMemory   = 5
	sectionGlobal   = 6
	sectionExport   = 7
	sectionStart    = 8
	sectionElement  = 9
	sectionCount    = 12 // the number of data segments, so that code can be checked before they come
	sectionCode     = 10
	sectionData     = 11
)

var sectionOrder = []byte{sectionType, sectionImport, sectionFunction, sectionTable, sectionMemory, sectionGlobal,
	sectionExport, sectionStart, sectionElement, sectionCount, sectionCode, sectionData}

var sectionNames = map[byte]string{sectionCustom: "custom", sectionType: "type", sectionImport: "import",
	sectionFunction: "function", sectionTable: "table", sectionMemory: "memory", sectionGlobal: "global",
	sectionExport: "export", sectionStart: "start", sectionElement: "element", sectionCount: "data count",
	sectionCode: "code", sectionData: "data"}

// header is what a module of the binary format version 1 begins with.
var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// decode reads a whole module within limits, function bodies included; when writing, it makes their new form as well.
func decode(file []byte, limits Limits, writing bool) (*module, error) {
	m := &module{file: file, limits: limits.filled(), start: -1, data: -1, writing: writing}
	r := &reader{file: file, end: len(file), function: -1}
	m.checkHeader(r)
	place := 0 // in sectionOrder: sections before it may not come any more
	for r.more() {
		place = m.section(r, place)
	}
	if r.err == nil {
		m.checkCounts(r)
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

func (m *module) checkHeader(r *reader) {
	switch file := m.file; {
	case len(file) > m.limits.Bytes:
		r.fail(0, CodeTooLarge, "the file has %d bytes, at most %d are allowed", len(file), m.limits.Bytes)
	case len(file) < 4 || !bytes.Equal(file[:4], header[:4]):
		r.fail(0, CodeBadMagic, "a module begins with the bytes 00 61 73 6d, this one with % x", file[:min(4, len(file))])
	case len(file) < 8:
		r.fail(4, CodeTruncated, "ended before the version")
	case !bytes.Equal(file[4:8], header[4:]):
		r.fail(4, CodeBadVersion, "the version is % x, expected 01 00 00 00", file[4:8])
	default:
		r.at = 8
	}
}

// section reads one section and returns the place of the next one in sectionOrder.
func (m *module) section(r *reader, place int) int {
	start := r.at
	id := r.byte("a section's identifier")
	size := r.u32("a section's size")
	if r.err != nil {
		return place
	}
	if uint64(size) > uint64(r.end-r.at) {
		r.fail(start, CodeTruncated, "section %d says %d bytes, %d are left", id, size, r.end-r.at)
		return place
	}
	s := section{id: id, span: span{r.at, r.at + int(size)}}
	if id != sectionCustom {
		found := slices.Index(sectionOrder, id)
		if found < place {
			r.fail(start, CodeSectionOrder, "section %d is unknown, twice there or out of order", id)
			return place
		}
		place = found + 1
	}
	inner := &reader{file: m.file, at: s.start, end: s.end, section: sectionNames[id], function: -1}
	m.content(inner, &s)
	m.sections = append(m.sections, s)
	r.at, r.err = s.end, inner.err
	return place
}

func (m *module) content(r *reader, s *section) {
	switch s.id {
	case sectionCustom:
		s.name = r.name("the name of a custom section")
		r.at = r.end
	case sectionType:
		m.readTypes(r)
	case sectionImport:
		m.readImports(r)
	case sectionFunction:
		m.readFunctions(r)
	case sectionTable:
		m.readTables(r)
	case sectionMemory:
		m.readMemories(r)
	case sectionGlobal:
		m.readGlobals(r)
	case sectionExport:
		m.readExports(r)
	case sectionStart:
		m.start = int(m.functionIndex(r))
	case sectionElement:
		m.readElements(r)
	case sectionCount:
		m.data = r.dataCount(m.limits.Data)
	case sectionCode:
		m.readCode(r)
	case sectionData:
		m.readData(r)
	}
	r.done()
}

// checkCounts compares sections that must agree about a count, after all were read.
func (m *module) checkCounts(r *reader) {
	if defined := len(m.funcs) - len(m.imports); defined != m.bodies {
		r.fail(r.end, CodeBadCount, "%d functions are declared, %d have a body", defined, m.bodies)
	}
	if m.data > 0 && !slices.ContainsFunc(m.sections, func(s section) bool { return s.id == sectionData }) {
		r.fail(r.end, CodeBadCount, "%d data segments are announced, there are none", m.data)
	}
}
