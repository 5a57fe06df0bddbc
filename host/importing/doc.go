// Package importing turns workloads that were recorded elsewhere into journals. It holds what all formats share; the formats
// are the packages below it: csvfile, swf and kubernetes.
//
// A reader gives nodes, jobs and queues to a Sink in any order, and tells it what it leaves out and what it cannot read. The
// Sink sorts jobs by time, on disk where they are many, so that memory does not grow with their number. Its Write yields the
// journal, and its Config a queue configuration with the queues that were named. Equal files give equal journals, to the
// byte.
package importing
