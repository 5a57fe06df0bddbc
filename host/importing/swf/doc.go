// Package swf imports logs of parallel machines in the Standard Workload Format: lines of 18 numbers, and a header in
// comments. Read gives the nodes that the header describes, and the jobs, to an importing.Sink.
//
// The format knows processors and no nodes of jobs. Options.JobAs chooses what a job of several processors becomes. By default, one that
// needs more than a node has becomes an atomic gang of whole nodes and a rest; if nodes differ in size, of single processors.
package swf
