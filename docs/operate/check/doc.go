// Package check holds the files of this folder against the parsers of the tools that read them, and against the documents. It is a
// module of its own, so that these parsers are no dependencies of quern.
package check
