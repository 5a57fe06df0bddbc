package access

import "strings"

// The syntax of names, for errors.
const (
	UserSyntax  = "a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end"
	GroupSyntax = "a group: a letter or _, then letters, digits, _ : # / . @ -"
)

// signs are allowed after the first letter of a name. Directories and identity providers use mail addresses or paths as group names.
const signs = "_:#/.@-"

// ValidUser reports whether a text is a valid user name in a configuration.
func ValidUser(name string) bool { return ValidGroup(strings.TrimSuffix(name, "$")) }

// ValidGroup reports whether a text is a valid group name in a configuration: a letter or _, then letters, digits and signs.
func ValidGroup(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_':
		case i > 0 && (c >= '0' && c <= '9' || strings.IndexByte(signs, c) >= 0):
		default:
			return false
		}
	}
	return name != ""
}
