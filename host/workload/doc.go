// Package workload makes the inputs that benchmarks, tests and the demonstration run on. Everything is generated from
// a seed: the same arguments give the same inputs on any machine.
package workload
