// Package clientcmd holds the commands that talk to a live scheduler: get, describe, top, submit, whatif, drain and resume, config, context
// and token. cmd/quern/program adds them to the command line.
package clientcmd
