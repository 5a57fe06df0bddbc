package gate

// appendNames appends the name section, so that traps name functions. Only the names of the module and of functions
// are kept, and nothing at all of a section that is not well formed: engines trust its counts more than they should.
func (m *module) appendNames(out []byte, s section) []byte {
	r := &reader{file: m.file, at: s.start, end: s.end, function: -1}
	content := appendName(nil, r.name("name"))
	for r.more() {
		start := r.at
		id := r.byte("a subsection")
		size := r.u32("its size")
		if uint64(size) > uint64(r.end-r.at) || r.err != nil {
			return out
		}
		inner := &reader{file: m.file, at: r.at, end: r.at + int(size), function: -1}
		r.at = inner.end
		switch id {
		case 0:
			inner.name("the name of the module")
		case 1:
			m.checkFunctionNames(inner)
		default:
			continue
		}
		if inner.done(); inner.err != nil {
			return out
		}
		content = append(content, m.file[start:r.at]...)
	}
	out = appendU32(append(out, sectionCustom), uint32(len(content)))
	return append(out, content...)
}

// checkFunctionNames wants each function at most once, in order.
func (m *module) checkFunctionNames(r *reader) {
	n := r.count("names", len(m.funcs), CodeBadCount)
	next := uint32(0)
	for range n {
		start := r.at
		if f := r.index("function", len(m.funcs)); f < next {
			r.fail(start, CodeBadIndex, "names out of order")
		} else {
			next = f + 1
		}
		r.name("the name of a function")
	}
}
