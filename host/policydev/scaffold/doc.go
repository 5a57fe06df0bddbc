// Package scaffold begins projects for policies: a small one that works, with a feature that it passes, a Makefile that
// builds and tests it, and the SDK of its language beside it, so that nothing has to be fetched.
package scaffold
