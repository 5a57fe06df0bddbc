package journal

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// appendText appends a JSON string. Invalid UTF-8 becomes U+FFFD.
func appendText(b []byte, text string) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = appendEscape(append(b, text[done:i]...), c)
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			b = utf8.AppendRune(append(b, text[done:i]...), r)
			done = i + 1
		}
		i += size
	}
	return append(append(b, text[done:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
