package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

type row struct {
	number int64
	text   ID
	_      [100]byte // so that a page has few rows
}

// copyRow is a row of the model, which copies everything.
type copyRow struct {
	number int64
	text   string
	lanes  []int64
	column int16
	ref    Ref
}

// lineage holds one table of each kind, and the plain maps that are their model.
type lineage struct {
	rows    *Table[row]
	column  *Column[int16]
	records *Records[[]int64]
	vectors *Vectors
	texts   *Texts
	strings *Strings
	index   *Index

	model map[ID]copyRow
	ended []Ref
	known []string
	types int
}

func newLineage() *lineage {
	return &lineage{rows: New[row](), column: NewColumn[int16](), records: NewRecords[[]int64](), vectors: NewVectors(1), texts: NewTexts(), strings: NewStrings(), index: NewIndex(), model: map[ID]copyRow{}, types: 1}
}

// version is a frozen lineage.
type version struct {
	rows    Frozen[row]
	column  FrozenColumn[int16]
	records FrozenRecords[[]int64]
	vectors FrozenVectors
	texts   FrozenTexts
	strings FrozenStrings
	index   FrozenIndex

	model map[ID]copyRow
	ended []Ref
	known []string
	types int
}

func copyModel(model map[ID]copyRow) map[ID]copyRow {
	model = maps.Clone(model)
	for id, r := range model {
		r.lanes = slices.Clone(r.lanes)
		model[id] = r
	}
	return model
}

func (l *lineage) freeze() *version {
	return &version{l.rows.Freeze(), l.column.Freeze(), l.records.Freeze(), l.vectors.Freeze(), l.texts.Freeze(), l.strings.Freeze(), l.index.Freeze(),
		copyModel(l.model), slices.Clone(l.ended), slices.Clone(l.known), l.types}
}

func (v *version) fork() *lineage {
	return &lineage{v.rows.Fork(), v.column.Fork(), v.records.Fork(), v.vectors.Fork(), v.texts.Fork(), v.strings.Fork(), v.index.Fork(),
		copyModel(v.model), slices.Clone(v.ended), slices.Clone(v.known), v.types}
}

// find returns the row with a text.
func (l *lineage) find(text string) ID {
	return l.index.Find(text, func(id ID) bool { return l.texts.Is(l.rows.At(id).text, text) })
}

// draw returns a number below n. Each source of test cases provides one.
type draw func(n int) int

func (l *lineage) text(draw draw) string {
	return strings.Repeat("x", draw(3)*draw(40)) + fmt.Sprint(draw(1000))
}

func (l *lineage) add(draw draw) {
	text := l.text(draw)
	if l.find(text) != None {
		return
	}
	number := int64(draw(1000)) + 1
	id := l.rows.Add(row{number: number, text: l.texts.Add(text)})
	clear(l.vectors.Edit(id))
	*l.column.Edit(uint32(id) * 1000) = 0
	l.records.Set(uint32(id), nil)
	l.index.Add(text, id)
	l.model[id] = copyRow{number: number, text: text, lanes: make([]int64, l.types), ref: l.rows.Ref(id)}
}

// some returns a row that is in use, or None.
func (l *lineage) some(draw draw) ID {
	if len(l.model) == 0 {
		return None
	}
	ids := slices.Sorted(maps.Keys(l.model))
	return ids[draw(len(ids))]
}

func (l *lineage) free(id ID) {
	r := l.model[id]
	l.index.Remove(r.text, id)
	l.texts.Free(l.rows.At(id).text)
	l.rows.Free(id)
	delete(l.model, id)
	l.ended = append(l.ended, r.ref)
}

func (l *lineage) edit(id ID, draw draw) {
	r := l.model[id]
	r.number += int64(draw(9))
	for len(r.lanes) < l.types {
		r.lanes = append(r.lanes, 0)
	}
	lane := draw(l.types)
	r.lanes[lane] += int64(draw(9)) + 1
	r.column = int16(r.number)
	l.rows.Edit(id).number = r.number
	*l.column.Edit(uint32(id) * 1000) = int16(r.number)
	l.records.Set(uint32(id), &[]int64{int64(r.column)})
	l.model[id] = r
	l.vectors.Edit(id)[lane] = r.lanes[lane]
}

