// Package policydev is what `quern policy` offers to those who write policies.
//
// A Subject is a policy as its author names it, by a file. Inspect tells what is in it, Pin writes its hash into its
// settings, Rollback puts the version before in force again. Host proves it, and answers for it, as the scheduler's host
// does; the folders below hold it to the contract (conform), time it (measure) and begin a new one (scaffold).
package policydev
