package access

import "strings"

// What names look like, as errors say it.
const (
	UserSyntax  = "a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end"
	GroupSyntax = "a group: a letter or _, then letters, digits, _ : . -"
)

// ValidUser reports whether a text can name a user in a configuration.
func ValidUser(name string) bool { return valid(strings.TrimSuffix(name, "$"), "_:#/.@-") }

// ValidGroup reports whether a text can name a group in a configuration.
func ValidGroup(name string) bool { return valid(name, "_:.-") }

// valid reports whether a name begins with a letter or _ and goes on with letters, digits and some signs.
func valid(name, signs string) bool {
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
