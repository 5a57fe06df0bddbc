// Package journalcmd holds quern journal, whose commands read the record of a live scheduler: stat, export, compact, salvage and verify.
package journalcmd
