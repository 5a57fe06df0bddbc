// Package replaycmd holds quern replay and quern explain, and the flags that say which workload to play. cmd/quern/program and
// cmd/quern/policycmd use these too.
package replaycmd
