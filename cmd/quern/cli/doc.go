// Package cli holds what all commands of quern share: streams, settings, exit codes and the texts of errors, checks of arguments, progress
// bars, and the flags for policy modules and for serving pages.
//
// The packages beside it hold the commands, and cmd/quern/program puts them together.
package cli
