// Package conformance holds a policy to the contract of sdk/abi.
//
// Run asks the policy about made-up items and says, check by check, what was expected and what was found. A module is
// asked through frames laid out as the contract allows and not only as the host happens to, and every byte of them is
// compared afterwards; a process is asked through the host. A check is one small function; all of them stand in the list in
// suite.go. The items are the same in every run, whatever engine runs the module.
package conformance
