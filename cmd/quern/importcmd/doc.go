// Package importcmd holds quern import, which turns workloads that were recorded elsewhere into journals.
package importcmd
