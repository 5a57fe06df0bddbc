// Package policycmd holds quern policy: the commands for writing, testing, measuring, trying and pinning policies.
package policycmd
