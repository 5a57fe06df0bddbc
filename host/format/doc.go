// Package format writes values as text, for people and for programs.
//
// Times and counts: Duration, Grouped and Change are for people; At, Quantity, Set and Limits write what decisions write. Amounts
// for people are written by package resource.
//
// Text from outside (names and IDs of journals, texts of modules and processes, file names, and errors that quote any of
// them) is made safe to print: characters that a terminal would act on or a reader could not see are escaped, such as
// \x1b or \u202e. Those are control characters, C1 controls, bidirectional and other invisible characters, and bytes that
// are not UTF-8. A long text is cut, with a mark that counts the missing bytes. Line is for one text inside a line of our
// own, Cell for one cell of a table, and a Writer for all that a command prints.
package format
