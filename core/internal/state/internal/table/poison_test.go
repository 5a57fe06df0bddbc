//go:build poison

package table

import "testing"

func TestPoison_StaleReadFindsZeros(t *testing.T) {
	rows := New[int64]()
	a, b := rows.Add(1), rows.Add(2)
	stale := rows.Edit(a)
	rows.Edit(b)
	if *stale != 0 || rows.At(a) != 1 {
		t.Errorf("the pointer that ended reads %d and the row %d, expected 0 and 1", *stale, rows.At(a))
	}
}

func TestPoison_StaleWritePanics(t *testing.T) {
	ends := map[string]func(*Table[int64], ID){
		"edit":   func(rows *Table[int64], id ID) { rows.Edit(id) },
		"add":    func(rows *Table[int64], id ID) { rows.Add(3) },
		"free":   func(rows *Table[int64], id ID) { rows.Free(id) },
		"freeze": func(rows *Table[int64], id ID) { rows.Freeze() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			rows := New[int64]()
			id := rows.Add(1)
			stale := rows.Edit(id)
			end(rows, id)
			*stale = 5
			mustPanic(t, func() { rows.Add(6) })
		})
	}
}

func TestPoison_StaleVectorWritePanics(t *testing.T) {
	v := NewVectors(3)
	stale := v.Edit(1)
	v.Freeze()
	stale[2] = 7
	mustPanic(t, func() { v.Edit(1) })
}

func TestPoison_StaleDenseWritePanics(t *testing.T) {
	d := NewDense[int64]()
	d.Grow(3)
	stale := d.Edit()
	d.Freeze()
	stale[2] = 7
	mustPanic(t, func() { d.Edit() })
}
