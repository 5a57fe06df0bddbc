package config

import "strings"

// plainReader parses the subset of YAML that nearly all configurations use: block style, one `key: value` in a line, ASCII, no special
// syntax. For other texts it gives up, and the library parses the whole text. It exists because the library takes 26 us for each queue, too
// slow for 10,000 queues (BenchmarkDecode). FuzzPlainYAML compares its results with the library's, including places.
type plainReader struct {
	arena
	rest   string // text after the current line
	values int
	failed bool
	full   *fault // a bound was passed

	// The current line. Its number is 0 before the first line, and its content empty after the last.
	number  int32
	indent  int
	content string
}

// readPlainYAML parses a plain text. If the text is not plain, it returns nil and the first line that is not. full is a bound that was
// exceeded before that line.
func readPlainYAML(text string) (v *value, line int, full *fault) {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' {
			return nil, 1 + strings.Count(text[:i], "\n"), nil
		}
	}
	r := &plainReader{rest: text}
	r.advance()
	v = r.block(0)
	if r.failed || r.content != "" {
		return nil, int(r.number), r.full
	}
	return v, 0, nil
}

// advance moves to the next line with content.
func (r *plainReader) advance() {
	for r.rest != "" {
		line, rest, _ := strings.Cut(r.rest, "\n")
		r.rest = rest
		r.number++
		r.content = strings.TrimLeft(line, " ")
		r.indent = len(line) - len(r.content)
		if r.content != "" && r.content[0] != '#' {
			return
		}
	}
	r.content, r.indent = "", -1
}

func (r *plainReader) fail() { r.failed, r.content, r.indent, r.rest = true, "", -1, "" }

func (r *plainReader) here() place { return place{r.number, int32(r.indent) + 1} }

func (r *plainReader) item() bool { return strings.HasPrefix(r.content, "- ") }

// block parses the list or mapping that starts in the current line.
func (r *plainReader) block(depth int) *value {
	if r.values++; depth > maxDepth || r.values > maxValues || r.content == "" {
		r.fail()
		return nil
	}
	if r.item() {
		return r.list(depth)
	}
	return r.mapping(depth)
}

// list parses items that are mappings and start after their dash.
func (r *plainReader) list(depth int) *value {
	v, indent := r.value(list, r.here()), r.indent
	for r.indent == indent && r.item() {
		item := strings.TrimLeft(r.content[1:], " ")
		r.indent += len(r.content) - len(item)
		r.content = item
		if item == "" || item[0] == '#' || r.item() {
			r.fail()
			return nil
		}
		v.fields = append(v.fields, field{value: r.block(depth + 1)})
	}
	if r.indent > indent {
		r.fail()
	}
	return v
}

func (r *plainReader) mapping(depth int) *value {
	v, indent := r.value(mapping, r.here()), r.indent
	v.fields = make([]field, 0, 4)
	for r.indent == indent && !r.item() {
		f := field{at: r.here()}
		name, rest, ok := plainKey(r.content)
		if !ok || v.field(name) != nil {
			r.fail()
			return nil
		}
		f.name = name
		if len(v.fields) >= maxFields {
			r.fail()
			r.full = &fault{f.at, sizeKey, fieldBound, "more"}
			return nil
		}
		if rest == "" || rest[0] == '#' {
			r.advance()
			if r.indent < indent || r.indent == indent && !r.item() {
				r.fail()
				return nil
			}
			f.value = r.block(depth + 1)
		} else {
			f.value, rest = r.inline(rest, " ", depth+1)
			if rest = strings.TrimLeft(rest, " "); rest != "" && rest[0] != '#' {
				r.fail()
			}
			r.advance()
		}
		v.add(f)
	}
	if r.indent > indent {
		r.fail()
	}
	return v
}

const longestKey = 128 // the library permits eight times as many bytes

// plainKey cuts off `key: `. The colon must be followed by a blank or the line end.
func plainKey(text string) (name, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		name, rest, ok = strings.Cut(text[1:], `"`)
		ok = ok && !strings.Contains(name, `\`) && strings.HasPrefix(rest, ":")
		rest = strings.TrimPrefix(rest, ":")
	} else {
		name, rest, ok = strings.Cut(text, ":")
		ok = ok && plainWord(name)
	}
	ok = ok && len(name) <= longestKey && (rest == "" || rest[0] == ' ')
	return name, strings.TrimLeft(rest, " "), ok
}

// inline parses a value in the current line, up to one of the characters in ends. rest is the rest of the line.
func (r *plainReader) inline(rest, ends string, depth int) (*value, string) {
	if r.values++; depth > maxDepth || r.values > maxValues || rest == "" {
		r.fail()
		return nil, ""
	}
	at := place{r.number, int32(r.indent+len(r.content)-len(rest)) + 1}
	if rest[0] == '{' {
		return r.flow(r.value(mapping, at), rest[1:], depth)
	}
	v, known := r.value(scalar, at), false
	if quote := rest[:1]; quote == `"` || quote == "'" {
		v.text, rest, known = strings.Cut(rest[1:], quote)
		known = known && (quote == "'" || !strings.Contains(v.text, `\`)) && (rest == "" || strings.IndexByte(ends, rest[0]) >= 0)
	} else {
		end := strings.IndexAny(rest, ends)
		if end < 0 {
			end = len(rest)
		}
		v.text, rest = rest[:end], rest[end:]
		if v.form, known = plainForm(v.text); !known {
			known = plainWord(v.text) && !resolved(v.text) || plainQuantity(v.text)
		}
	}
	if !known {
		r.fail()
	}
	return v, rest
}

// flow parses the rest of `{key: value, …}`.
func (r *plainReader) flow(v *value, rest string, depth int) (*value, string) {
	for rest = strings.TrimLeft(rest, " "); !r.failed; {
		f := field{at: place{r.number, int32(r.indent+len(r.content)-len(rest)) + 1}}
		var ok bool
		if f.name, rest, ok = plainKey(rest); !ok || v.field(f.name) != nil {
			break
		}
		f.value, rest = r.inline(rest, " ,}", depth+1)
		v.add(f)
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, "}") {
			return v, rest[1:]
		}
		if !strings.HasPrefix(rest, ",") {
			break
		}
		rest = strings.TrimLeft(rest[1:], " ")
	}
	r.fail()
	return v, ""
}

// plainWord reports whether a text starts with a letter and contains no special characters of YAML.
func plainWord(text string) bool {
	if text == "" || (text[0]|0x20) < 'a' || (text[0]|0x20) > 'z' {
		return false
	}
	for i := 1; i < len(text); i++ {
		if c := text[i]; !bareCharacter(c) && c != '.' && c != '/' && c != '@' {
			return false
		}
	}
	return true
}

// resolved reports whether YAML may resolve a word to something other than a text.
func resolved(word string) bool {
	switch strings.ToLower(word) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

// plainQuantity reports whether a text is digits and a suffix.
func plainQuantity(text string) bool {
	number := strings.TrimRight(text, "numkMGTPEi")
	f, ok := plainForm(number)
	return ok && len(number) < len(text) && f != formTruth
}
