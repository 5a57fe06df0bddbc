package access

import "strings"

// What names look like, as errors say it.
const (
	UserSyntax  = "a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end"
	GroupSyntax = "a group: a letter or _, then letters, digits, _ : # / . @ -"
)

// signs may follow the first letter of a name. Directories and identity providers name groups by mail address or path.
const signs = "_:#/.@-"

// ValidUser reports whether a text can name a user in a configuration.
func ValidUser(name string) bool { return ValidGroup(strings.TrimSuffix(name, "$")) }

// ValidGroup reports whether a text can name a group in a configuration: a letter or _, then letters, digits and signs.
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
