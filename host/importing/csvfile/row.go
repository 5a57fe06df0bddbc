package csvfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/importing"
)

// bound is a field whose columns were found in a list. Places below 0 are none.
type bound struct {
	*field
	at, timesAt, perAt int
}

// binder finds the columns of fields.
type binder struct {
	t    *table
	errs []*importing.Error
}

func (b *binder) column(name, key string) int {
	if name == "" {
		return -1
	}
	found := -1
	for i, n := range b.t.names {
		if n == name && found >= 0 {
			b.errs = append(b.errs, &importing.Error{File: b.t.file, Line: 1, Key: name, Expected: "the column once", Found: "it twice"})
		}
		if n == name {
			found = i
		}
	}
	if found < 0 {
		b.errs = append(b.errs, &importing.Error{File: b.t.file, Line: 1, Key: name, Expected: "the column, which " + key + " of the mapping names", Found: "none"})
	}
	return found
}

func (b *binder) field(f *field) *bound {
	if f == nil {
		return nil
	}
	return &bound{f, b.column(f.column, f.key), b.column(f.times, f.key+".times"), b.column(f.per, f.key+".per")}
}

// fields are bound in the order of their names.
func (b *binder) fields(all map[string]*field) []*bound {
	var list []*bound
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, b.field(all[name]))
	}
	return list
}

func (b *binder) only(all map[string][]string, key string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		o := only{b.column(name, key+".only"), map[string]bool{}, name + " is not among those of " + key + ".only"}
		for _, text := range all[name] {
			o.texts[text] = true
		}
		b.t.only = append(b.t.only, o)
	}
}

// row is a row that is read, with what is wrong with it.
type row struct {
	*table
	errs []*importing.Error
}

// others maps every text that a map does not name.
const others = "*"

// text reads a field as it is, with pattern, default, map and prefix applied; empty where there is no such field.
func (r *row) text(f *bound) string {
	switch {
	case f == nil:
		return ""
	case f.at < 0:
		return f.value
	}
	text := r.cell(f.at)
	if !utf8.ValidString(text) {
		r.fail(f, f.at, "text in UTF-8", text)
		return ""
	}
	if f.pattern != nil {
		if m := f.pattern.FindStringSubmatch(text); m != nil {
			text = m[1]
		} else {
			text = ""
		}
	}
	if text == "" {
		return f.missing
	}
	if f.values != nil {
		mapped, ok := f.values[text]
		if !ok {
			mapped, ok = f.values[others]
		}
		if !ok {
			r.fail(f, f.at, "one of the texts of "+f.key+".map", text)
		}
		text = mapped
	}
	return f.prefix + text
}

// cell is the text of a column without blanks around it; empty for those that the mapping calls empty.
func (r *row) cell(at int) string {
	text := strings.TrimSpace(r.cells[at])
	if r.m.empty[text] {
		return ""
	}
	return text
}

// list reads a field as several texts, without empty ones and each once.
func (r *row) list(f *bound) []string {
	text := r.text(f)
	if text == "" {
		return nil
	}
	if f.split == "" {
		return []string{text}
	}
	var items []string
	for item := range strings.SplitSeq(text, f.split) {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}

// needed reads a text that must not be empty.
func (r *row) needed(f *bound, what string) string {
	text := r.text(f)
	if text == "" && len(r.errs) == 0 {
		r.fail(f, f.at, what, text)
	}
	return text
}

// fail notes what is wrong with a column.
func (r *row) fail(f *bound, at int, expected, found string) {
	e := r.place(f, at)
	e.Expected, e.Found = expected, importing.Quote(found)
	r.errs = append(r.errs, e)
}

func (r *row) because(f *bound, err error) { r.errs = append(r.errs, r.place(f, f.at).Because(err)) }

func (r *row) place(f *bound, at int) *importing.Error {
	e := &importing.Error{File: r.file, Line: r.line, Key: f.key}
	if at >= 0 {
		e.Line, e.Column = r.rows.FieldPos(at)
		e.Key = fmt.Sprintf("%s (%s)", r.names[at], f.key)
	}
	return e
}

// checkTexts refuses a row whose texts the scheduler would refuse. One error is enough: an application often has the name of its ask.
func (r *row) checkTexts(e core.Event) {
	if len(r.errs) > 0 {
		return
	}
	if long := importing.LongText(r.file, r.line, e); long != nil {
		r.errs = append(r.errs, long)
	}
}
