// Package doctest holds the documents to what the program does. It reads their console blocks, tables and links, and
// the constants and tables of the code; its tests compare the two. Nothing imports this package.
package doctest
