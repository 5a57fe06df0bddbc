// Package decisions compares the scheduler's decisions with recorded ones, so that a change that must not alter any
// decision can be checked at once.
//
// Its tests replay every journal of the repository, the lessons of the playground, the scenarios in features and
// generated workloads, and compare the SHA-256 of the encoded decisions with testdata/decisions.txt.
//
//	go test ./internal/decisions               # compare
//	go test ./internal/decisions -update       # record anew; read the diff
//	go test ./internal/decisions -write DIR    # also write the decisions of each run to DIR
//
// Each run is divided into parts, which have short hashes of their own: a mismatch is reported with the first part that
// differs. To see the decision itself, write the decisions of both commits, each to its own directory, and run diff -r.
package decisions
