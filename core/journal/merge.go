package journal

import "io"

// Merge merges several sources by time, and at equal times in the order of the arguments. All must write their times in the same form.
// It ends at the first error of any source, which follows the entry before it directly.
func Merge(sources ...Source) Source {
	if len(sources) == 1 {
		return sources[0]
	}
	return &merged{sources: sources, heads: make([]*Entry, len(sources)), last: -1}
}

type merged struct {
	sources []Source
	heads   []*Entry // the next entry of each source; nil at its end or before the first read
	last    int      // source of the last entry, which is read next; -1 before the first
	form    Form
	err     error
}

// Form returns the form of all sources.
func (m *merged) Form() Form { return m.form }

// Next implements Source.
func (m *merged) Next() (*Entry, error) {
	if m.err == nil {
		m.err = m.fill()
	}
	if m.err != nil {
		return nil, m.err
	}
	m.last = m.earliest()
	if m.last < 0 {
		m.err = io.EOF
		return nil, m.err
	}
	return m.heads[m.last], nil
}

// headers returns the headers of all sources, in the order of the arguments.
func (m *merged) headers() []Header {
	var all []Header
	for _, source := range m.sources {
		if h, ok := source.(headed); ok {
			all = append(all, h.headers()...)
		}
	}
	return all
}

// fill reads the next entry of the last source, or at first of all sources.
func (m *merged) fill() error {
	if m.last >= 0 {
		return m.read(m.last)
	}
	for i := range m.sources {
		if err := m.read(i); err != nil {
			return err
		}
	}
	return nil
}

func (m *merged) read(i int) error {
	head, err := m.sources[i].Next()
	m.heads[i] = head
	if err == io.EOF {
		m.heads[i] = nil
		return m.agree(m.ended(i), m.sources[i])
	}
	if err != nil {
		return err
	}
	return m.agree(head, m.sources[i])
}

// ended returns the position of a source without inputs, for an error about a time in its first line.
func (m *merged) ended(i int) *Entry {
	if h, ok := m.sources[i].(headed); ok {
		for _, h := range h.headers() {
			return &Entry{File: h.File, Line: h.Line}
		}
	}
	return &Entry{}
}

// agree checks that a source writes its times in the same form as the others.
func (m *merged) agree(head *Entry, source Source) error {
	f, ok := source.(former)
	if !ok || f.Form() == UnknownForm || f.Form() == m.form {
		return nil
	}
	if m.form != UnknownForm {
		return &Error{File: head.File, Line: head.Line, Key: keyAt.String(),
			Expected: m.form.String() + " as in the journals before", Found: f.Form().String()}
	}
	m.form = f.Form()
	return nil
}

// earliest returns the first source with the earliest entry, or -1 if all are at their end.
func (m *merged) earliest() int {
	best := -1
	for i, head := range m.heads {
		if head != nil && (best < 0 || head.Input.At < m.heads[best].Input.At) {
			best = i
		}
	}
	return best
}
