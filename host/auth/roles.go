package auth

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/safefile"
)

// RolesTable is the table of the settings that gives roles to users and groups who have none by a token file.
const RolesTable = "roles"

// mapping gives users and groups their roles.
type mapping struct {
	Users  map[string]Role `toml:"users"`
	Groups map[string]Role `toml:"groups"`
}

// rank orders roles by how much they may.
var rank = []Role{Anyone, Viewer, Submitter, Operator, RM, Admin}

// role is that of the user, if the user has one, or else the one of the user's groups that may most.
func (m *mapping) role(user string, groups []string) Role {
	if own, ok := m.Users[user]; ok {
		return own
	}
	most := Anyone
	for _, g := range groups {
		if r := m.Groups[g]; slices.Index(rank, r) > slices.Index(rank, most) {
			most = r
		}
	}
	return most
}

// readRoles reads the table of roles in a file of settings. Without the file nobody has one.
func readRoles(file string) (*mapping, error) {
	text, err := safefile.Read(file, config.MostSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &mapping{}, nil
	case err != nil:
		return nil, err
	}
	return parseRoles(file, text)
}

func parseRoles(file string, text []byte) (*mapping, error) {
	if err := config.CheckTOML(file, text); err != nil {
		return nil, err
	}
	var content struct {
		Roles mapping `toml:"roles"`
	}
	meta, err := toml.Decode(string(text), &content)
	if err != nil {
		return nil, withPlace(file, err)
	}
	var all []error
	for _, key := range meta.Undecoded() {
		if key[0] == RolesTable {
			all = append(all, fmt.Errorf("%s: %s: expected roles.users or roles.groups, found something unknown", file, key))
		}
	}
	for _, names := range []map[string]Role{content.Roles.Users, content.Roles.Groups} {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if !validName(name) {
				all = append(all, fmt.Errorf("%s: roles: expected the name of a user or a group, found %q", file, name))
			}
		}
	}
	return &content.Roles, errors.Join(all...)
}

// subject is the user whom a client certificate names, and the user's groups: its common name and its organisations. The certificate
// has been verified.
func subject(c *x509.Certificate) (user string, groups []string, ok bool) {
	user = c.Subject.CommonName
	if !validName(user) {
		return "", nil, false
	}
	for _, g := range c.Subject.Organization {
		if !validName(g) {
			return "", nil, false
		}
	}
	return user, c.Subject.Organization, true
}
