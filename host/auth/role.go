// Package auth says who sends a request, and what they may do: it knows bearer tokens of a file, tokens of an OIDC issuer and client
// certificates, and gives each caller a role. The HTTP server and the gRPC interceptors ask it, for every request.
package auth

import "fmt"

// Role is a set of rights. From Viewer to Admin, each one may do what those before it may.
type Role int

// Roles.
const (
	Anyone    Role = iota // needs no name
	Viewer                // reads
	Submitter             // sends applications and asks, and takes back its own
	Operator              // changes nodes, and releases what others run
	Admin                 // changes the configuration, policies and log levels
	RM                    // is a resource manager: it speaks si.v1, and reads
)

var roleNames = map[string]Role{"viewer": Viewer, "submitter": Submitter, "operator": Operator, "admin": Admin, "rm": RM}

// May reports whether a role may do what needs another. Of what a resource manager may, only an Admin may all.
func (r Role) May(needs Role) bool {
	if r == RM {
		return needs <= Viewer || needs == RM
	}
	return r >= needs || r == Admin
}

// UnmarshalText reads the name of a role.
func (r *Role) UnmarshalText(name []byte) error {
	found, ok := roleNames[string(name)]
	if !ok {
		return fmt.Errorf("expected viewer, submitter, operator, admin or rm, found %q", name)
	}
	*r = found
	return nil
}

// String is the name of a role.
func (r Role) String() string {
	for name, role := range roleNames {
		if role == r {
			return name
		}
	}
	return "none"
}
