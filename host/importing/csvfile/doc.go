// Package csvfile imports lists of nodes and jobs as CSV. A Mapping, which users write in TOML, says which column is what,
// with units, constants, defaults and the format of times. Read gives what it finds to an importing.Sink, row by row.
package csvfile
