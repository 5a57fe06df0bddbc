// Package tool is what `quern policy` offers to authors of policies.
//
// A Subject is a policy in a file. Inspect shows its contents, Pin writes its hash into its settings, Rollback restores
// the previous version, Measure times it. A Host runs it as the scheduler's host does. NewProject begins a new policy.
// The conformance tests are in package conformance below.
package tool
