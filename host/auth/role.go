// Package auth says who sends a request, and what they may do.
package auth

// Role is what somebody may do. Each one may do what those before it may.
type Role int

// Roles.
const (
	Anyone    Role = iota // needs no name
	Viewer                // reads
	Submitter             // sends applications and asks, and takes back its own
	Operator              // changes nodes, and releases what others run
	Admin                 // changes the configuration, policies and log levels
)
