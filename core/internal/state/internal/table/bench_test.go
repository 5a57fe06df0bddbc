package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// benchRow is as large as an ask may become.
type benchRow struct {
	seq int64
	_   [24]byte
}

const benchRows = 1_000_000

func filled(n int) *Table[benchRow] {
	t := New[benchRow]()
	for i := range n {
		t.Add(benchRow{seq: int64(i)})
	}
	return t
}

// scattered returns the IDs in an order without locality.
func scattered(i int) ID { return ID(uint32(i)*2654435761%benchRows + 1) }

func BenchmarkAt(b *testing.B) {
	rows, plain, graph := filled(benchRows), make([]benchRow, benchRows+1), make([]*benchRow, benchRows+1)
	for i := range graph {
		graph[i] = &benchRow{}
	}
	sum := int64(0)
	b.Run("slice", func(b *testing.B) {
		for i := range b.N {
			sum += plain[scattered(i)].seq
		}
	})
	b.Run("pointers", func(b *testing.B) {
		for i := range b.N {
			sum += graph[scattered(i)].seq
		}
	})
	b.Run("table", func(b *testing.B) {
		for i := range b.N {
			sum += rows.At(scattered(i)).seq
		}
	})
}

// The rows of BenchmarkEditNear fit into a processor's cache, so that the comparison of stamps is visible.
func BenchmarkEditNear(b *testing.B) {
	rows, plain, graph := filled(1000), make([]benchRow, 1001), make([]*benchRow, 1001)
	for i := range graph {
		graph[i] = &benchRow{}
	}
	b.Run("slice", func(b *testing.B) {
		for i := range b.N {
			plain[i%1000+1].seq++
		}
	})
	b.Run("pointers", func(b *testing.B) {
		for i := range b.N {
			graph[i%1000+1].seq++
		}
	})
	b.Run("table", func(b *testing.B) {
		for i := range b.N {
			rows.Edit(ID(i%1000+1)).seq++
		}
	})
}

func BenchmarkEdit(b *testing.B) {
	plain, graph := make([]benchRow, benchRows+1), make([]*benchRow, benchRows+1)
	for i := range graph {
		graph[i] = &benchRow{}
	}
	b.Run("slice", func(b *testing.B) {
		for i := range b.N {
			plain[scattered(i)].seq++
		}
	})
	b.Run("pointers", func(b *testing.B) {
		for i := range b.N {
			graph[scattered(i)].seq++
		}
	})
	rows := filled(benchRows)
	b.Run("table", func(b *testing.B) {
		for i := range b.N {
			rows.Edit(scattered(i)).seq++
		}
	})
}

// BenchmarkEditAfterFreeze makes a thousand edits after each freeze.
func BenchmarkEditAfterFreeze(b *testing.B) {
	const edits = 1000
	for _, order := range []string{"random", "sequential"} {
		b.Run(order, func(b *testing.B) {
			rows := filled(benchRows)
			copied := 0
			for i := range b.N {
				rows.Freeze()
				for j := range edits {
					if order == "random" {
						rows.Edit(scattered(i*edits+j)).seq++
					} else {
						rows.Edit(ID((i*edits+j)%benchRows+1)).seq++
					}
				}
				copied += rows.rows.copied(32)
			}
			b.ReportMetric(float64(copied)/float64(b.N*edits), "copied-B/edit")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*edits), "ns/edit")
		})
	}
}

// copied returns the number of bytes that edits have copied since the last freeze. A page takes 16 bytes in the slice of pages.
func (a *array[T]) copied(elementBytes int) int {
	sum := 0
	if a.root == a.stamp {
		sum = len(a.pages) * 16
	}
	for _, p := range a.pages {
		if p.stamp == a.stamp {
			sum += len(p.items) * elementBytes
		}
	}
	return sum
}

func BenchmarkFreeze(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			rows := filled(n)
			for i := range b.N {
				rows.Freeze()
				rows.Edit(ID(i%n+1)).seq++ // the first edit copies the slice of pages
			}
		})
	}
}

// BenchmarkIndexAdd reports the longest of a million Adds, including those that grow the index. The machine may interrupt any run, so an
// Add counts with its shortest time over all runs, which are identical.
func BenchmarkIndexAdd(b *testing.B) {
	keys, shortest := make([]string, benchRows), make([]time.Duration, benchRows)
	for i := range keys {
		keys[i], shortest[i] = fmt.Sprint("job-", i), time.Hour
	}
	seed := NewIndex().seed
	b.Run("rows=1000000", func(b *testing.B) {
		for range b.N {
			x := NewIndex()
			x.seed = seed
			for i, key := range keys {
				began := time.Now()
				x.Add(key, ID(i+1))
				shortest[i] = min(shortest[i], time.Since(began))
			}
			b.ReportMetric(float64(x.entries.n)*8*bucketSize/benchRows, "B/key")
		}
		b.ReportMetric(float64(slices.Max(shortest).Microseconds()), "longest-us")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/key")
	})
}

func BenchmarkIndexFind(b *testing.B) {
	keys, x, plain := make([]string, benchRows), NewIndex(), map[string]ID{}
	for i := range keys {
		keys[i] = fmt.Sprint("job-", i)
		x.Add(keys[i], ID(i+1))
		plain[keys[i]] = ID(i + 1)
	}
	b.Run("index", func(b *testing.B) {
		for i := range b.N {
			key := keys[scattered(i)-1]
			if x.Find(key, func(id ID) bool { return keys[id-1] == key }) == None {
				b.Fatal("a key is missing")
			}
		}
	})
	b.Run("map", func(b *testing.B) {
		for i := range b.N {
			if plain[keys[scattered(i)-1]] == None {
				b.Fatal("a key is missing")
			}
		}
	})
}

// BenchmarkTextsChurn reports the memory of 100,000 texts of random lengths after as many have been added and freed.
func BenchmarkTextsChurn(b *testing.B) {
	const kept = 100_000
	x, all, random := NewTexts(), strings.Repeat("z", 64), uint32(1)
	ids := make([]ID, kept)
	for range b.N {
		random = random*1664525 + 1013904223
		i := random >> 8 % kept
		x.Free(ids[i])
		ids[i] = x.Add(all[:random>>16%64])
	}
	b.ReportMetric(float64(x.chunks.n)*32/kept, "B/text")
}
