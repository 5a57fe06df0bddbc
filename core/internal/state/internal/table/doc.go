// Package table stores rows without pointers in pages that versions share: freezing a table returns an immutable version, and forking a
// version returns a table. Neither copies rows.
//
//   - Table holds rows of one type, by dense IDs.
//   - Column holds a value for each ID of another table or pool.
//   - Dense holds a few values in one slice, which is copied whole.
//   - Vectors holds an amount of each resource type for each ID.
//   - Texts holds the strings that rows own, and Strings those that rows share.
//   - StringColumn holds a string for each ID of another table, and returns it without a copy.
//   - Records holds values that never change once set, and may contain strings, slices and maps.
//   - Index finds rows by string keys.
//
// At reads a value, and Edit is the only way to change one. Each page has the stamp of the table that made it. Edit compares it with the
// current stamp of the table, and copies the page if the stamps differ, since versions or forks may share it. Freeze increments the stamp
// of the table; the stamp of a fork is one more than that of its version. So if a page has the same stamp as a table that can reach it, the
// table has made the page since it was last frozen, or forked from a version, and owns it. Pages do not count their owners, and shared
// pages are never written.
//
// A pointer that Edit returned is valid until the next Edit, Add, Free or Freeze of the table. With the build tag poison, a page moves
// whenever a pointer into it becomes invalid, and the old page is cleared and checked for writes. The tests of this package and its
// importers run in this mode.
//
// A page has 64 elements: a constant, so that an access finds an element in 11 instructions. Pages of at most 1, 4 and 16 KiB, whose numbers
// of rows depended on the type, took 18. With a million rows of 40 bytes they copied this much (BenchmarkEditAfterFreeze); 64 of these
// rows have 2.5 KiB:
//
//	page      bytes copied for an edit, 1,000 edits after a freeze: random / sequential
//	 1 KiB     2,280 / 1,041
//	 4 KiB     5,370 /   295
//	16 KiB    19,094 /   123
//
// The first edit after a freeze also copies the slice of pages, which explains most of the 1,041; with pages of 4 KiB that takes 0.2 ms, and
// 0.02 ms with 100,000 rows. An Edit takes 28 instructions more than a change through a pointer: 3 compare the stamp; the others find the
// page, check bounds and call. So code that changes a row several times should call Edit once. If rows are in the processor's cache, a change
// takes 5 ns instead of 1.5; with a million rows in random order, tables of all three page sizes are as fast as pointers. The longest Add
// to an index takes 0.03 ms.
//
// The package is below core/internal/state/internal, so only packages below core/internal/state can import it. An owner of tables that other
// packages read, such as nodes or queues, is a package below core/internal/state: it imports this one and returns values and IDs, so that
// its readers cannot name, hold or edit a table. Exporting a read-only table type to all packages would be no better: a reader could hold it
// beyond the next edit, and would see some changes and miss others.
package table