func (l *lineage) step(draw draw) {
	switch op := draw(12); {
	case op < 5:
		l.add(draw)
	case op == 5:
		l.types++
		l.vectors.Widen(l.types)
	case op == 6:
		name := fmt.Sprint("name-", draw(50))
		if l.strings.Find(name) == None {
			l.known = append(l.known, name)
		}
		l.strings.Hold(name)
	default:
		id := l.some(draw)
		if id == None {
			return
		}
		if op < 9 {
			l.free(id)
		} else {
			l.edit(id, draw)
		}
	}
}

// differs returns an error if a version differs from its model.
func (v *version) differs() error {
	if v.rows.Len() != len(v.model) || v.index.Len() != len(v.model) {
		return fmt.Errorf("%d rows and %d keys, expected %d", v.rows.Len(), v.index.Len(), len(v.model))
	}
	for id, r := range v.rows.All() {
		want, in := v.model[id]
		if !in || r.number != want.number || v.texts.Text(r.text) != want.text || v.rows.Resolve(want.ref) != id {
			return fmt.Errorf("row %d is %d %q, expected %d %q", id, r.number, v.texts.Text(r.text), want.number, want.text)
		}
		if got := v.column.At(uint32(id) * 1000); got != want.column {
			return fmt.Errorf("row %d has %d in the column, expected %d", id, got, want.column)
		}
		if got := v.records.At(uint32(id)); len(got) > 0 && got[0] != int64(want.column) || len(got) == 0 && want.column != 0 {
			return fmt.Errorf("row %d has the record %v, expected %d", id, got, want.column)
		}
		for lane := range v.types + 20 {
			var amount int64
			if lane < len(want.lanes) {
				amount = want.lanes[lane]
			}
			if got := v.vectors.At(id, lane); got != amount {
				return fmt.Errorf("row %d has %d in lane %d, expected %d", id, got, lane, amount)
			}
		}
		if found := v.index.Find(want.text, func(id ID) bool { return v.texts.Is(v.rows.At(id).text, want.text) }); found != id {
			return fmt.Errorf("the key %q names row %d, expected %d", want.text, found, id)
		}
	}
	for _, ref := range v.ended {
		if id := v.rows.Resolve(ref); id != None {
			return fmt.Errorf("a reference to a row that was freed resolves to %d", id)
		}
	}
	for _, name := range v.known {
		if id := v.strings.Find(name); id == None || v.strings.String(id) != name {
			return fmt.Errorf("the string %q has the ID %d", name, id)
		}
	}
	return nil
}

// interleave edits, freezes and forks lineages in turn until more returns false. Then it compares all versions.
func interleave(draw draw, more func() bool) error {
	live, versions := []*lineage{newLineage()}, []*version{}
	for more() {
		l := live[draw(len(live))]
		switch op := draw(40); {
		case op == 0 && len(versions) < 8:
			versions = append(versions, l.freeze())
		case op == 1 && len(versions) > 0 && len(live) < 6:
			live = append(live, versions[draw(len(versions))].fork())
		default:
			l.step(draw)
		}
	}
	for _, l := range live {
		versions = append(versions, l.freeze())
	}
	for i, v := range versions {
		if err := v.differs(); err != nil {
			return fmt.Errorf("version %d of %d: %w", i, len(versions), err)
		}
	}
	return nil
}

func TestForks_EqualSeparateCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.IntRange(0, 600).Draw(t, "steps")
		random := rapid.Uint64().Draw(t, "random")
		err := interleave(func(n int) int {
			random = random*6364136223846793005 + 1442695040888963407
			return int(random >> 33 % uint64(n))
		}, func() bool { steps--; return steps >= 0 })
		if err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzForks(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz\x00\x01\x01\x02\x03"))
	f.Fuzz(func(t *testing.T, script []byte) {
		draw := func(n int) int {
			if len(script) == 0 {
				return 0
			}
			b := script[0]
			script = script[1:]
			return int(b) % n
		}
		if err := interleave(draw, func() bool { return len(script) > 0 }); err != nil {
			t.Fatal(err)
		}
	})
}
