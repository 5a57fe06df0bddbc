package config

import (
	"strconv"
	"strings"
)

// decimal formats thousandths with as few decimals as necessary.
func decimal(thousandths int64) string {
	whole, part := strconv.FormatInt(thousandths/1000, 10), thousandths%1000
	if part == 0 {
		return whole
	}
	return whole + "." + strings.TrimRight(strconv.FormatInt(1000+part, 10)[1:], "0")
}

// plain formats a text as YAML: without quotes if that is certain to be parsed as the same text, else in double quotes.
func plain(text string) string {
	for i := 0; i < len(text); i++ {
		c := text[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z':

		case i > 0 && (c >= '0' && c <= '9' || strings.IndexByte("_-./", text[i]) >= 0):
		default:
			return quoted(text)
		}
	}
	switch strings.ToLower(text) {
	case "", "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return quoted(text)
	}
	return text
}

// quoted formats a text in double quotes, with escapes that are equal in Go and YAML.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		default:
			b.WriteString(`\U` + strings.ToUpper(strconv.FormatInt(1<<32+int64(r), 16)[1:]))
		}
	}
	b.WriteByte('"')
	return b.String()
}
