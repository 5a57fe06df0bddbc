// Package table keeps rows without pointers in pages that versions share: a table freezes into an immutable version, and a version
// forks into a table, without copying rows.
//
//   - Table holds rows of one type, by dense IDs.
//   - Column holds a value for each ID of something else.
//   - Vectors holds amounts for each ID, as wide as there are resource types.
//   - Texts holds the strings that rows own, and Names those that configurations bound.
//   - Index finds rows by strings.
//
// At reads a value, and Edit is the only way to change one. Each page has the stamp of the table that made it. Edit compares it with the
// stamp of its table, and copies a page once that has another stamp, since frozen tables or forks may share it. Freeze raises the
// stamp of the table; a fork takes the stamp after that of its version. So a table with a stamp reaches pages with this stamp
// only if it made them itself after it got the stamp. No page counts its owners, and nothing writes to a shared page.
//
// A pointer that Edit returned ends at the next Edit, Add, Free or Freeze of the table. With the build tag poison, pages move
// whenever a pointer ends, and what is left behind is cleared and watched: the tests of this package and its importers run so.
//
// Pages have at most 4 KiB, and at least eight rows. With a million rows of 40 bytes (BenchmarkEditAfterFreeze, BenchmarkFreeze,
// BenchmarkEditNear, BenchmarkIndexAdd):
//
//	page      bytes copied for an edit, 1,000 edits after a freeze: random / sequential
//	 1 KiB     2,280 / 1,041
//	 4 KiB     5,370 /   295
//	16 KiB    19,094 /   123
//
// The slice of pages is copied by the first edit after a freeze, and explains most of the 1,041; with pages of 4 KiB that takes 0.2 ms, and
// 0.02 ms with 100,000 rows. An Edit takes 35 instructions more than a change through a pointer: 3 compare the stamp, the others find the
// page, check bounds and call, so code that changes a row often should call Edit once. In caches that is 5 ns against 1.5; where memory
// decides, with a million rows in random order, tables of all three page sizes are as fast as pointers. The longest Add to
// an index takes 0.03 ms.
//
// The package lies below core/internal/state/internal, so the compiler lets only packages below core/internal/state import it.
// An owner of tables that others read, such as nodes or queues, becomes a package below core/internal/state: it imports
// this one, and returns values and IDs to its readers, who cannot name, hold or edit a table. Exporting a read-only type to all packages would
// be no better: a reader could keep it beyond the next edit, and would see some changes and miss others.
package table
