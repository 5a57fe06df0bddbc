package auth

import (
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/config"
)

// RolesTable is the table of the settings that gives roles to users and groups who have none by a token file.
const RolesTable = "roles"

// Roles gives users and groups their roles. Nil gives none.
type Roles struct{ rows roleRows }

// roleRows are the rows of the table.
type roleRows struct {
	Users  map[string]Role `toml:"users"`
	Groups map[string]Role `toml:"groups"`
}

// rank orders roles by how much they may.
var rank = []Role{Anyone, Viewer, Submitter, Operator, RM, Admin}

// role is that of the user, if the user has one, or else the one of the user's groups that may most.
func (r *Roles) role(user string, groups []string) Role {
	if r == nil {
		return Anyone
	}
	if own, ok := r.rows.Users[user]; ok {
		return own
	}
	most := Anyone
	for _, g := range groups {
		if r := r.rows.Groups[g]; slices.Index(rank, r) > slices.Index(rank, most) {
			most = r
		}
	}
	return most
}

// Rows are the roles by the names of the settings, such as roles.users.ann.
func (r *Roles) Rows() map[string]string {
	rows := map[string]string{}
	if r == nil {
		return rows
	}
	for kind, names := range map[string]map[string]Role{"users": r.rows.Users, "groups": r.rows.Groups} {
		for name, role := range names {
			rows[toml.Key{RolesTable, kind, name}.String()] = role.String()
		}
	}
	return rows
}

// ParseRoles reads the table of roles in the text of a file of settings. The error names everything that is wrong with it.
func ParseRoles(file string, text []byte) (*Roles, error) {
	var content struct {
		Roles roleRows `toml:"roles"`
	}
	meta, err := config.DecodeTOML(file, text, &content)
	if err != nil {
		return nil, err
	}
	lines := config.TOMLLines(text)
	var all []error
	for _, key := range meta.Undecoded() {
		if key[0] == RolesTable {
			all = append(all, fmt.Errorf("%s:%d: %s: expected roles.users or roles.groups, found something unknown", file, lines[strings.Join(key, ".")], key))
		}
	}
	for i, names := range []map[string]Role{content.Roles.Users, content.Roles.Groups} {
		table := RolesTable + []string{".users", ".groups"}[i]
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if !validName(name) {
				all = append(all, fmt.Errorf("%s:%d: %s: expected the name of a user or a group, found %q", file, lines[table+"."+name], table, name))
			}
		}
	}
	return &Roles{content.Roles}, errors.Join(all...)
}

// subject is the user that a client certificate names, and the user's groups: its common name and its organisations. The certificate
// has been verified. One with several common names names no user: the authority may have checked only one of them, and programs differ in which
// one counts.
func subject(c *x509.Certificate) (user string, groups []string, ok bool) {
	user = c.Subject.CommonName
	if !validName(user) || commonNames(c) > 1 {
		return "", nil, false
	}
	for _, g := range c.Subject.Organization {
		if !validName(g) {
			return "", nil, false
		}
	}
	return user, c.Subject.Organization, true
}

// commonName is the object identifier of a common name.
var commonName = asn1.ObjectIdentifier{2, 5, 4, 3}

func commonNames(c *x509.Certificate) (n int) {
	for _, name := range c.Subject.Names {
		if name.Type.Equal(commonName) {
			n++
		}
	}
	return n
}
